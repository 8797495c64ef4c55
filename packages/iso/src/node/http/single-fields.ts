/**
 * Fields with a single value that decide which bytes are sent to which client. Node keeps the first of two, or joins
 * them; a proxy may have kept the last.
 */
const SINGLE = new Set([
  'authorization',
  'content-length',
  'host',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'range',
]);

/** Whether a single-value field is repeated: such a request is answered with 400 (RFC 9110 §5.3, RFC 9112 §3.2). */
export function repeatsSingleField(rawHeaders: readonly string[]): boolean {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}
