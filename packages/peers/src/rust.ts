// Formats values as Rust's messages do, and splits paths as Rust does.
export { compareBytes, sortByBytes, trimSpace } from './go/bytes.ts';

/**
 * Quotes a text as Rust's `{:?}` does, in double quotes.
 *
 * @example debugText('a"\n') // '"a\\"\\n"'
 */
export function debugText(text: string): string {
  return `"${text.replace(toEscape(), (character) => (character === "'" ? character : escaped(character)))}"`;
}

/**
 * Quotes a character as Rust's `{:?}` does, in single quotes.
 *
 * @example debugCharacter("'") // "'\\''"
 */
export function debugCharacter(character: string): string {
  return `'${character.replace(toEscape(), (one) => (one === '"' ? one : escaped(one)))}'`;
}

/**
 * Matches quotes, backslashes and every character that is not visible on its own, except the plain space. It is a function
 * because the engine loads Unicode's tables with such an expression, and few texts are quoted.
 */
const toEscape = (): RegExp => /["'\\]|(?! )[\p{C}\p{Z}\p{Grapheme_Extend}]/gu;

const NAMED: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

function escaped(character: string): string {
  return NAMED[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/**
 * Formats an optional field as `Some(…)` or `None`.
 *
 * @example debugOption('eth0') // 'Some("eth0")'
 */
export function debugOption(value: string | number | bigint | boolean | undefined): string {
  if (value === undefined) return 'None';
  return `Some(${typeof value === 'string' ? debugText(value) : value})`;
}

/**
 * Formats a list of texts.
 *
 * @example debugList(['a', 'b']) // '["a", "b"]'
 */
export function debugList(texts: readonly string[]): string {
  return `[${texts.map(debugText).join(', ')}]`;
}

/**
 * Formats a 64-bit float as serde_json does: with a fraction from 1e-5 up to 1e16, else with an exponent.
 *
 * @example jsonFloat(1e16) // '1e+16'
 */
export function jsonFloat(value: number): string {
  const { sign, digits, power } = parts(value);
  if (digits === '' || (power >= -5 && power < 16)) return displayFloat(value);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits.slice(0, 1)}${fraction}e${power < 0 ? '' : '+'}${power}`;
}

/**
 * Formats a 64-bit float as serde does in `floating point …`: all digits, no exponent, at least one digit after the point.
 *
 * @example displayFloat(1e16) // '10000000000000000.0'
 */
export function displayFloat(value: number): string {
  const { sign, digits, power } = parts(value);
  if (digits === '') return Number.isNaN(value) ? 'NaN' : value === 0 ? `${sign}0.0` : `${sign}inf`;
  const whole = power < 0 ? '0' : digits.slice(0, power + 1).padEnd(power + 1, '0');
  const fraction = power < 0 ? '0'.repeat(-power - 1) + digits : digits.slice(power + 1);
  return `${sign}${whole}.${fraction || '0'}`;
}

/** The fewest digits that identify a float; the point is after the first one. Zero and values that are not finite have none. */
function parts(value: number): { sign: string; digits: string; power: number } {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0 || !Number.isFinite(value)) return { sign, digits: '', power: 0 };
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  return { sign, digits: mantissa.replace('.', ''), power: Number(exponent) };
}

/**
 * The last name of a path as `Path::file_name` gives it: it ignores empty parts and `.`, and `..` is not a name.
 *
 * @example fileName('/etc/motd/.') // 'motd'
 */
export function fileName(path: string): string | undefined {
  const name = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .at(-1);
  return name === '..' ? undefined : name;
}
