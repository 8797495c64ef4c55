import type { ScalarNode, ScalarValue } from '../node.ts';
import { TAG } from './tags.ts';

/**
 * What serde_yaml 0.9, and with it nmstate, reads: YAML 1.2 with its own idea of integers. A scalar that its tag does not fit
 * (`!!int x`), which serde_yaml refuses, is its text here.
 */
export function serdeYaml(node: ScalarNode): ScalarValue {
  const { text, tag } = node;
  switch (tag) {
    case TAG.null:
      return isNull(text) ? null : text;
    case TAG.bool:
      return readBool(text) ?? text;
    case TAG.int:
      return readInt(text) ?? text;
    case TAG.float:
      return readFloat(text) ?? text;
    default:
      return node.style === 'plain' && (tag === undefined || tag.startsWith('!')) ? readPlain(text) : text;
  }
}

function readPlain(text: string): ScalarValue {
  if (text === '' || isNull(text)) return null;
  const known = readBool(text) ?? readInt(text);
  if (known !== undefined) return known;
  return (hasLeadingZero(text) ? undefined : readFloat(text)) ?? text;
}

function isNull(text: string): boolean {
  return text === '~' || text === 'null' || text === 'Null' || text === 'NULL';
}

function readBool(text: string): boolean | undefined {
  if (text === 'true' || text === 'True' || text === 'TRUE') return true;
  if (text === 'false' || text === 'False' || text === 'FALSE') return false;
  return undefined;
}

const PREFIXED = /^([+-]?)(0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+)$/;
const DECIMAL = /^[+-]?[0-9]+$/;
/** More digits than any 128-bit number has in any base, leading zeros aside. */
const LONGEST = 200;

/** Integers are unsigned or signed up to 128 bits; what is larger is no integer. */
function readInt(text: string): bigint | undefined {
  const prefixed = PREFIXED.exec(text);
  const magnitude =
    prefixed?.[2] ?? (DECIMAL.test(text) && !hasLeadingZero(text) ? text.replace(/^[+-]/, '') : undefined);
  if (magnitude === undefined) return undefined;
  const value = toBigInt(magnitude);
  if (value === undefined) return undefined;
  if (!text.startsWith('-')) return value < 1n << 128n ? value : undefined;
  return value <= 1n << 127n ? -value : undefined;
}

/** Leading zeros are dropped first, so that the conversion never sees a long text. */
function toBigInt(magnitude: string): bigint | undefined {
  const trimmed = magnitude.replace(/^(0[xob])?0+(?=.)/, '$1');
  return trimmed.length > LONGEST ? undefined : BigInt(trimmed);
}

/** All digits, the first of several a zero: text, not a number. */
function hasLeadingZero(text: string): boolean {
  return /^[+-]?0[0-9]+$/.test(text);
}

const FLOAT = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

function readFloat(text: string): number | undefined {
  switch (text) {
    case '.inf':
    case '.Inf':
    case '.INF':
    case '+.inf':
    case '+.Inf':
    case '+.INF':
      return Number.POSITIVE_INFINITY;
    case '-.inf':
    case '-.Inf':
    case '-.INF':
      return Number.NEGATIVE_INFINITY;
    case '.nan':
    case '.NaN':
    case '.NAN':
      return Number.NaN;
  }
  if (!FLOAT.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
