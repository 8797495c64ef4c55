import type { Node } from '@coreiso/diagnostics';
import type { Reader } from './reader.ts';
import type { IntegerType } from './table.ts';

export const U64_MAX: bigint = 0xffff_ffff_ffff_ffffn;
export const I64_MIN: bigint = -(1n << 63n);

/** A number as far as it is exact, bigint beyond. */
export function readInteger(type: IntegerType, node: Node, reader: Reader): number | bigint | undefined {
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
  return fit(type, value, node, reader, 'out of range integral type conversion attempted');
}

function readStrict(type: IntegerType, value: unknown, node: Node, reader: Reader): number | bigint | undefined {
  const upstreamType = `${type.signed ? 'i' : 'u'}${type.bits}`;
  if (typeof value !== 'bigint') {
    return reader.wrongType(node, 'a whole number', upstreamType, 'Write the number without quotes.');
  }
  return fit(type, value, node, reader, `invalid value: integer \`${value}\`, expected ${upstreamType}`);
}

/** Digits in quotes. `0x` marks hexadecimal, but not in signed numbers. */
function readDigits(type: IntegerType, written: string, node: Node, reader: Reader): number | bigint | undefined {
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
  return fit(type, value, node, reader, 'out of range integral type conversion attempted');
}

function fit(
  type: IntegerType,
  value: bigint,
  node: Node,
  reader: Reader,
  upstream: string,
): number | bigint | undefined {
  const { lowest, highest } = limitsOf(type);
  if (value < lowest || value > highest) return outOfRange(type, value, node, reader, upstream);
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

function outOfRange(type: IntegerType, value: bigint, node: Node, reader: Reader, upstream: string): undefined {
  const { lowest, highest } = limitsOf(type);
  return reader.refuse(node, 'out-of-range', `${value} is out of range: ${lowest} to ${highest} is possible`, upstream);
}

function limitsOf({ bits, signed }: Pick<IntegerType, 'bits' | 'signed'>): { lowest: bigint; highest: bigint } {
  const half = 1n << BigInt(bits - 1);
  return signed ? { lowest: -half, highest: half - 1n } : { lowest: 0n, highest: 2n * half - 1n };
}
