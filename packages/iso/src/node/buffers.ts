import { CHUNK_SIZE } from '../bytes/source.ts';
import { allocate } from './io.ts';

/** Most answers to a BMC fit into the smaller one. */
const SIZES: readonly number[] = [CHUNK_SIZE / 2, CHUNK_SIZE];
/** Number of buffers to keep of each size for later use: 12 MiB in all. */
const KEPT = 64;

/** Reusable buffers: for new memory, the kernel has to clear the pages, which takes as long as filling them. */
const free = new Map<number, Uint8Array[]>(SIZES.map((size) => [size, []]));

/** A buffer for up to `length` bytes, or for a chunk of them. */
export function acquireBuffer(length: number): Uint8Array {
  const size = SIZES.find((each) => length <= each) ?? CHUNK_SIZE;
  return free.get(size)?.pop() ?? allocate(size);
}

/** Returns a buffer that is no longer in use. */
export function releaseBuffer(buffer: Uint8Array): void {
  const list = free.get(buffer.length);
  if (list !== undefined && list.length < KEPT) list.push(buffer);
}
