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
 * Go prints letters, marks, numbers, punctuation, symbols and the plain space as they are. It is a function because the engine
 * loads Unicode's tables with such an expression, and few texts are quoted.
 */
const toEscape = (): RegExp => /["\\]|(?! )[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/**
 * Quotes a text as Go's `%q` does. Characters that are newer than Go's Unicode (15.0) but known to this runtime stay unescaped.
 *
 * @example goQuote('a\tb') // '"a\\tb"'
 */
export function goQuote(text: string): string {
  return `"${text.replace(toEscape(), escaped)}"`;
}

/**
 * Quotes a character as the errors of Go's `encoding/json` do: in single quotes.
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
  // UTF-8 cannot encode a lone surrogate.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
