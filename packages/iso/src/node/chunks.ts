import { isComposition } from '../bytes/compose.ts';
import { type ByteSource, CHUNK_SIZE } from '../bytes/source.ts';
import { isFileSource, openedFile, readFile } from './file-source.ts';
import { allocate, pieces } from './io.ts';

/**
 * The bytes of `source` in order, through two buffers: one is filled while the other is used. A chunk is valid until the
 * next one is asked for.
 */
export async function* chunksOf(source: ByteSource, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  let free = allocate(Math.min(CHUNK_SIZE, source.size));
  let used = allocate(free.length);
  let filling: Promise<Uint8Array> | undefined;
  try {
    for (const { offset, length } of pieces(0, source.size, CHUNK_SIZE)) {
      const filled = filling;
      filling = fill(free.subarray(0, length), source, offset, signal);
      // Its failure is reported when its turn comes.
      filling.catch(() => undefined);
      if (filled !== undefined) yield await filled;
      [free, used] = [used, free];
    }
    if (filling !== undefined) yield await filling;
  } finally {
    // Nobody may close the file while it is read.
    await filling?.catch(() => undefined);
  }
}

async function fill(into: Uint8Array, source: ByteSource, offset: number, signal?: AbortSignal): Promise<Uint8Array> {
  signal?.throwIfAborted();
  const opened = openedFile(source);
  if (opened !== undefined && isFileSource(source)) {
    await readFile(opened.file, source.path, into, offset);
  } else if (isComposition(source)) {
    for (const segment of source.segments(offset, offset + into.length)) {
      const place = into.subarray(segment.start - offset, segment.start - offset + segment.length);
      if ('bytes' in segment) place.set(segment.bytes);
      else await fill(place, segment.source, segment.offset, signal);
    }
  } else {
    into.set(await source.read(offset, into.length, signal));
  }
  return into;
}
