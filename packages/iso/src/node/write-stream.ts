import type { Writable } from 'node:stream';
import { type ByteSource, CHUNK_SIZE, type WorkOptions } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { eachChunk } from './chunks.ts';
import { errnoOf } from './file-system.ts';
import { ioError, pieces } from './io.ts';

const READER_GONE = ['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'];

/** Writes `source` to standard output, a pipe or a socket, at the pace of its reader. The stream is not ended. */
export async function writeStream(source: ByteSource, writable: Writable, options: WorkOptions = {}): Promise<void> {
  const { signal, onProgress } = options;
  const output = new Output(writable, signal);
  const use = async (chunk: Uint8Array, offset: number): Promise<void> => {
    await output.write(chunk);
    onProgress?.({ done: offset + chunk.length, total: source.size });
  };
  try {
    signal?.throwIfAborted();
    await (takesBytesAtOnce(writable) ? eachChunk : eachFreshChunk)(source, signal, use);
    output.release();
  } catch (error) {
    output.abandon();
    throw READER_GONE.includes(errnoOf(error) ?? '')
      ? new IsoError('ISO_READER_GONE', 'the reader of the output is gone', { cause: error })
      : ioError('cannot write to the output', error);
  }
}

/** Whether the bytes of a finished write are with the operating system; other streams pass them on and keep them. */
function takesBytesAtOnce(writable: Writable): boolean {
  return 'fd' in writable && typeof writable.fd === 'number';
}

const eachFreshChunk: typeof eachChunk = async (source, signal, use) => {
  for (const { offset, length } of pieces(0, source.size, CHUNK_SIZE)) {
    await use(await source.read(offset, length, signal), offset);
  }
};

/** A stream whose writes end when it fails, closes or is no longer wanted, whatever it does itself. */
class Output {
  readonly #writable: Writable;
  readonly #signal: AbortSignal | undefined;
  #fail: (reason: unknown) => void = () => undefined;
  readonly #onAbort = (): void => this.#fail(this.#signal?.reason);
  readonly #onClose = (): void => this.#fail(new IsoError('ISO_READER_GONE', 'the output was closed'));
  readonly #onError = (error: Error): void => this.#fail(error);

  constructor(writable: Writable, signal: AbortSignal | undefined) {
    this.#writable = writable;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort);
    writable.on('close', this.#onClose);
    writable.on('error', this.#onError);
  }

  /** Ends when the stream no longer needs the bytes. */
  write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#writable.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }

  release(): void {
    this.abandon();
    this.#writable.off('error', this.#onError);
  }

  /** Goes on listening to errors: the stream may repeat its failure, and without a listener that ends the program. */
  abandon(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#writable.off('close', this.#onClose);
  }
}
