// Readers of single values: booleans, numbers, addresses, words.
import { closest, type MappingNode, type Node } from '@coreiso/diagnostics';
import { canonicalAddress, canonicalIpv6 } from '@coreiso/peers/ip';
import { expectedOneOf, plainName } from './serde-words.ts';
import type { AddressType, BooleanType, ChoiceType, IntegerType, OpenChoiceType, ValueReader } from './table.ts';

const BOOLEAN_WORDS = 'Need to be boolean: 1|0|true|false|yes|no|on|off|y|n';
const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on', 'y']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off', 'n']);

export function readBoolean({ lenient }: BooleanType, node: Node, reader: ValueReader): boolean | undefined {
  const value = reader.scalar(node);
  if (typeof value === 'boolean') return value;
  if (!lenient) return reader.wrongType(node, 'true or false', 'a boolean', 'Write `true` or `false`, without quotes.');
  const isWord = typeof value === 'string' || (typeof value === 'bigint' && value >= 0n);
  return isWord ? readBooleanWord(String(value), node, reader) : reader.wrongType(node, 'true or false', BOOLEAN_WORDS);
}

/** Reads one of the words for true and false in lenient booleans. */
export function readBooleanWord(word: string, node: Node, reader: ValueReader): boolean | undefined {
  const lower = word.toLowerCase();
  if (TRUE_WORDS.has(lower)) return true;
  if (FALSE_WORDS.has(lower)) return false;
  return reader.refuse(node, 'wrong-value', `expected true or false, found \`${word}\``, BOOLEAN_WORDS);
}

export const U64_MAX: bigint = 0xffff_ffff_ffff_ffffn;
export const I64_MIN: bigint = -(1n << 63n);

/** Reads an integer as a number, or as a bigint if a number would not be exact. */
export function readInteger(type: IntegerType, node: Node, reader: ValueReader): number | bigint | undefined {
  const value = reader.scalar(node);
  if (!type.lenient) return readStrict(type, value, node, reader);
  if (typeof value === 'string') return readDigits(type, value, node, reader);
  const wanted = `${type.signed ? 'signed' : 'unsigned'} integer or string`;
  if (typeof value !== 'bigint' || (value < 0n && !type.signed))
    return reader.wrongType(node, 'a whole number', wanted);
  if (value > U64_MAX || value < I64_MIN) {
    const width = value < 0n ? 'i128' : 'u128';
    return outOfRange(type, value, node, reader, `invalid type: integer \`${value}\` as ${width}, expected ${wanted}`);
  }
  return checkRange(type, value, node, reader, 'out of range integral type conversion attempted');
}

function readStrict(type: IntegerType, value: unknown, node: Node, reader: ValueReader): number | bigint | undefined {
  const upstreamType = `${type.signed ? 'i' : 'u'}${type.bits}`;
  if (typeof value !== 'bigint') {
    return reader.wrongType(node, 'a whole number', upstreamType, 'Write the number without quotes.');
  }
  return checkRange(type, value, node, reader, `invalid value: integer \`${value}\`, expected ${upstreamType}`);
}

/** Reads digits in quotes. `0x` means hexadecimal, but not for signed numbers. */
function readDigits(type: IntegerType, written: string, node: Node, reader: ValueReader): number | bigint | undefined {
  const isHexadecimal = !type.signed && written.startsWith('0x');
  const digits = isHexadecimal ? written.slice(2) : written;
  const pattern = isHexadecimal ? /^\+?[0-9a-fA-F]+$/ : type.signed ? /^[+-]?[0-9]+$/ : /^\+?[0-9]+$/;
  if (!pattern.test(digits)) {
    const upstream = digits === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string';
    return reader.refuse(node, 'wrong-value', `\`${written}\` is not a whole number`, upstream);
  }
  const isNegative = digits.startsWith('-');
  const magnitude = BigInt((isHexadecimal ? '0x' : '') + digits.replace(/^[+-]/, ''));
  const value = isNegative ? -magnitude : magnitude;
  const { lowest, highest } = limitsOf({ bits: 64, signed: type.signed });
  if (value > highest || value < lowest) {
    const upstream = `number too ${isNegative ? 'small' : 'large'} to fit in target type`;
    return outOfRange(type, value, node, reader, upstream);
  }
  return checkRange(type, value, node, reader, 'out of range integral type conversion attempted');
}

