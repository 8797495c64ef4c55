import { checkArgument } from '@coreiso/peers/arguments';
import { certificateDates, DER, derElements, pemBlocks } from '@coreiso/peers/der';

/** The service's limit. */
const LONGEST = 65_535;

const END = '-----END CERTIFICATE-----';

/**
 * The bundle without repeated pieces; a piece is a trimmed certificate with everything before it.
 *
 * @example distinctCertificates(`${pem}\n${pem}`) === pem
 */
export function distinctCertificates(bundle: string): string {
  checkArgument('bundle', bundle, 'text');
  const seen = new Set<string>();
  const pieces = bundle.split(new RegExp(`(?<=${END})`));
  const kept = pieces.filter((piece) => {
    const key = piece.trim();
    if (key !== '' && seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.join('');
}

/** Why a bundle is refused: its length is checked by coreiso, the rest by upstream. */
export interface TrustBundleProblem {
  readonly kind: 'too-long' | 'no-pem' | 'no-certificate';
  readonly message: string;
}

/**
 * Upstream's complaint about a bundle, or coreiso's own about its size.
 *
 * @example trustBundleProblem(await readFile('ca.pem', 'utf8'))?.message
 */
export function trustBundleProblem(bundle: string): TrustBundleProblem | undefined {
  if (bundle.length > LONGEST) {
    const message = `the trust bundle has ${bundle.length} characters; the service takes at most ${LONGEST}`;
    return { kind: 'too-long', message };
  }
  const blocks = pemBlocks(bundle);
  if (!/^\n?$/.test(bundle.slice(blocks.at(-1)?.end)) || blocks.length === 0) {
    const message =
      'unable to parse certificate, please check the additionalTrustBundle section of install-config.yaml';
    return { kind: 'no-pem', message };
  }
  if (blocks.every(({ content }) => looksLikeCertificate(content))) return undefined;
  return { kind: 'no-certificate', message: 'x509: malformed certificate' };
}

/** Describes the certificates of a bundle that have expired by a given time. */
export function expiredCertificates(bundle: string, now: Date): string[] {
  return pemBlocks(bundle).flatMap(({ content }) => {
    const dates = content && certificateDates(content);
    if (dates === undefined || dates.notAfter >= now) return [];
    const name = dates.subject === '' ? 'a certificate' : `certificate ${dates.subject}`;
    return [`${name} of the trust bundle expired on ${dates.notAfter.toISOString().slice(0, 10)}`];
  });
}

/** X.509 is one sequence that is not empty, with nothing after it. */
function looksLikeCertificate(content: Uint8Array | undefined): boolean {
  const [certificate, ...rest] = derElements(content ?? new Uint8Array()) ?? [];
  return certificate?.tag === DER.sequence && certificate.content.length > 0 && rest.length === 0;
}
