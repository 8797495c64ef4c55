import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough, Readable, Writable } from 'node:stream';
import { type Io, run } from '../src/main.ts';

export { scratchFolder } from '../../../test/support/scratch.ts';

export interface CliResult {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface CliOptions extends Partial<Pick<Io, 'cwd' | 'env' | 'invokedAs' | 'signal'>> {
  readonly input?: string | Uint8Array;
  /** Whether stdout and stderr are a terminal (default: no). */
  readonly terminal?: boolean;
  /** Receives the output instead of the result. */
  readonly stdout?: Writable;
}

/** Runs the program in this process. */
export async function coreiso(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const [stdout, stderr] = [collector(options.terminal), collector(options.terminal)];
  const status = await run(argv, {
    cwd: options.cwd ?? tmpdir(),
    env: options.env ?? {},
    stdin: options.input === undefined ? new PassThrough().end() : Readable.from([Buffer.from(options.input)]),
    stdout: options.stdout ?? stdout.stream,
    stderr: stderr.stream,
    invokedAs: options.invokedAs ?? 'coreiso',
    signal: options.signal ?? new AbortController().signal,
  });
  return { status, stdout: Buffer.concat(stdout.chunks), stderr: Buffer.concat(stderr.chunks).toString() };
}

/** Lists the files below a directory that this process has open; empty if the system does not tell. */
export function openFiles(folder: string): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  const paths = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return paths.filter((path) => path.startsWith(`${folder}/`));
}

function collector(isTTY = false): { stream: Writable & { isTTY: boolean }; chunks: Buffer[] } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      // Copy the bytes: writers may reuse their buffers after the write.
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), chunks };
}
