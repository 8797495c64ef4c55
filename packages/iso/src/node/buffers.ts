import { CHUNK_SIZE } from '../bytes/source.ts';
import { allocate } from './io.ts';

/** Most answers to a BMC fit into the smaller one. */
const SIZES: readonly number[] = [CHUNK_SIZE / 2, CHUNK_SIZE];
/** Of each size this many are kept for the next who needs one: 12 MiB. */
const KEPT = 64;

/** Memory that was used before: the kernel has to clear new pages first, which takes as long as filling them. */
const free = new Map<number, Uint8Array[]>(SIZES.map((size) => [size, []]));

/** A buffer for up to `length` bytes, or for a chunk of them. */
export function acquireBuffer(length: number): Uint8Array {
  const size = SIZES.find((each) => length <= each) ?? CHUNK_SIZE;
  return free.get(size)?.pop() ?? allocate(size);
}

/** Gives back a buffer that no one reads any more. */
export function releaseBuffer(buffer: Uint8Array): void {
  const list = free.get(buffer.length);
  if (list !== undefined && list.length < KEPT) list.push(buffer);
}
