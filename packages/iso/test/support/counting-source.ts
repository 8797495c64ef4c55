import type { ByteSource } from '../../src/bytes/source.ts';

/** A source that records its reads, so that tests can limit work by counting instead of by a clock. */
export interface CountingSource extends ByteSource {
  readonly reads: readonly { readonly offset: number; readonly length: number }[];
  /** Number of bytes read so far; repeated reads count again. */
  readonly bytesRead: number;
  /** Forgets the reads so far. */
  reset(): void;
}

/** Wraps `source` and counts its reads. */
export function countingSource(source: ByteSource): CountingSource {
  const reads: { offset: number; length: number }[] = [];
  return {
    size: source.size,
    reads,
    get bytesRead() {
      return reads.reduce((sum, { length }) => sum + length, 0);
    },
    reset() {
      reads.length = 0;
    },
    read(offset, length, signal) {
      reads.push({ offset, length });
      return source.read(offset, length, signal);
    },
  };
}
