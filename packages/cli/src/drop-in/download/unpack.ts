// Decompresses like the real program: one stream, without trailing data.

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

type Chunks = AsyncIterable<Uint8Array>;

/** Returns a name without its compression suffix; undefined if it has none or the suffix belongs to the format. */
export function unpackedName(name: string): string | undefined {
  if (/\.tar\.(?:gz|xz)$/.test(name)) return undefined;
  const [, kept] = /^(.*?)(?:(?:\.gz)+|(?:\.xz)+)$/s.exec(name) ?? [];
  return kept;
}

/** Decompresses gzip or xz, which it detects by the first bytes; passes anything else through. */
export async function* unpacked(packed: Chunks): AsyncGenerator<Uint8Array, void> {
  const input = new Tail(packed);
  const head = await input.begin(6);
  if (head[0] === 0x1f && head[1] === 0x8b) yield* gunzipped(input);
  else if (head.length === 6 && Buffer.from(head).equals(XZ)) yield* unxzed(input);
  else yield* input.chunks();
}

const XZ = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);

/** A stream that lets callers read its first bytes ahead and know its last bytes afterwards. */
class Tail {
  readonly #source: AsyncIterator<Uint8Array>;
  #held = Buffer.alloc(0);
  /** The last eight bytes. */
  last: Buffer = Buffer.alloc(0);

  constructor(source: Chunks) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async begin(length: number): Promise<Uint8Array> {
    while (this.#held.length < length) {
      const { done, value } = await this.#source.next();
      if (done) break;
      this.#held = Buffer.concat([this.#held, value]);
    }
    return this.#held.subarray(0, length);
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    for (let chunk: Uint8Array = this.#held; ; ) {
      if (chunk.length > 0) {
        this.last = Buffer.from(Buffer.concat([this.last, chunk.subarray(-8)]).subarray(-8));
        yield chunk;
      }
      const { done, value } = await this.#source.next();
      if (done) return;
      chunk = value;
    }
  }
}

async function* gunzipped(input: Tail): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  try {
    for await (const chunk of Readable.from(input.chunks()).pipe(createGunzip())) {
      size += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') !== true) throw error;
    const isCut = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    throw new Error(isCut ? 'incomplete deflate stream' : 'corrupt deflate stream', { cause: undefined });
  }
  // RFC 1952, 2.3.1: the last four bytes are the size; with trailing data they are not.
  if (input.last.readUInt32LE(4) !== size % 2 ** 32) throw trailing();
}

async function* unxzed(input: Tail): AsyncGenerator<Uint8Array, void> {
  // CommonJS: bundlers and Node disagree about the place of its exports.
  const module = await import('xz-decompress');
  const { XzReadableStream } = 'XzReadableStream' in module ? module : (module as { default: typeof module }).default;
  const chunks = input.chunks();
  const source = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const reader = new XzReadableStream(source).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (error) {
    // The code is the decoder's XZ_BUF_ERROR.
    const isCut = /error code 8$/.test(String((error as Error).message));
    throw new Error(isCut ? 'xz compressed stream is truncated or otherwise corrupt' : 'lzma data error');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  // .xz file format, 2.1.2.4: a stream ends with these two bytes.
  if (input.last.toString('latin1', 6) !== 'YZ') throw trailing();
}

function trailing(): Error {
  return new Error('found trailing data after compressed stream');
}
