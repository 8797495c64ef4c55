// Every edit scans areas of zeros, mostly in a program that has only just started, whose loops are ten times slower
// than the engine's own. The engine only compares text, so the bytes are decoded.
const BLOCK = 16 * 1024;
const ZEROS = '\0'.repeat(BLOCK);

/** Position of the first byte that is not zero, or -1. */
export function firstNonZero(bytes: Uint8Array): number {
  for (let start = 0; start < bytes.length; start += BLOCK) {
    const block = bytes.subarray(start, start + BLOCK);
    if (!isZero(block)) return start + block.findIndex((byte) => byte !== 0);
  }
  return -1;
}

/** Position of the last byte that is not zero, or -1. */
export function lastNonZero(bytes: Uint8Array): number {
  for (let end = bytes.length; end > 0; end -= BLOCK) {
    const start = Math.max(0, end - BLOCK);
    const block = bytes.subarray(start, end);
    if (!isZero(block)) return start + block.findLastIndex((byte) => byte !== 0);
  }
  return -1;
}

function isZero(block: Uint8Array): boolean {
  if (block[0] !== 0) return false;
  return new TextDecoder().decode(block) === ZEROS.slice(0, block.length);
}
