// How Rust shows structures in messages.
/** A field as `Some(…)` or `None`. */
export function debugOption(value: string | number | bigint | boolean | undefined): string {
  if (value === undefined) return 'None';
  return `Some(${typeof value === 'string' ? debugText(value) : value})`;
}

/** A text in quotes. */
export function debugText(text: string): string {
  let quoted = '';
  for (const character of text) quoted += DEBUG_ESCAPES[character] ?? escapeUnprintable(character);
  return `"${quoted}"`;
}

const DEBUG_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\0': '\\0',
  '\t': '\\t',
  '\r': '\\r',
  '\n': '\\n',
};

function escapeUnprintable(character: string): string {
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(character) || (/\p{Zs}/u.test(character) && character !== ' ')
    ? `\\u{${character.codePointAt(0)?.toString(16)}}`
    : character;
}

/** A list of texts. */
export function debugList(texts: readonly string[]): string {
  return `[${texts.map(debugText).join(', ')}]`;
}

/** A value without payload: `blackhole` is `Some(Blackhole)`. */
export function debugVariant(name: string | undefined): string {
  return name === undefined ? 'None' : `Some(${name})`;
}

/** The given items as `name: value`, separated by spaces. */
export function displayItems(items: readonly (readonly [name: string, value: unknown])[]): string {
  return items
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' ');
}

/** A number of floating point has a point even where it is whole. */
export function debugNumber(value: number | bigint): string {
  const text = String(value);
  return typeof value === 'number' && /^-?[0-9]+$/.test(text) ? `${text}.0` : text;
}
