// Writes one file to the disk: shows progress, checks the signature, unpacks on request. The file gets its name at the end.
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inContext, systemFailure } from '../../frame/failure.ts';
import { DetachedSignature, signingKeys } from '../../frame/signatures/verify.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { gpgWords } from './gpg-words.ts';
import { bodyFailure } from './http-get.ts';
import type { ImageSource } from './sources.ts';
import { unpacked } from './unpack.ts';

/** The real program reads this much before it writes anything. */
const FIRST = 1024 * 1024;

export async function writeImage(
  terminal: Terminal,
  { response, part, signature }: ImageSource,
  path: string,
  form: 'as it is' | 'unpacked',
): Promise<void> {
  const place = terminal.path(path);
  if (path.endsWith('/')) throw new Error(`opening ${path}`, { cause: systemFailure('EISDIR') });
  const temporary = join(dirname(place), `.coreiso-download-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const file = await inContext(`opening ${path}`, () => open(temporary, 'wx', 0o666));
  try {
    const check = signature === undefined ? undefined : await Check.begin(signature, terminal);
    const arriving = tapped(terminal, response, part, check);
    let size = 0;
    try {
      for await (const chunk of form === 'unpacked' ? unpacked(arriving) : arriving) {
        for (let done = 0; done < chunk.length; ) done += (await file.write(chunk, done)).bytesWritten;
        size += chunk.length;
      }
      if (size < FIRST) throw new Error('failed to fill whole buffer');
    } catch (error) {
      terminal.io.signal.throwIfAborted();
      const cause = bodyFailure(error);
      throw new Error(size < FIRST ? 'decoding first MiB of image' : 'decoding and writing image', { cause });
    }
    await check?.end('always');
    await file.sync();
    await file.close();
    await inContext(`opening ${path}`, () => rename(temporary, place));
  } finally {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
  }
}

/** Checks a signature while the file is being written. */
export class Check {
  readonly #terminal: Terminal;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #verdicts: ReturnType<DetachedSignature['verdicts']>;
  readonly #isSignature: boolean;

  private constructor(terminal: Terminal, signature: DetachedSignature | undefined) {
    this.#terminal = terminal;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.#writer = writable.getWriter();
    this.#isSignature = signature !== undefined;
    this.#verdicts = signature === undefined ? drained(readable) : signature.verdicts(readable);
    this.#verdicts.catch(() => undefined);
  }

  static async begin(signature: Uint8Array, terminal: Terminal): Promise<Check> {
    return new Check(terminal, await DetachedSignature.read(signature, await signingKeys(terminal)));
  }

  async take(chunk: Uint8Array): Promise<void> {
    await this.#writer.write(chunk);
  }

  /** Throws unless all signatures are good; prints gpg's messages, about bad ones only with `always`. */
  async end(told: 'always' | 'good'): Promise<void> {
    await this.#writer.close();
    const verdicts = await this.#verdicts;
    const isGood = verdicts.length > 0 && verdicts.every(({ outcome }) => outcome === 'good');
    if (isGood || told === 'always') {
      this.#terminal.sayText(this.#isSignature ? gpgWords(verdicts) : 'gpg: no valid OpenPGP data found.');
    }
    if (!isGood) throw new Error('GPG verification failure');
  }
}

async function drained(stream: ReadableStream<Uint8Array>): Promise<readonly []> {
  const reader = stream.getReader();
  while (!(await reader.read()).done);
  return [];
}

/** Passes on the body of a response, with progress and signature check. */
async function* tapped(
  { io }: Terminal,
  { headers, body }: Response,
  part: string,
  check: Check | undefined,
): AsyncGenerator<Uint8Array, void> {
  const length = Number(headers.get('content-length') ?? 0);
  const [before, after] = io.stderr.isTTY ? ['> ', '   \r'] : ['', '\n'];
  let [position, told] = [0, Date.now()];
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      position += next.value.length;
      if (Date.now() - told >= 1000 || position === length) {
        const share = length > 0 ? `/${sizeText(length)} (${Math.floor((100 * position) / length)}%)` : '';
        io.stderr.write(`${before}Read ${part} ${sizeText(position)}${share}${after}`);
        told = Date.now();
      }
      await check?.take(next.value);
      yield next.value;
    }
  } finally {
    if (io.stderr.isTTY) io.stderr.write('\n');
    await reader?.cancel().catch(() => undefined);
  }
}

function sizeText(bytes: number): string {
  const step = Math.min(4, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return step === 0 ? `${bytes} B` : `${(bytes / 1024 ** step).toFixed(1)} ${['', 'KiB', 'MiB', 'GiB', 'TiB'][step]}`;
}
