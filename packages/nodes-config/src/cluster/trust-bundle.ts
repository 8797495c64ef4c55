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

/** Upstream's complaint about a bundle, or ours about its size. */
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

/** X.509 begins with a sequence whose length is that of the rest (X.690 section 8.1). */
function looksLikeCertificate(body: string): boolean {
  try {
    const bytes = Uint8Array.from(atob(body.replace(/\s/g, '')), (character) => character.charCodeAt(0));
    if (bytes[0] !== 0x30) return false;
    const first = bytes[1] ?? 0;
    const extra = first & 0x80 ? first & 0x7f : 0;
    const length = extra === 0 ? first : bytes.subarray(2, 2 + extra).reduce((sum, byte) => sum * 256 + byte, 0);
    return bytes.length === 2 + extra + length && length > 0;
  } catch {
    return false;
  }
}
