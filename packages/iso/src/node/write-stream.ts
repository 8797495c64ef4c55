import type { Writable } from 'node:stream';
import { type ByteSource, CHUNK_SIZE, type WorkOptions } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { chunksOf } from './chunks.ts';
import { errnoOf } from './file-system.ts';
import { ioError, pieces } from './io.ts';

const READER_GONE = ['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'];

/** Writes `source` to standard output, a pipe or a socket, at the pace of its reader. The stream is not ended. */
export async function writeStream(source: ByteSource, writable: Writable, options: WorkOptions = {}): Promise<void> {
  const { signal, onProgress } = options;
  const total = source.size;
  let done = 0;
  try {
    signal?.throwIfAborted();
    for await (const chunk of takesBytesAtOnce(writable) ? chunksOf(source, signal) : freshChunksOf(source, signal)) {
      await writeChunk(writable, chunk, signal);
      done += chunk.length;
      onProgress?.({ done, total });
    }
  } catch (error) {
    throw READER_GONE.includes(errnoOf(error) ?? '')
      ? new IsoError('ISO_READER_GONE', 'the reader of the output is gone', { cause: error })
      : ioError('cannot write to the output', error);
  }
}

/** Whether the bytes of a finished write are with the operating system; other streams pass them on and keep them. */
function takesBytesAtOnce(writable: Writable): boolean {
  return 'fd' in writable && typeof writable.fd === 'number';
}

async function* freshChunksOf(source: ByteSource, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  for (const { offset, length } of pieces(0, source.size, CHUNK_SIZE)) yield source.read(offset, length, signal);
}

/** Resolves when the stream no longer needs the bytes. */
function writeChunk(writable: Writable, chunk: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown): void => {
      // The 'error' listener stays: the stream may repeat its failure, and without a listener that ends the program.
      signal?.removeEventListener('abort', onAbort);
      writable.off('close', onClose);
      reject(reason);
    };
    const onAbort = (): void => fail(signal?.reason);
    const onClose = (): void => fail(new IsoError('ISO_READER_GONE', 'the output was closed'));
    signal?.addEventListener('abort', onAbort);
    writable.on('close', onClose);
    writable.on('error', fail);
    writable.write(chunk, (error) => {
      if (error) return fail(error);
      signal?.removeEventListener('abort', onAbort);
      writable.off('close', onClose);
      writable.off('error', fail);
      resolve();
    });
  });
}
