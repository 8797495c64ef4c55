/**
 * All fully supported spec versions; the index is the minor version.
 *
 * @example SPEC_VERSIONS.includes('3.4.0') // true
 */
export const SPEC_VERSIONS = [
  '3.0.0',
  '3.1.0',
  '3.2.0',
  '3.3.0',
  '3.4.0',
  '3.5.0',
  '3.6.0',
  '3.7.0-experimental',
] as const;

/** A fully supported version of the specification. */
export type SpecVersion = (typeof SPEC_VERSIONS)[number];

/** The default version of new configs. */
export const NEWEST_STABLE: SpecVersion = '3.6.0';

/** The minor number of a known version, which tables and rules compare. */
export function minorOf(version: SpecVersion): number {
  return SPEC_VERSIONS.indexOf(version);
}

/** The meaning of a version text: a supported version, an unknown later 3.x, another version, or no version. */
export type VersionReading =
  | { readonly kind: 'known'; readonly version: SpecVersion }
  | { readonly kind: 'newer' | 'unsupported'; readonly major: bigint }
  | { readonly kind: 'unreadable' };

const IDENTIFIERS = /^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/;
const MAX_NUMBER = 2n ** 63n - 1n;

/** Reads a version as Ignition does: `03.06.00` and `3.6.0-` are 3.6.0; `3.6` and `3.6.0.1` are not versions. */
export function readVersion(text: string): VersionReading {
  const [unbuilt = '', metadata] = splitAtFirst(text, '+');
  const [numbers = '', preRelease] = splitAtFirst(unbuilt, '-');
  const parts = numbers.split('.');
  const readable = parts.length === 3 && parts.every(isNumber) && isSuffix(metadata) && isSuffix(preRelease);
  if (!readable) return { kind: 'unreadable' };
  const [major = 0n, minor = 0n, patch = 0n] = parts.map(BigInt);
  const plain = `${major}.${minor}.${patch}${preRelease ? `-${preRelease}` : ''}${metadata ? `+${metadata}` : ''}`;
  const version = SPEC_VERSIONS.find((known) => known === plain);
  if (version !== undefined) return { kind: 'known', version };
  return { kind: major === 3n && minor >= BigInt(SPEC_VERSIONS.length - 1) ? 'newer' : 'unsupported', major };
}

function splitAtFirst(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function isNumber(text: string): boolean {
  // Checks the length first, because the conversion of a million digits takes quadratic time.
  return /^[0-9]+$/.test(text) && text.replace(/^0+/, '').length < 20 && BigInt(text) <= MAX_NUMBER;
}

function isSuffix(text: string | undefined): boolean {
  return text === undefined || text === '' || IDENTIFIERS.test(text);
}
