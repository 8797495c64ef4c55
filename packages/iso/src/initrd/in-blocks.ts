import { concatBytes } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';

/** Output size of coreos-installer's xz and zstd decoders. */
const BLOCK = 32 * 1024;

/** The input ends within a compressed stream. */
export class CutStream extends IsoError {
  constructor(message: string, offset: number) {
    super('ISO_BAD_ARCHIVE', message, { offset });
  }
}

/**
 * The same bytes in whole blocks. As upstream, a damaged block yields no bytes; an input that is only truncated yields
 * its remaining bytes before the error.
 */
export async function* inBlocks(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  let waiting: Uint8Array = new Uint8Array(0);
  try {
    for await (const chunk of chunks) {
      waiting = concatBytes(waiting.length === 0 ? [chunk] : [waiting, chunk]);
      const whole = waiting.length - (waiting.length % BLOCK);
      yield waiting.subarray(0, whole);
      waiting = waiting.subarray(whole);
    }
  } catch (error) {
    if (error instanceof CutStream) yield waiting;
    throw error;
  }
  yield waiting;
}
