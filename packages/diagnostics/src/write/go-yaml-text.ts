// Values as sigs.k8s.io/yaml writes them (go-yaml v2 over libyaml's emitter): block style, two spaces, lists level with their key,
// keys in natural order, lines folded at blanks after column 80. One state machine: whether a scalar may fold depends on the column.
import { formatFloat, utf8Length } from '@coreiso/peers/go';
import type { Plain } from '../lookup.ts';
import { isTimestamp, resolvePlain } from '../resolve/go-yaml.ts';

/** Blanks after this column become line ends. */
const WIDTH = 80;
/** Longer keys, counted in bytes, are written as `? key`. */
const LONGEST_SIMPLE_KEY = 128;

/**
 * The text that `yaml.JSONToYAML` of sigs.k8s.io/yaml writes for a JSON value.
 *
 * @example writeGoYaml({ b: [1n], a: 'yes' }) // 'a: "yes"\nb:\n- 1\n'
 */
export function writeGoYaml(value: Plain): string {
  const writer = new Writer();
  writer.node(value, -1, false);
  return `${writer.text()}\n`;
}

class Writer {
  readonly #parts: string[] = [];
  #column = 0;

  text(): string {
    return this.#parts.join('');
  }

  /** `indent` is that of the collection around the value, −1 at the root. */
  node(value: Plain, indent: number, isMappingValue: boolean): void {
    if (!isBlock(value)) this.#scalar(value, indent, false);
    else if (Array.isArray(value)) this.#sequence(value, indent, isMappingValue);
    else if (isMapping(value)) this.#mapping(value, indent, isMappingValue);
  }

  #sequence(items: readonly Plain[], parent: number, isMappingValue: boolean): void {
    const indent = parent < 0 ? 0 : isMappingValue ? parent : parent + 2;
    for (const [position, item] of items.entries()) {
      if (position > 0 || isMappingValue) this.#newLine(indent);
      // A nested block begins on the line of its dash.
      this.#put('- ');
      this.node(item, indent, false);
    }
  }

  #mapping(members: { readonly [name: string]: Plain }, parent: number, isMappingValue: boolean): void {
    const indent = parent < 0 ? 0 : parent + 2;
    const names = Object.keys(members).sort(compareKeys);
    for (const [position, name] of names.entries()) {
      if (position > 0 || isMappingValue) this.#newLine(indent);
      const value = members[name] ?? null;
      const isSimple = !BREAK.test(name) && utf8Length(name) <= LONGEST_SIMPLE_KEY;
      if (isSimple) {
        this.#scalar(name, indent, true);
      } else {
        this.#put('? ');
        this.#scalar(name, indent, false);
        this.#newLine(indent);
      }
      this.#put(isSimple && isBlock(value) ? ':' : ': ');
      this.node(value, indent, isSimple);
    }
  }

  #scalar(value: Plain, parent: number, isKey: boolean): void {
    if (typeof value !== 'string') {
      this.#put(plainText(value));
      return;
    }
    const indent = parent < 0 ? 2 : parent + 2;
    switch (goStyle(value)) {
      case 'plain':
        this.#folded(value, indent, isKey, (character) => character);
        break;
      case 'single':
        this.#put("'");
        this.#folded(value, indent, isKey, (character) => (character === "'" ? "''" : character), { inner: true });
        this.#put("'");
        break;
      case 'double':
        this.#doubleQuoted(value, indent, isKey);
        break;
      case 'literal':
        this.#literal(value, indent);
        break;
    }
  }

  /** Plain and single-quoted text: a lone blank after the last column becomes a line end. */
  #folded(
    value: string,
    indent: number,
    isKey: boolean,
    write: (character: string) => string,
    { inner = false }: { inner?: boolean } = {},
  ): void {
    let isAfterBlank = false;
    const last = value.length - 1;
    for (let at = 0; at <= last; at++) {
      const character = value.charAt(at);
      if (character !== ' ') {
        this.#put(write(character));
        isAfterBlank = false;
        continue;
      }
      const mayFold = !isKey && !isAfterBlank && this.#column > WIDTH && value[at + 1] !== ' ';
      if (mayFold && (!inner || (at > 0 && at < last))) this.#newLine(indent);
      else this.#put(' ');
      isAfterBlank = true;
    }
  }

  #doubleQuoted(value: string, indent: number, isKey: boolean): void {
    this.#put('"');
    let isAfterBlank = false;
    let at = 0;
    for (const character of value) {
      const isInside = at > 0 && at < value.length - 1;
      if (character === ' ' && !isKey && !isAfterBlank && this.#column > WIDTH && isInside) {
        this.#newLine(indent);
        if (value[at + 1] === ' ') this.#put('\\');
      } else {
        this.#put(escaped(character));
      }
      isAfterBlank = character === ' ';
      at += character.length;
    }
    this.#put('"');
  }

  #literal(value: string, indent: number): void {
    const hint = /^[ \n]/.test(value) ? '2' : '';
    const chomp = !value.endsWith('\n') ? '-' : value === '\n' || value.endsWith('\n\n') ? '+' : '';
    const lines = (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');
    const body = lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n');
    this.#put(`|${hint}${chomp}\n${body}`);
  }

  #newLine(indent: number): void {
    this.#parts.push(`\n${' '.repeat(indent)}`);
    this.#column = indent;
  }

  #put(text: string): void {
    this.#parts.push(text);
    this.#column += [...text].length;
  }
}

