import { isStrayByte, STRAY_BYTE } from '../utf8.ts';

const NAMED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/**
 * Go prints letters, marks, numbers, punctuation, symbols and the plain space as they are. A function, because the engine reads
 * Unicode's tables as soon as it meets such an expression, and few texts are quoted.
 */
const toEscape = (): RegExp => /["\\]|(?! )[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/**
 * A text in double quotes as Go's `%q` shows it. Characters that this runtime's Unicode knows and that of Go (15.0) does not stay as
 * they are.
 *
 * @example goQuote('a\tb') // '"a\\tb"'
 */
export function goQuote(text: string): string {
  return `"${text.replace(toEscape(), escaped)}"`;
}

/**
 * A character in single quotes, as `encoding/json` names the one it stumbles over.
 *
 * @example goQuoteCharacter("'") // "'\\''"
 */
export function goQuoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  return character === '"' ? `'"'` : `'${character.replace(toEscape(), escaped)}'`;
}

function escaped(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, '0')}`;
  if (isStrayByte(code)) return `\\x${(code - STRAY_BYTE).toString(16)}`;
  // Half a pair cannot be written as UTF-8.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
