import { checkArgument } from '@coreiso/peers/arguments';
import { decodeBase64, goText } from '@coreiso/peers/go';
import { decodeLossless } from '@coreiso/peers/utf8';
import type { Resolver, ScalarNode, ScalarValue } from '../node.ts';
import { readDigits } from './digits.ts';
import { TAG } from './tags.ts';

/**
 * Reads scalars as OpenShift's Go programs do (sigs.k8s.io/yaml over go-yaml v2): YAML 1.1 words, octal and underscored
 * integers, but no base 60, and times stay text. A scalar that does not fit its tag (`!!int x`) is its text here;
 * `readAsGo` refuses it.
 *
 * @example toPlain(root, goYaml) // `n` is false, `0644` is 420n
 */
export const goYaml: Resolver & { readonly key: (key: ScalarNode) => string | undefined } =
  /* @__PURE__ */ Object.assign(readScalar, { key: readKey });

function readScalar(node: ScalarNode): ScalarValue {
  checkArgument('node', node, 'object');
  const value = decodeGoScalar(node);
  return value === undefined ? node.text : value;
}

/** Null and integers beyond 63 bits cannot be member names. */
function readKey(node: ScalarNode): string | undefined {
  const value = readScalar(node);
  if (typeof value === 'bigint' && value >= 1n << 63n) return undefined;
  if (typeof value === 'number' && !Number.isFinite(Math.fround(value))) return specialKey(value);
  return goText(value);
}

function specialKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  return value > 0 ? '.inf' : '-.inf';
}

/** The value, or undefined if go-yaml reports that it cannot decode the text as its tag requires. */
export function decodeGoScalar({ text, style, tag }: ScalarNode): ScalarValue | undefined {
  switch (tag) {
    case undefined:
      return style === 'plain' ? resolvePlain(text) : text;
    case TAG.null:
      return onlyIf(resolvePlain(text), (value) => value === null);
    case TAG.bool:
      return onlyIf(resolvePlain(text), (value) => typeof value === 'boolean');
    case TAG.int:
      return onlyIf(resolvePlain(text), (value) => typeof value === 'bigint');
    case TAG.float:
      return resolveFloat(text);
    case TAG.timestamp:
      return isTimestamp(text) ? text : undefined;
    case TAG.binary:
      return readBinary(text);
    default:
      return text;
  }
}

function onlyIf(value: ScalarValue, fits: (value: ScalarValue) => boolean): ScalarValue | undefined {
  return fits(value) ? value : undefined;
}

const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...words(true, 'y Y yes Yes YES true True TRUE on On ON'),
  ...words(false, 'n N no No NO false False FALSE off Off OFF'),
  ...words(null, '~ null Null NULL'),
  ['', null],
  ...words(Number.NaN, '.nan .NaN .NAN'),
  ...words(Number.POSITIVE_INFINITY, '.inf .Inf .INF +.inf +.Inf +.INF'),
  ...words(Number.NEGATIVE_INFINITY, '-.inf -.Inf -.INF'),
]);

const LONGEST_WORD = 5;

function words(value: ScalarValue, list: string): [string, ScalarValue][] {
  return list.split(' ').map((word) => [word, value]);
}

/** The value of a plain scalar without a tag. */
export function resolvePlain(text: string): ScalarValue {
  const word = text.length > LONGEST_WORD ? undefined : WORDS.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('.')) return readFloat(text.replace(/(?<=\d)_(?=\d)/g, '')) ?? text;
  if (!beginsNumber(text.charCodeAt(0))) return text;
  // After `0b` go-yaml also accepts a sign.
  const digits = text.replaceAll('_', '').replace(/^0b([-+])/, '$10b');
  return readInt(digits) ?? readFloat(digits) ?? text;
}

/** A digit or a sign. */
function beginsNumber(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d;
}

/** An integer becomes a float only if it fits a signed 64-bit one. */
function resolveFloat(text: string): number | undefined {
  const value = resolvePlain(text);
  if (typeof value === 'bigint') return value <= INT64_MAX ? Number(value) : undefined;
  return typeof value === 'number' ? value : undefined;
}

const INT64_MAX = (1n << 63n) - 1n;
const INT64_MIN = -(1n << 63n);
const UINT64_MAX = (1n << 64n) - 1n;

const INTEGER = /^[-+]?(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;

/** Only unsigned integers may use the upper half of the 64 bits; larger ones are not integers. */
function readInt(digits: string): bigint | undefined {
  const magnitude = readMagnitude(digits);
  if (magnitude === undefined) return undefined;
  const value = digits.startsWith('-') ? -magnitude : magnitude;
  const highest = /^[-+]/.test(digits) ? INT64_MAX : UINT64_MAX;
  return value >= INT64_MIN && value <= highest ? value : undefined;
}

function readMagnitude(digits: string): bigint | undefined {
  const [, hex, binary, octal, decimal] = INTEGER.exec(digits) ?? [];
  if (hex !== undefined) return readDigits('0x', hex, 64);
  if (binary !== undefined) return readDigits('0b', binary, 64);
  if (octal !== undefined) return readDigits('0o', octal, 64);
  return decimal === undefined ? undefined : readDigits('', decimal, 64);
}

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function readFloat(text: string): number | undefined {
  if (!FLOAT.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/** go-yaml reads such a text as a time if the target accepts any value. */
export function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, ...clock] = match.slice(1).map((part) => Number(part ?? 0));
  const [hour = 0, minute = 0, second = 0] = [0, 1, 2].map((unit) => (clock[unit] ?? 0) + (clock[unit + 3] ?? 0));
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour < 24 && minute < 60 && second < 60;
}

/** Decodes the bytes as UTF-8. */
function readBinary(text: string): string | undefined {
  const reading = decodeBase64(text);
  return reading.ok ? decodeLossless(reading.bytes).replace(/[\ud800-\udfff]/gu, '\ufffd') : undefined;
}
