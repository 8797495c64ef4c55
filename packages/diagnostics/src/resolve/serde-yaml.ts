import { checkArgument } from '@coreiso/peers/arguments';
import type { ScalarNode, ScalarValue } from '../node.ts';
import { readDigits } from './digits.ts';
import { TAG } from './tags.ts';

/**
 * Reads scalars as serde_yaml 0.9 and nmstate do: YAML 1.2 with its own rules for integers. A scalar that does not fit
 * its tag (`!!int x`) is its text here; serde_yaml refuses it.
 *
 * @example toPlain(root, serdeYaml) // `n` is 'n', `0644` is '0644'
 */
export function serdeYaml(node: ScalarNode): ScalarValue {
  checkArgument('node', node, 'object');
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

const PREFIXED = /^[+-]?(?:0x([0-9a-fA-F]+)|0o([0-7]+)|0b([01]+))$/;
const DECIMAL = /^[+-]?([0-9]+)$/;

/** Integers have up to 128 bits, unsigned or signed; larger ones are not integers. */
function readInt(text: string): bigint | undefined {
  const magnitude = readMagnitude(text);
  if (magnitude === undefined) return undefined;
  if (text.startsWith('-')) return magnitude <= 1n << 127n ? -magnitude : undefined;
  return magnitude < 1n << 128n ? magnitude : undefined;
}

function readMagnitude(text: string): bigint | undefined {
  const [, hex, octal, binary] = PREFIXED.exec(text) ?? [];
  if (hex !== undefined) return readDigits('0x', hex, 128);
  if (octal !== undefined) return readDigits('0o', octal, 128);
  if (binary !== undefined) return readDigits('0b', binary, 128);
  const decimal = hasLeadingZero(text) ? undefined : DECIMAL.exec(text)?.[1];
  return decimal === undefined ? undefined : readDigits('', decimal, 128);
}

/** Digits with a leading zero are text, not a number. */
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
