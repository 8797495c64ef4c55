/** YAML 1.2.2 §5.1 minus the surrogates, which the decoder has checked: characters a text may not hold, not even in a comment. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]/;

/** The first character that libyaml and its ports refuse wherever it stands. */
export function findForbiddenCharacter(text: string): { offset: number; message: string } | undefined {
  const offset = text.search(FORBIDDEN);
  return offset === -1 ? undefined : { offset, message: 'control characters are not allowed' };
}
