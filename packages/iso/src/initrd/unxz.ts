import { IsoError } from '../errors.ts';
import type { ByteReader } from './byte-reader.ts';
import { CutStream, inBlocks } from './in-blocks.ts';

/** Stream header, stream footer (.xz file format 2.1.1). */
const HEADER_LENGTH = 12;
/**
 * Length of the integrity check after a block, by the stream's check type (.xz file format 2.1.1.2): CRC32 and CRC64.
 * The decoder refuses other types when it reads the header.
 */
const CHECK_LENGTHS: Readonly<Record<number, number>> = { 1: 4, 4: 8 };
const LZMA2_END = 0x00;
/** A chunk's control byte, sizes and properties. */
const LZMA2_HEADER_LENGTH = 6;

/** Decodes one .xz stream and leaves `input` after it. */
export function unxz(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  return inBlocks(decode(input));
}

async function* decode(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  // A CommonJS module: bundlers and Node expose its exports differently.
  const module = await import('xz-decompress');
  const { XzReadableStream } = 'XzReadableStream' in module ? module : (module as { default: typeof module }).default;
  const start = input.position;
  const pieces = streamPieces(input);
  // The decoder does not pass on errors of its input.
  let failure: { readonly error: unknown } | undefined;
  const compressed = pullStream(pieces, (error) => {
    failure = { error };
  });
  const decoded = new XzReadableStream(compressed).getReader();
  try {
    for (;;) {
      const { done, value } = await decoded.read();
      if (done) break;
      yield value;
    }
    if (!(await pieces.next()).done) throw corrupt(start);
  } catch (error) {
    if (failure !== undefined && !isDamage(failure.error)) throw failure.error;
    if (error instanceof IsoError) throw error;
    throw isBlocked(error) ? wasmBlockedError(start, error) : corrupt(start);
  } finally {
    // The decoder serves one stream at a time; the next one would wait forever for an abandoned one.
    await decoded.cancel().catch(() => {});
  }
}

/**
 * Splits the stream into pieces without decoding it, by the lengths in the LZMA2 chunks. This finds the end of the
 * stream.
 */
async function* streamPieces(input: ByteReader): AsyncGenerator<Uint8Array, void> {
  const header = await readExactly(input, HEADER_LENGTH);
  const checkLength = CHECK_LENGTHS[header[7] ?? 0] ?? 0;
  yield header;
  let blocks = 0;
  for (;;) {
    const first = (await peek(input, 1))[0] ?? 0;
    if (first === 0) break;
    yield await readExactly(input, (first + 1) * 4);
    yield* blockPieces(input, checkLength);
    blocks++;
  }
  yield* indexPieces(input, blocks);
  yield await readExactly(input, HEADER_LENGTH);
}

async function* blockPieces(input: ByteReader, checkLength: number): AsyncGenerator<Uint8Array, void> {
  const start = input.position;
  for (;;) {
    const head = await input.peek(LZMA2_HEADER_LENGTH);
    const [control = LZMA2_END, b1 = 0, b2 = 0, b3 = 0, b4 = 0] = head;
    if (control === LZMA2_END) break;
    if (control >= 0x80) {
      const properties = control >= 0xc0 ? 1 : 0;
      yield* chunk(input, 5 + properties + ((b3 << 8) | b4) + 1);
    } else if (control <= 0x02) {
      yield* chunk(input, 3 + ((b1 << 8) | b2) + 1);
    } else {
      throw corrupt(input.position);
    }
  }
  const length = input.position - start + 1;
  yield await readExactly(input, 1 + ((4 - (length % 4)) % 4) + checkLength);
}

/** If the input ends within a chunk, the part before is still decoded. */
async function* chunk(input: ByteReader, length: number): AsyncGenerator<Uint8Array, void> {
  const bytes = await input.peek(length);
  input.advance(bytes.length);
  yield bytes;
  if (bytes.length < length) throw truncated(input.position);
}

/** Index (.xz file format 4): as many records as there were blocks, which bounds it. */
async function* indexPieces(input: ByteReader, blocks: number): AsyncGenerator<Uint8Array, void> {
  const start = input.position;
  yield await readExactly(input, 1);
  const counted = await varint(input);
  if (counted.value !== blocks) throw corrupt(start);
  yield counted.bytes;
  for (let numbers = 2 * blocks; numbers > 0; numbers--) yield (await varint(input)).bytes;
  yield await readExactly(input, ((4 - ((input.position - start) % 4)) % 4) + 4);
}

/** A variable-length number: up to nine groups of seven bits (.xz file format 1.2). */
async function varint(input: ByteReader): Promise<{ readonly bytes: Uint8Array; readonly value: number }> {
  const ahead = await peek(input, 9);
  const last = ahead.findIndex((byte) => byte < 0x80);
  if (last === -1) throw ahead.length < 9 ? truncated(input.position) : corrupt(input.position);
  const bytes = await readExactly(input, last + 1);
  return { bytes, value: bytes.reduceRight((value, byte) => value * 128 + (byte & 0x7f), 0) };
}

async function peek(input: ByteReader, length: number): Promise<Uint8Array> {
  const bytes = await input.peek(length);
  if (bytes.length === 0) throw truncated(input.position);
  return bytes;
}

async function readExactly(input: ByteReader, length: number): Promise<Uint8Array> {
  if ((await input.peek(length)).length < length) throw truncated(input.position);
  return input.take(length);
}

/** A stream that pulls each piece on demand, so that `input` never runs ahead. */
function pullStream(
  pieces: AsyncGenerator<Uint8Array, void>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onFailure(error);
          throw error;
        }
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

function truncated(offset: number): IsoError {
  return new CutStream('xz compressed stream is truncated or otherwise corrupt', offset);
}

/** Replaces the decoder's own errors, which are numbers without a meaning elsewhere. */
function corrupt(offset: number): IsoError {
  return new IsoError('ISO_BAD_ARCHIVE', 'lzma data error', { offset });
}

/** Whether the stream is damaged; other errors come from its source. */
function isDamage(error: unknown): boolean {
  return error instanceof IsoError && error.code === 'ISO_BAD_ARCHIVE';
}

/**
 * The decoder is WebAssembly, which a page's Content Security Policy may forbid; each browser reports that differently.
 */
function isBlocked(error: unknown): boolean {
  return typeof WebAssembly === 'undefined' || error instanceof WebAssembly.CompileError || error instanceof EvalError;
}

function wasmBlockedError(offset: number, cause: unknown): IsoError {
  const message = "xz cannot be decoded where WebAssembly is blocked: the policy of the page needs 'wasm-unsafe-eval'";
  return new IsoError('ISO_UNSUPPORTED', message, { cause, offset });
}
