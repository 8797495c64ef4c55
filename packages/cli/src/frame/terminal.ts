import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { WorkOptions } from '@coreiso/iso';
import { showControls, showLine } from '@coreiso/peers/controls';
import { hideUsers } from '@coreiso/peers/hidden';
import { sizeText } from './size.ts';

/** The streams and environment of the program; no code uses `process` directly. */
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

/** `--color`. */
export type ColourChoice = 'auto' | 'always' | 'never';

/** How a terminal shows what it is given. */
export interface TerminalOptions {
  readonly secrets?: 'hidden' | 'shown' | undefined;
  readonly colour?: ColourChoice | undefined;
}

/**
 * Input and output as a command sees them: data on stdout, talk on stderr. What people read has its control characters made visible,
 * anyone who wrote them; only `draw` and `sayColoured` send escape sequences. Addresses in it have no users and no signatures.
 */
export class Terminal {
  readonly io: Io;
  readonly #secrets: 'hidden' | 'shown';
  readonly #colour: ColourChoice;

  constructor(io: Io, { secrets = 'hidden', colour = 'auto' }: TerminalOptions = {}) {
    this.io = io;
    this.#secrets = secrets;
    this.#colour = colour;
  }

  /** Whether someone really wants to see secrets. */
  get showsSecrets(): boolean {
    return this.#secrets === 'shown';
  }

  /** Data, as it is wherever a program may read it. Resolves when the reader has taken it, rejects when there is no reader any more. */
  async print(data: string | Uint8Array): Promise<void> {
    const isWatched = this.io.stdout.isTTY === true;
    await this.#write(isWatched ? showControls(typeof data === 'string' ? data : decoder.decode(data)) : data);
  }

  /** Text for people in place of data. */
  async showText(text: string): Promise<void> {
    await this.#write(shownText(text));
  }

  /** The same, line by line: none of them can become two. */
  async showLines(lines: readonly string[]): Promise<void> {
    await this.#write(lines.map((line) => `${shownLine(line)}\n`).join(''));
  }

  /** Pretty JSON with a final newline, without secrets unless they are asked for. */
  async printJson(value: unknown): Promise<void> {
    await this.printWhole(await this.#shown(value));
  }

  /** The same on one line. */
  async printJsonLine(value: unknown): Promise<void> {
    await this.#write(`${jsonText(await this.#shown(value))}\n`);
  }

  /** Pretty JSON of which the reader needs everything, secrets included. */
  async printWhole(value: unknown): Promise<void> {
    await this.#write(`${jsonText(value, 2)}\n`);
  }

  /** Talk: a line for people. */
  say(line: string): void {
    this.io.stderr.write(`${shownLine(line)}\n`);
  }

  /** Talk of several lines. */
  sayText(text: string): void {
    this.io.stderr.write(`${shownText(text)}\n`);
  }

  /** Talk with colours. Whatever others wrote in it was made visible before. */
  sayColoured(text: string): void {
    this.io.stderr.write(`${hideUsers(text)}\n`);
  }

  /** Text for people with escape sequences of our own; the same holds for it. */
  async draw(text: string): Promise<void> {
    await this.#write(hideUsers(text));
  }

  async #write(data: string | Uint8Array): Promise<void> {
    // No one misses nothing, not even where no one is.
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

  async #shown(value: unknown): Promise<unknown> {
    if (this.showsSecrets) return value;
    const { withoutSecrets } = await import('@coreiso/diagnostics');
    return withoutSecrets(value);
  }

  /** Whether text on this stream may carry colours: `--color`, else FORCE_COLOR, as Node takes it, else NO_COLOR, else the terminal. */
  colour(stream: 'stdout' | 'stderr'): boolean {
    if (this.#colour !== 'auto') return this.#colour === 'always';
    const { FORCE_COLOR: forced, NO_COLOR: none, TERM: term } = this.io.env;
    if (forced !== undefined) return !/^(?:0|false)$/.test(forced);
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
  async withProgress<T>(
    label: string,
    work: (onProgress: NonNullable<WorkOptions['onProgress']>) => Promise<T>,
  ): Promise<T> {
    if (this.io.stderr.isTTY !== true) return await work(() => {});
    const { SingleBar, Presets } = (await import('cli-progress')).default;
    const format = `${shownLine(label)} {bar} {percentage} % {eta_formatted}`;
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

function shownText(text: string): string {
  return hideUsers(showControls(text));
}

function shownLine(line: string): string {
  return hideUsers(showLine(line));
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The same value for programs, and nothing in it that a terminal obeys: JSON itself escapes only C0. */
function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** All of a stream, which may have no more than the limit. An interruption ends the waiting for it. */
export async function readAll(
  stream: Readable,
  signal: AbortSignal,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const { addAbortSignal } = await import('node:stream');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stream)) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) throw tooLong(limit);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export function tooLong(limit: number): Error {
  return new Error(`it is longer than ${sizeText(limit)}`);
}
