const SHORT: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};
const ESCAPED = /["\\]|(?! )[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/**
 * A text in double quotes with everything unprintable escaped, as the reports show names. Characters that this runtime's Unicode
 * knows and the real tool's (15.0) does not are not escaped.
 */
export function quote(text: string): string {
  const content = text.replace(ESCAPED, (character) => {
    const short = SHORT[character];
    if (short !== undefined) return short;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, '0')}`;
    return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
  });
  return `"${content}"`;
}