function isMapping(value: Plain): value is { readonly [name: string]: Plain } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlock(value: Plain): boolean {
  return Array.isArray(value) ? value.length > 0 : isMapping(value) && Object.keys(value).length > 0;
}

/** The text of a value that is not a string and takes one line. */
export function plainText(value: Exclude<Plain, string>): string {
  if (typeof value === 'number') return floatText(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return Array.isArray(value) ? '[]' : '{}';
}

/** A float passes through JSON first: a fraction of zero is dropped, and the number becomes an integer. */
function floatText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) {
    const integer = BigInt(value);
    if (integer >= -(1n << 63n) && integer < 1n << 64n) return integer.toString();
  }
  // As go-yaml writes them; `+Inf` would be a string.
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  return formatFloat(value, 64);
}

type Style = 'plain' | 'single' | 'double' | 'literal';

interface Traits {
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly blockAllowed: boolean;
}

const BREAK = /[\r\n\x85\u2028\u2029]/;
const UNPRINTABLE = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** libyaml's analysis of what a scalar may look like outside flow collections. */
function analyse(value: string): Traits {
  if (value === '') return { plainAllowed: true, singleAllowed: true, blockAllowed: false };
  const isSpecial = UNPRINTABLE.test(value) || / [\r\n\x85\u2028\u2029]/.test(value);
  const hasBreak = BREAK.test(value);
  const hasOuterBlank = /^ | $/.test(value);
  return {
    plainAllowed: !isSpecial && !hasBreak && !hasOuterBlank && !hasIndicators(value),
    singleAllowed: !isSpecial && !/[\r\n\x85\u2028\u2029] /.test(value),
    blockAllowed: !isSpecial && !value.endsWith(' '),
  };
}

function hasIndicators(value: string): boolean {
  return (
    /^(?:---|\.\.\.)/.test(value) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(value) ||
    /^[?:-](?:[ \t]|$)/.test(value) ||
    /:(?:[ \t]|$)/.test(value) ||
    /[ \t]#/.test(value)
  );
}

/** The style of a string; a key with line ends has one, too, because it does not share its line. */
export function goStyle(value: string): Style {
  // Line ends of YAML 1.1, which are ordinary characters in 1.2.
  if (/[\x85\u2028\u2029]/.test(value)) return 'double';
  const { plainAllowed, singleAllowed, blockAllowed } = analyse(value);
  if (value.includes('\n')) return blockAllowed ? 'literal' : 'double';
  if (!resolvesToText(value)) return 'double';
  if (plainAllowed) return 'plain';
  return singleAllowed ? 'single' : 'double';
}

/** YAML 1.1 base 60: go-yaml does not read it, but quotes it for other readers. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

function resolvesToText(value: string): boolean {
  return typeof resolvePlain(value) === 'string' && !isTimestamp(value) && !BASE_60.test(value);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escaped(character: string): string {
  const named = ESCAPES[character];
  if (named !== undefined) return named;
  if (!UNPRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

// The engine loads its Unicode tables as soon as it meets such an expression; ASCII keys never need it.
const isLetter = (text: string): boolean => (text < '\x80' ? /^[A-Za-z]$/.test(text) : /^\p{L}$/u.test(text));
const isDigit = (text: string): boolean => (text < '\x80' ? /^[0-9]$/.test(text) : /^\p{Nd}$/u.test(text));

/** go-yaml's order of keys: runs of digits count as numbers, and come before letters. */
export function compareKeys(left: string, right: string): number {
  if (left === right) return 0;
  const a = [...left];
  const b = [...right];
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const [x = '', y = ''] = [a[at], b[at]];
    if (x === y) continue;
    const [isLetterX, isLetterY] = [isLetter(x), isLetter(y)];
    if (isLetterX !== isLetterY) return isLetterX ? 1 : -1;
    return (isLetterX ? 0 : compareRuns(a, b, at)) || codePoint(x) - codePoint(y);
  }
  return a.length - b.length;
}

function compareRuns(a: readonly string[], b: readonly string[], at: number): number {
  // A zero that continues a number is one of its digits, not the start of another number.
  const lead = (a[at] === '0' || b[at] === '0') && continuesNumber(a, at) ? '1' : '';
  const [x, y] = [digitsFrom(a, at), digitsFrom(b, at)];
  const [m, n] = [BigInt.asIntN(64, BigInt(`${lead}${x}` || '0')), BigInt.asIntN(64, BigInt(`${lead}${y}` || '0'))];
  if (m !== n) return m < n ? -1 : 1;
  return x.length - y.length;
}

function continuesNumber(characters: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && isDigit(characters[before] ?? ''); before--) {
    if (characters[before] !== '0') return true;
  }
  return false;
}

function digitsFrom(characters: readonly string[], at: number): string {
  let end = at;
  while (isDigit(characters[end] ?? '')) end++;
  return characters.slice(at, end).join('').replace(/\D/g, '9');
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
