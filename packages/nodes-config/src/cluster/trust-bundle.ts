import { DER, derElements } from '@coreiso/diagnostics/der';
import { bytesOfBase64 } from '@coreiso/diagnostics/go';

/** The service's limit. */
const LONGEST = 65_535;

const END = '-----END CERTIFICATE-----';
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END \1-----\n?/g;

/** The bundle without repeated pieces; a piece is a certificate with everything before it, outer blanks aside. */
export function withoutRepeats(bundle: string): string {
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

/**
 * Upstream's complaint about a bundle, or ours about its size.
 *
 * @example trustBundleProblem(await readFile('ca.pem', 'utf8'))
 */
export function trustBundleProblem(bundle: string): string | undefined {
  if (bundle.length > LONGEST)
    return `the trust bundle has ${bundle.length} characters; the service takes at most ${LONGEST}`;
  const blocks = [...bundle.matchAll(BLOCK)];
  const last = blocks.at(-1);
  const isWhole = last !== undefined && bundle.slice(last.index + last[0].length) === '';
  if (!isWhole)
    return 'unable to parse certificate, please check the additionalTrustBundle section of install-config.yaml';
  return blocks.every(([, , body = '']) => looksLikeCertificate(body)) ? undefined : 'x509: malformed certificate';
}

/** X.509 is one sequence that is not empty, and nothing behind it. */
function looksLikeCertificate(body: string): boolean {
  const [certificate, ...rest] = derElements(bytesOfBase64(body) ?? new Uint8Array()) ?? [];
  return certificate?.tag === DER.sequence && certificate.content.length > 0 && rest.length === 0;
}
