import { checkArgument } from '@coreiso/peers/arguments';
import { serdeYaml } from '../resolve/serde-yaml.ts';

/**
 * A string as serde_yaml writes it: plain if it stays a string, else quoted, or a literal block, indented by `indent`,
 * if it has several lines.
 *
 * @example serdeYamlString('true') // "'true'"
 */
export function serdeYamlString(text: string, indent: number = 2): string {
  checkArgument('text', text, 'text');
  const hasLines = text.includes('\n');
  if (needsEscapes(text) || (!hasLines && OTHER_BREAKS.test(text))) return doubleQuoted(text);
  if (hasLines) return / $/.test(text) ? doubleQuoted(text) : literal(text, ' '.repeat(indent));
  return readsAsOther(text) || !allowsPlain(text) ? `'${text.replaceAll("'", "''")}'` : text;
}

/** Line and paragraph separators: libyaml treats them as line ends, and leaves them unchanged in a literal block. */
const OTHER_BREAKS = /[\u2028\u2029]/;

/** YAML 1.2 5.1: characters that must be escaped; also line ends that only a literal block would keep. */
function needsEscapes(text: string): boolean {
  return /[\0-\x09\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]| \n/.test(text);
}

/** Texts that the reader would read as null, a boolean or a number; also digits after a zero, which only some readers keep as text. */
function readsAsOther(text: string): boolean {
  const plain = { kind: 'scalar', text, style: 'plain', tag: undefined, start: 0, end: 0 } as const;
  return typeof serdeYaml(plain) !== 'string' || /^[+-]?0[0-9]+$/.test(text);
}

function allowsPlain(text: string): boolean {
  if (/^(---|\.\.\.)/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text)) return false;
  if (/^[?:-]( |$)/.test(text)) return false;
  return !/^ | $|:( |$)| #/.test(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

function doubleQuoted(text: string): string {
  const escaped = text.replace(/[\0-\x1f"\\\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16).toUpperCase();
    return `\\${ESCAPES[character] ?? (code <= 0xff ? `x${hex.padStart(2, '0')}` : `u${hex.padStart(4, '0')}`)}`;
  });
  return `"${escaped}"`;
}

/** A literal block; its header tells the reader how to treat the end and a leading blank. */
function literal(text: string, indent: string): string {
  const mark = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  return `|${mark}${chomp}\n${body.replace(/(^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, `$1${indent}`)}`;
}
