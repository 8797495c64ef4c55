import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Progress } from '@coreiso/iso';

/** What the program may touch of the world; nothing reaches for `process`. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** The name the program was started by: `coreos-installer` makes it write xz as that tool does. */
  readonly invokedAs: string;
  /** Aborted with an error whose message is the name of the signal that came, `SIGTERM` for one. */
  readonly signal: AbortSignal;
}

/** Input and output as a command sees them: data on stdout, talk on stderr. */
export class Terminal {
  readonly io: Io;

  constructor(io: Io) {
    this.io = io;
  }

  /** Data. Resolves when the reader has taken it, rejects when there is no reader any more. */
  async print(data: string | Uint8Array): Promise<void> {
    // Nobody misses nothing, not even where nobody is.
    if (data.length === 0) return;
    const { stdout } = this.io;
    await new Promise<void>((done, fail) => {
      stdout.once('error', fail);
      stdout.write(data, (error) => {
        // A stream that failed says so once more as an event, which must find its listener.
        if (error) return fail(error);
        stdout.removeListener('error', fail);
        done();
      });
    });
  }

  /** Pretty JSON with a final newline. */
  async printJson(value: unknown): Promise<void> {
    await this.print(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** Talk: one or more lines for people. */
  say(text: string): void {
    this.io.stderr.write(`${text}\n`);
  }

  /** Whether text on this stream may carry colours. */
  colour(stream: 'stdout' | 'stderr'): boolean {
    const { NO_COLOR: none, TERM: term } = this.io.env;
    return this.io[stream].isTTY === true && (none === undefined || none === '') && term !== 'dumb';
  }

  /** A path of the command line as the file system needs it; messages keep the user's spelling. */
  path(given: string): string {
    return resolve(this.io.cwd, given);
  }

  /** All of standard input. */
  readStdin(): Promise<Uint8Array> {
    return readAll(this.io.stdin, this.io.signal);
  }

  /** Runs long work with a progress bar where a person is watching. */
  async withProgress<T>(label: string, work: (onProgress: (progress: Progress) => void) => Promise<T>): Promise<T> {
    if (this.io.stderr.isTTY !== true) return await work(() => {});
    const { SingleBar, Presets } = (await import('cli-progress')).default;
    const format = `${label} {bar} {percentage} % {eta_formatted}`;
    const bar = new SingleBar(
      { format, stream: this.io.stderr, hideCursor: true, clearOnComplete: true },
      Presets.shades_classic,
    );
    let started = false;
    try {
      return await work(({ done, total }) => {
        if (!started) bar.start(total, done);
        else bar.update(done);
        started = true;
      });
    } finally {
      if (started) bar.stop();
    }
  }
}

/** All of a stream. An interruption ends the waiting for it. */
export async function readAll(stream: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const { addAbortSignal } = await import('node:stream');
  const chunks: Buffer[] = [];
  for await (const chunk of addAbortSignal(signal, stream)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
