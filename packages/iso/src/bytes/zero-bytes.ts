/** Position of the first byte that is not zero, or -1. Plain loops, because areas of zeros are scanned on every edit. */
export function firstNonZero(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return at;
  return -1;
}

/** Position of the last byte that is not zero, or -1. */
export function lastNonZero(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at >= 0 && bytes[at] === 0) at--;
  return at;
}
