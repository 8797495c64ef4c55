import { Deflate } from 'pako';
import { concatBytes } from '../bytes/source.ts';
import { crc32 } from '../checksums/crc32.ts';
import type { ArchiveEncoder } from './archive-format.ts';

/** zlib's flush mode that writes out everything, so that later bytes do not refer to earlier ones. */
const FULL_FLUSH = 3;
/** Compressing a shorter run separately costs more than caching it saves. */
const SHORTEST_RUN = 1024;
/**
 * Shorter parts between runs are stored: they differ between archives, and compressing them saves too little for its
 * time.
 */
const SHORTEST_COMPRESSED = 4096;

const NOTHING = new Uint8Array(0);
/** RFC 1952 2.3: deflate, no flags, no time, smallest, Unix. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3);
/** RFC 1951 3.2.4: the last block, stored, of no bytes. */
const END = Uint8Array.of(1, 0, 0, 0xff, 0xff);

/** Compressed runs, cached as long as their bytes are in memory. */
export type KnownRuns = WeakMap<ArrayBufferLike, Map<string, Uint8Array>>;

/**
 * Encodes a gzip member in which each long run is compressed separately: there are no references across its borders, so
 * its compressed bytes do not depend on its neighbours.
 */
export function runEncoder(known: KnownRuns): ArchiveEncoder {
  let pending: Uint8Array[] = [];
  let crc = 0;
  let length = 0;
  let isBegun = false;
  const ready = (...parts: readonly Uint8Array[]): Uint8Array => {
    if (isBegun) return parts.length === 0 ? NOTHING : concatBytes(parts);
    isBegun = true;
    return concatBytes([HEADER, ...parts]);
  };
  const flushed = (): readonly Uint8Array[] => {
    const bytes = concatBytes(pending);
    pending = [];
    if (bytes.length === 0) return [];
    return bytes.length < SHORTEST_COMPRESSED ? [storedHeader(bytes.length), bytes] : [compressed(bytes)];
  };
  return {
    async write(bytes) {
      crc = crc32(bytes, crc);
      length += bytes.length;
      if (bytes.length < SHORTEST_RUN) {
        pending.push(bytes);
        return ready();
      }
      return ready(...flushed(), cachedRun(bytes, known));
    },
    endBlock: async () => ready(),
    async finish() {
      const trailer = new DataView(new ArrayBuffer(8));
      trailer.setUint32(0, crc, true);
      trailer.setUint32(4, length, true);
      return ready(...flushed(), END, new Uint8Array(trailer.buffer));
    },
  };
}

/**
 * RFC 1951 3.2.4: the header of a stored block that is not the last: its length, and the complement. It begins at a
 * whole byte, as all blocks do here.
 */
function storedHeader(length: number): Uint8Array {
  return Uint8Array.of(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff);
}

function cachedRun(bytes: Uint8Array, known: KnownRuns): Uint8Array {
  const place = `${bytes.byteOffset} ${bytes.length}`;
  const runs = known.get(bytes.buffer) ?? new Map<string, Uint8Array>();
  known.set(bytes.buffer, runs);
  const run = runs.get(place) ?? compressed(bytes);
  runs.set(place, run);
  return run;
}

/**
 * Compresses to a whole number of bytes. The tables are as small as possible, at most zlib's default: for short input,
 * setting them up takes most of the time.
 */
function compressed(bytes: Uint8Array): Uint8Array {
  const windowBits = Math.min(15, 32 - Math.clz32(bytes.length - 1));
  const deflate = new Deflate({ raw: true, level: 9, windowBits, memLevel: windowBits - 7 });
  const ready: Uint8Array[] = [];
  deflate.onData = (chunk) => {
    ready.push(chunk);
  };
  deflate.push(bytes, FULL_FLUSH);
  return concatBytes(ready);
}
