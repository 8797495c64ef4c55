import { debugCharacter } from '@coreiso/diagnostics/rust';

/** The version of an Ignition config as coreos-installer reads it: a semantic version, spelled out. */
export interface ConfigVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly text: string;
}

const U64_MAX = 2n ** 64n - 1n;

/** Reads a semantic version; a text that is none gives the reason as a string. */
export function parseConfigVersion(text: string): ConfigVersion | string {
  if (text === '') return 'empty string, expected a semver version';
  let rest = text;
  const numbers: bigint[] = [];
  for (const part of ['major version number', 'minor version number', 'patch version number']) {
    const digits = /^[0-9]*/.exec(rest)?.[0] ?? '';
    if (digits === '') {
      if (rest === '') return `unexpected end of input while parsing ${part}`;
      return `unexpected character ${quoted(rest)} while parsing ${part}`;
    }
    if (digits.length > 1 && digits.startsWith('0')) return `invalid leading zero in ${part}`;
    if (digits.length > 20 || BigInt(digits) > U64_MAX) return `value of ${part} exceeds u64::MAX`;
    numbers.push(BigInt(digits));
    rest = rest.slice(digits.length);
    if (numbers.length === 3) break;
    if (rest === '') return `unexpected end of input while parsing ${part}`;
    if (!rest.startsWith('.')) return `unexpected character ${quoted(rest)} after ${part}`;
    rest = rest.slice(1);
  }
  let last = 'patch version number';
  for (const [sign, part] of [
    ['-', 'pre-release identifier'],
    ['+', 'build metadata'],
  ] as const) {
    if (!rest.startsWith(sign)) continue;
    last = part;
    const identifier = /^[0-9A-Za-z.-]*/.exec(rest.slice(1))?.[0] ?? '';
    const segments = identifier.split('.');
    const wrong = segments.find((segment) => segment === '' || (sign === '-' && /^0[0-9]+$/.test(segment)));
    if (wrong !== undefined) return `${wrong === '' ? 'empty identifier segment' : 'invalid leading zero'} in ${part}`;
    rest = rest.slice(1 + identifier.length);
  }
  if (rest !== '') return `unexpected character ${quoted(rest)} after ${last}`;
  const [major = 0n, minor = 0n] = numbers;
  return { major, minor, text };
}

function quoted(text: string): string {
  const [character = ''] = text;
  return debugCharacter(character);
}
