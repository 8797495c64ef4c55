const encoder = new TextEncoder();

/** Lengths in configs are bytes of UTF-8, whatever the messages call them. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
