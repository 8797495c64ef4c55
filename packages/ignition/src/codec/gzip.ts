import { Inflate, gzip as pakoGzip } from 'pako';

/** RFC 1952 2.3.1: the offset of the operating system in the header. */
const OS_OFFSET = 9;
const OS_UNKNOWN = 255;

/**
 * Compresses bytes into one gzip member at level 9, without name, time or operating system, so that equal input gives equal
 * output.
 */
export function gzip(bytes: Uint8Array): Uint8Array {
  const member = pakoGzip(bytes, { level: 9 });
  member[OS_OFFSET] = OS_UNKNOWN;
  return member;
}

/** Decompresses gzip data. Undefined if it is broken or unpacks to more than `limit` bytes. */
export function gunzip(bytes: Uint8Array, limit: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let size = 0;
  const inflate = new Inflate();
  inflate.onData = (part: Uint8Array) => {
    size += part.length;
    if (size <= limit) parts.push(part);
  };
  // Feeds the input in slices, so that a gzip bomb is noticed long before its end.
  const step = 1 << 14;
  for (let at = 0; at < bytes.length && size <= limit; at += step) {
    const last = at + step >= bytes.length;
    if (!inflate.push(bytes.subarray(at, at + step), last)) return undefined;
  }
  if (size > limit || inflate.err !== 0 || !inflate.ended) return undefined;
  const whole = new Uint8Array(size);
  let to = 0;
  for (const part of parts) {
    whole.set(part, to);
    to += part.length;
  }
  return whole;
}
