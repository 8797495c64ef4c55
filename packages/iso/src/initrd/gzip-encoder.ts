import { Deflate } from 'pako';
import { concatBytes } from '../bytes/source.ts';
import type { ArchiveEncoder } from './archive-format.ts';

const NOTHING = new Uint8Array(0);

/** Encodes a gzip member with pako. */
export function gzipEncoder(): ArchiveEncoder {
  const deflate = new Deflate({ gzip: true, level: 9 });
  let ready: Uint8Array[] = [];
  deflate.onData = (chunk) => {
    ready.push(chunk);
  };
  deflate.onEnd = () => {};
  const push = async (bytes: Uint8Array, last: boolean): Promise<Uint8Array> => {
    deflate.push(bytes, last);
    const bytesReady = concatBytes(ready);
    ready = [];
    return bytesReady;
  };
  return {
    write: (bytes) => push(bytes, false),
    endBlock: async () => NOTHING,
    finish: () => push(NOTHING, true),
  };
}
