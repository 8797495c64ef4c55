import { Deflate } from 'pako';
import { concatBytes } from '../bytes/source.ts';
import { crc32 } from '../checksums/crc32.ts';
import type { ArchiveEncoder } from './archive-format.ts';

/** zlib's names for how much is put out: everything, and what follows does not look back; everything, and nothing follows. */
const FULL_FLUSH = 3;
const FINISH = 4;
/** Below this a run costs more by not looking back than it saves by being kept. */
const SHORTEST_RUN = 2048;

/** zlib's own choice for runs, which are compressed once; what is between them is short and finds its repetitions in less. */
const RUN = { windowBits: 15, memLevel: 8 } as const;
const BETWEEN = { windowBits: 12, memLevel: 5 } as const;

/** RFC 1952 2.3: deflate, no flags, no time, smallest, Unix. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3);

/** The compressed form of runs, as long as their bytes are in memory. */
export type KnownRuns = WeakMap<ArrayBufferLike, Map<string, Uint8Array>>;

/**
 * A gzip member in which every long run that is written stands by itself: it neither looks back nor is looked back to, so that
 * what it is compressed to does not depend on its neighbours.
 */
export function runEncoder(known: KnownRuns): ArchiveEncoder {
  const between = deflater(BETWEEN);
  let pending: Uint8Array[] = [];
  let crc = 0;
  let length = 0;
  let head: Uint8Array[] = [HEADER];
  const ready = (...parts: readonly Uint8Array[]): Uint8Array => {
    const bytes = concatBytes([...head, ...parts]);
    head = [];
    return bytes;
  };
  const flushed = (mode: typeof FULL_FLUSH | typeof FINISH): Uint8Array => {
    const bytes = concatBytes(pending);
    pending = [];
    return between(bytes, mode);
  };
  return {
    async write(bytes) {
      crc = crc32(bytes, crc);
      length += bytes.length;
      if (bytes.length < SHORTEST_RUN) {
        pending.push(bytes);
        return ready();
      }
      const before = pending.length === 0 ? [] : [flushed(FULL_FLUSH)];
      return ready(...before, compressedRun(bytes, known));
    },
    endBlock: async () => ready(),
    async finish() {
      const trailer = new DataView(new ArrayBuffer(8));
      trailer.setUint32(0, crc, true);
      trailer.setUint32(4, length, true);
      return ready(flushed(FINISH), new Uint8Array(trailer.buffer));
    },
  };
}

function compressedRun(bytes: Uint8Array, known: KnownRuns): Uint8Array {
  const place = `${bytes.byteOffset} ${bytes.length}`;
  const runs = known.get(bytes.buffer) ?? new Map<string, Uint8Array>();
  known.set(bytes.buffer, runs);
  const run = runs.get(place) ?? deflater(RUN)(bytes, FULL_FLUSH);
  runs.set(place, run);
  return run;
}

function deflater(
  memory: typeof RUN | typeof BETWEEN,
): (bytes: Uint8Array, mode: typeof FULL_FLUSH | typeof FINISH) => Uint8Array {
  const deflate = new Deflate({ raw: true, level: 9, ...memory });
  let ready: Uint8Array[] = [];
  deflate.onData = (chunk) => {
    ready.push(chunk);
  };
  deflate.onEnd = () => {};
  return (bytes, mode) => {
    ready = [];
    deflate.push(bytes, mode);
    return concatBytes(ready);
  };
}
