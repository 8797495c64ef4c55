import { concatBytes } from '../bytes/concat.ts';
import { IsoError } from '../errors.ts';

/** How much coreos-installer's decoders of xz and zstd put out at a time, if there is that much. */
const BLOCK = 32 * 1024;

/**
 * The same bytes in whole blocks. As upstream, nothing of a block is handed out in which damage is found; where the input
 * was only cut, which has the message `cut`, what there is of it comes first.
 */
export async function* inBlocks(
  chunks: AsyncGenerator<Uint8Array, void>,
  cut: string,
): AsyncGenerator<Uint8Array, void> {
  let waiting: Uint8Array = new Uint8Array(0);
  try {
    for await (const chunk of chunks) {
      waiting = concatBytes(waiting.length === 0 ? [chunk] : [waiting, chunk]);
      const whole = waiting.length - (waiting.length % BLOCK);
      if (whole > 0) yield waiting.subarray(0, whole);
      waiting = waiting.subarray(whole);
    }
  } catch (error) {
    if (error instanceof IsoError && error.message === cut) yield waiting;
    throw error;
  }
  yield waiting;
}
