import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { checkArgument, checkMethods, checkOptions, WORK } from '@coreiso/peers/arguments';
import { type ByteSource, CHUNK_SIZE, type WorkOptions } from '../bytes/source.ts';
import { IsoError } from '../errors.ts';
import { eachChunk, eachChunkAhead } from './chunks.ts';
import { errnoOf } from './file-system.ts';
import { ioError, pieces } from './io.ts';

const READER_GONE = ['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'];

/**
 * Writes `source` to standard output, a pipe or a socket, at the speed of its reader. Does not end the stream.
 *
 * @example
 * ```ts
 * await writeStream(overlay, process.stdout);
 * ```
 */
export async function writeStream(source: ByteSource, writable: Writable, options: WorkOptions = {}): Promise<void> {
  checkArgument('source', source, 'source');
  checkMethods('writable', writable, ['write']);
  checkOptions(options, WORK);
  await drainTo(writable, source, options, writeFreshChunks);
}

/**
 * Writes `source` to a socket: once a write has ended, the kernel has its own copy, and the memory is reused. The last
 * chunk is withheld until `verify` has succeeded.
 */
export async function writeSocket(
  source: ByteSource,
  writable: Writable,
  options: WorkOptions,
  verify?: () => Promise<void>,
): Promise<void> {
  await drainTo(writable, source, options, (_, output, report, signal) =>
    eachChunkAhead(source, signal, async (chunk, offset) => {
      if (offset + chunk.length === source.size) await verify?.();
      await output.write(chunk);
      report(offset + chunk.length);
    }),
  );
}

type Drain = (
  source: ByteSource,
  output: Output,
  report: (done: number) => void,
  signal: AbortSignal | undefined,
) => Promise<void>;

async function drainTo(writable: Writable, source: ByteSource, options: WorkOptions, drain: Drain): Promise<void> {
  const { signal, onProgress } = options;
  const output = new Output(writable, signal);
  const report = (done: number): void => onProgress?.({ done, total: source.size });
  try {
    signal?.throwIfAborted();
    const fd = descriptorOf(writable);
    if (fd === undefined) await drain(source, output, report, signal);
    else
      await eachChunk(source, signal, (chunk, offset) =>
        writeTo(fd, chunk, output, () => report(offset + chunk.length)),
      );
    output.release();
  } catch (error) {
    output.abandon();
    throw READER_GONE.includes(errnoOf(error) ?? '')
      ? new IsoError('ISO_READER_GONE', 'the reader of the output is gone', { cause: error })
      : ioError('cannot write to the output', error);
  }
}

/** The descriptor of standard output, if `writable` is standard output with an empty buffer. */
function descriptorOf(writable: Writable): number | undefined {
  // The standard output of a worker thread has no descriptor.
  return writable === process.stdout && writable.writableLength === 0 ? process.stdout.fd : undefined;
}

/** Writes each chunk in new memory, because streams may keep it. */
async function writeFreshChunks(
  source: ByteSource,
  output: Output,
  report: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  for (const { offset, length } of pieces(0, source.size, CHUNK_SIZE)) {
    const reading = source.read(offset, length, signal);
    // If writing fails first, nothing awaits this promise.
    reading.catch(() => undefined);
    await writing;
    if (offset > 0) report(offset);
    writing = output.write(await reading);
    writing.catch(() => undefined);
  }
  await writing;
  report(source.size);
}

/** Writes to the descriptor as much as the reader accepts at once, and the rest through the stream. */
function writeTo(fd: number, chunk: Uint8Array, output: Output, written: () => void): Promise<void> | undefined {
  let done = 0;
  try {
    while (done < chunk.length) done += writeSync(fd, chunk, done, chunk.length - done);
  } catch (error) {
    // The pipe is full: Node opens pipes in non-blocking mode.
    if (errnoOf(error) !== 'EAGAIN') throw error;
    return output.write(chunk.subarray(done)).then(written);
  }
  written();
  return undefined;
}

/** A stream whose writes always settle: when it fails, closes or is aborted. */
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

  /** Resolves when the stream no longer needs the bytes. */
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

  /**
   * Keeps listening to errors: the stream may repeat its failure, and without a listener that would end the program.
   */
  abandon(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#writable.off('close', this.#onClose);
  }
}
