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
  /** The name that started the program: under `coreos-installer` it writes xz as that tool does. */
  readonly invokedAs: string;
  /** Aborted by a signal; the message of the reason is the signal's name, such as `SIGTERM`. */
  readonly signal: AbortSignal;
}

/** `--color`. */
export type ColourChoice = 'auto' | 'always' | 'never';

/** How a terminal shows its output. */
export interface TerminalOptions {
  readonly secrets?: 'hidden' | 'shown' | undefined;
  readonly colour?: ColourChoice | undefined;
}

/**
 * Input and output of a command: data on stdout, messages on stderr. Text for people shows control characters visibly,
 * whoever wrote them; only `draw` and `sayColoured` send escape sequences. Addresses in it lose their credentials and
 * signatures.
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

  /** Whether the user asked to see secrets. */
  get showsSecrets(): boolean {
    return this.#secrets === 'shown';
  }

  /** Prints data, unchanged if a program may read it. Resolves when the reader has taken it; rejects when the reader is gone. */
  async print(data: string | Uint8Array): Promise<void> {
    const isWatched = this.io.stdout.isTTY === true;
    await this.#write(isWatched ? showControls(typeof data === 'string' ? data : decoder.decode(data)) : data);
  }

  /** Prints text for people in place of data. */
  async showText(text: string): Promise<void> {
    await this.#write(shownText(text));
  }

  /** Prints text line by line; no line can become two. */
  async showLines(lines: readonly string[]): Promise<void> {
    await this.#write(lines.map((line) => `${shownLine(line)}\n`).join(''));
  }

  /** Prints indented JSON with a final newline; secrets only on request. */
  async printJson(value: unknown): Promise<void> {
    await this.printWhole(await this.#shown(value));
  }

  /** Prints JSON on one line; secrets only on request. */
  async printJsonLine(value: unknown): Promise<void> {
    await this.#write(`${jsonText(await this.#shown(value))}\n`);
  }

  /** Prints indented JSON with all secrets, for a reader that needs them. */
  async printWhole(value: unknown): Promise<void> {
    await this.#write(`${jsonText(value, 2)}\n`);
  }

  /** Writes a line for people to stderr. */
  say(line: string): void {
    this.io.stderr.write(`${shownLine(line)}\n`);
  }

  /** Writes several lines for people to stderr. */
  sayText(text: string): void {
    this.io.stderr.write(`${shownText(text)}\n`);
  }

  /** Writes coloured text to stderr. The caller has made text of others visible. */
  sayColoured(text: string): void {
    this.io.stderr.write(`${hideUsers(text)}\n`);
  }

  /** Prints text with our own escape sequences. The caller has made text of others visible. */
  async draw(text: string): Promise<void> {
    await this.#write(hideUsers(text));
  }

  async #write(data: string | Uint8Array): Promise<void> {
    // Skip an empty write: it would fail if the reader is gone.
    if (data.length === 0) return;
    const { stdout } = this.io;
    await new Promise<void>((done, fail) => {
      stdout.once('error', fail);
      stdout.write(data, (error) => {
        // A failed stream also emits an error event, which needs its listener.
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

  /**
   * Whether text on this stream may have colours. The first that is set decides: `--color`, FORCE_COLOR as in Node,
   * NO_COLOR, the terminal.
   */
  colour(stream: 'stdout' | 'stderr'): boolean {
    if (this.#colour !== 'auto') return this.#colour === 'always';
    const { FORCE_COLOR: forced, NO_COLOR: none, TERM: term } = this.io.env;
    if (forced !== undefined) return !/^(?:0|false)$/.test(forced);
    return this.io[stream].isTTY === true && (none === undefined || none === '') && term !== 'dumb';
  }

  /** Resolves a path of the command line for the file system; messages keep the user's spelling. */
  path(given: string): string {
    return resolve(this.io.cwd, given);
  }

  /** Reads all of standard input. */
  readStdin(): Promise<Uint8Array> {
    return readAll(this.io.stdin, this.io.signal);
  }

  /** Runs long work, with a progress bar on a terminal. */
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

/** Formats JSON without characters that a terminal obeys: JSON itself escapes only C0. */
function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Reads a whole stream up to the limit. An interruption ends the wait. */
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