function checkRange(
  type: IntegerType,
  value: bigint,
  node: Node,
  reader: ValueReader,
  upstream: string,
): number | bigint | undefined {
  const { lowest, highest } = limitsOf(type);
  if (value < lowest || value > highest) return outOfRange(type, value, node, reader, upstream);
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

function outOfRange(type: IntegerType, value: bigint, node: Node, reader: ValueReader, upstream: string): undefined {
  const { lowest, highest } = limitsOf(type);
  return reader.refuse(node, 'out-of-range', `${value} is out of range (${lowest}–${highest})`, upstream);
}

function limitsOf({ bits, signed }: Pick<IntegerType, 'bits' | 'signed'>): { lowest: bigint; highest: bigint } {
  const half = 1n << BigInt(bits - 1);
  return signed ? { lowest: -half, highest: half - 1n } : { lowest: 0n, highest: 2n * half - 1n };
}

/** Reads an address into its canonical text. */
export function readAddress({ version }: AddressType, node: Node, reader: ValueReader): string | undefined {
  const kind = version === 6 ? 'IPv6' : 'IP';
  const written = reader.scalar(node);
  if (typeof written !== 'string') return reader.wrongType(node, `an ${kind} address`, `${kind} address`);
  const canonical = version === 6 ? canonicalIpv6(written) : canonicalAddress(written);
  if (canonical !== undefined) return canonical;
  const message = `\`${written}\` is not an ${kind} address`;
  const help = written.includes('/') ? 'Write the address alone; the prefix length has a key of its own.' : undefined;
  return reader.refuse(node, 'wrong-address', message, `invalid ${kind} address syntax`, help);
}

const TEXT_TAG = 'tag:yaml.org,2002:str';

/** The value of a word or, if the type allows it, of a number. */
export function readChoice(type: ChoiceType, node: Node, reader: ValueReader): string | undefined {
  const isNumbered = type.numbered !== undefined;
  if (node.kind === 'mapping' && reader.regime === 'json' && !isNumbered) return readChoiceMap(type, node, reader);
  const written = writtenWord(node, isNumbered, reader);
  if (written === undefined) {
    const upstream = isNumbered ? 'unsigned integer or string' : 'string or map';
    return reader.wrongType(node, `one of ${type.values.join(', ')}`, upstream);
  }
  const chosen = valueOfWord(type, written);
  if (chosen !== undefined) return chosen;
  const near = closest(written, [...type.values, ...Object.keys(type.spellings ?? {})]);
  return reader.refuse(
    node,
    'unknown-value',
    `\`${written}\` is not one of ${type.values.join(', ')}`,
    `unknown variant \`${written}\`, ${expectedOneOf(spellingsOf(type))}`,
    near === undefined ? undefined : `Did you mean \`${near}\`?`,
  );
}

function writtenWord(node: Node, isNumbered: boolean, reader: ValueReader): string | undefined {
  const value = reader.scalar(node);
  if (typeof value === 'string') return value;
  if (isNumbered && typeof value === 'bigint' && value >= 0n) return String(value);
  return reader.regime === 'yaml' && node.kind === 'scalar' ? node.text : undefined;
}

/** nmstate's parser also accepts `{word: null}` as a word. */
function readChoiceMap(type: ChoiceType, node: MappingNode, reader: ValueReader): string | undefined {
  const [entry, ...more] = node.entries;
  if (entry === undefined || more.length > 0) {
    const upstream = 'invalid value: map, expected map with a single key';
    return reader.refuse(node, 'wrong-type', `expected one of ${type.values.join(', ')}, found a map`, upstream);
  }
  const chosen = readChoice(type, { ...entry.key, tag: TEXT_TAG }, reader);
  if (chosen !== undefined && !reader.isNull(entry.value)) return reader.wrongType(entry.value, 'nothing', 'unit');
  return chosen;
}

function valueOfWord({ values, spellings = {}, numbered = 0 }: ChoiceType, written: string): string | undefined {
  if (values.includes(written)) return written;
  if (Object.hasOwn(spellings, written)) return spellings[written];
  const position = /^(?:0|[1-9][0-9]*)$/.test(written) ? Number(written) : numbered;
  return position < numbered ? values[position] : undefined;
}

/** The spellings of every value, grouped by value. */
function spellingsOf({ values, spellings = {}, numbered = 0 }: ChoiceType): string[][] {
  return values.map((value, position) => [
    ...(position < numbered ? [String(position)] : []),
    value,
    ...Object.keys(spellings).filter((spelling) => spellings[spelling] === value),
  ]);
}

/** Reads any text; words with a special meaning may be in upper case. */
export function readOpenChoice({ values, rust }: OpenChoiceType, node: Node, reader: ValueReader): string | undefined {
  const value = reader.scalar(node);
  if (typeof value !== 'string') {
    const upstream = `data did not match any variant of untagged enum ${rust}`;
    return reader.refuse(node, 'wrong-type', `expected text, found ${plainName(node, value)}`, upstream);
  }
  const lower = value.toLowerCase();
  // `Ll` is neither `ll` nor `LL`, so it is ordinary text.
  return values.includes(lower) && (value === lower || value === value.toUpperCase()) ? lower : value;
}
