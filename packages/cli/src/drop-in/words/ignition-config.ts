// The messages of coreos-installer about a wrong Ignition config: serde_json for the text, semver for the version.

import type { ExpectedType, JsonFault, JsonSyntaxFault, ObjectName } from '@coreiso/ignition/customize';
import { debugCharacter, jsonFloat } from '@coreiso/peers/rust';
import { foundText } from './found.ts';

const SYNTAX: Readonly<Record<JsonSyntaxFault, string>> = {
  'bad-escape': 'invalid escape',
  'bad-number': 'invalid number',
  'bad-utf8': 'invalid unicode code point',
  'comma-at-end': 'trailing comma',
  'control-character': 'control character (\\u0000-\\u001F) found while parsing a string',
  'cut-surrogate': 'unexpected end of hex escape',
  'ends-in-list': 'EOF while parsing a list',
  'ends-in-object': 'EOF while parsing an object',
  'ends-in-string': 'EOF while parsing a string',
  'ends-in-value': 'EOF while parsing a value',
  'huge-number': 'number out of range',
  'lone-surrogate': 'lone leading surrogate in hex escape',
  'more-text': 'trailing characters',
  'no-colon': 'expected `:`',
  'no-comma-in-list': 'expected `,` or `]`',
  'no-comma-in-object': 'expected `,` or `}`',
  'no-key': 'key must be a string',
  'no-literal': 'expected ident',
  'no-value': 'expected value',
};

const DIALECT = { nothing: 'null', float: jsonFloat };

const TYPES: Readonly<Record<ExpectedType, string>> = {
  boolean: 'a boolean',
  integer: 'i64',
  key: 'a string',
  list: 'a sequence',
  object: 'a map',
  string: 'a string',
};

/** Returns the message of serde_json with its place: only LF ends a line, and columns count bytes. */
export function serdeJsonMessage(fault: JsonFault, bytes: Uint8Array, end: number): string {
  const before = bytes.subarray(0, end);
  const lineStart = before.lastIndexOf(0x0a) + 1;
  const line = 1 + before.subarray(0, lineStart).filter((byte) => byte === 0x0a).length;
  return `${faultText(fault)} at line ${line} column ${end - lineStart}`;
}

function faultText(fault: JsonFault): string {
  switch (fault.kind) {
    case 'wrong-type': {
      const { expected } = fault;
      const wanted = typeof expected === 'string' ? TYPES[expected] : `struct ${structName(expected)}`;
      return `invalid type: ${foundText(fault.found, DIALECT)}, expected ${wanted}`;
    }
    case 'huge-integer':
      return `invalid value: integer \`${fault.value}\`, expected i64`;
    case 'repeated-member':
      return `duplicate field \`${fault.member}\``;
    case 'missing-member':
      return `missing field \`${fault.member}\``;
    case 'short-list': {
      const elements = `${fault.members} element${fault.members === 1 ? '' : 's'}`;
      return `invalid length ${fault.length}, expected struct ${structName(fault.object)} with ${elements}`;
    }
    default:
      return SYNTAX[fault.kind];
  }
}

/** Returns the upstream type name of an object. */
function structName({ shape, holder, minor }: ObjectName): string {
  if (minor === undefined) return `Minimal${shape}`;
  switch (shape) {
    case 'ConfigReferences':
      return 'IgnitionConfig';
    case 'MergeReference':
    case 'ReplaceReference':
      return minor === 0 ? 'ConfigReference' : 'Resource';
    case 'CertificateAuthority':
      return minor === 0 ? 'CaReference' : 'Resource';
    case 'Resource':
      return minor === 0 ? 'FileContents' : 'Resource';
    case 'HttpHeader':
      return 'HttpHeadersItem';
    case 'ProxySettings':
      return 'Proxy';
    case 'Tls':
      return 'SecurityTls';
    case 'Owner':
      return holder === 'user' ? 'NodeUser' : 'NodeGroup';
    case 'Clevis':
      return minor === 2 ? 'LuksClevis' : 'Clevis';
    case 'CustomPin':
      return minor === 2 ? 'LuksClevisCustom' : 'ClevisCustom';
    default:
      return shape;
  }
}

const U64_MAX = 2n ** 64n - 1n;

/** Returns the message of the semver crate about an invalid version. */
export function semverMessage(text: string): string {
  if (text === '') return 'empty string, expected a semver version';
  let rest = text;
  let part = '';
  for (const number of ['major', 'minor', 'patch']) {
    part = `${number} version number`;
    const digits = /^[0-9]*/.exec(rest)?.[0] ?? '';
    if (rest === '') return `unexpected end of input while parsing ${part}`;
    if (digits === '') return `unexpected character ${firstCharacter(rest)} while parsing ${part}`;
    if (digits.length > 1 && digits.startsWith('0')) return `invalid leading zero in ${part}`;
    if (digits.length > 20 || BigInt(digits) > U64_MAX) return `value of ${part} exceeds u64::MAX`;
    rest = rest.slice(digits.length);
    if (number === 'patch') break;
    if (rest === '') return `unexpected end of input while parsing ${part}`;
    if (!rest.startsWith('.')) return `unexpected character ${firstCharacter(rest)} after ${part}`;
    rest = rest.slice(1);
  }
  for (const [sign, suffix] of [
    ['-', 'pre-release identifier'],
    ['+', 'build metadata'],
  ] as const) {
    if (!rest.startsWith(sign)) continue;
    part = suffix;
    const identifier = /^[0-9A-Za-z.-]*/.exec(rest.slice(1))?.[0] ?? '';
    for (const segment of identifier.split('.')) {
      if (segment === '') return `empty identifier segment in ${part}`;
      if (sign === '-' && /^0[0-9]+$/.test(segment)) return `invalid leading zero in ${part}`;
    }
    rest = rest.slice(1 + identifier.length);
  }
  return `unexpected character ${firstCharacter(rest)} after ${part}`;
}

function firstCharacter(text: string): string {
  const [character = ''] = text;
  return debugCharacter(character);
}
