import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { overlay } from '../../src/bytes/overlay.ts';
import { bytesSource, CHUNK_SIZE, type Progress, zeros } from '../../src/bytes/source.ts';
import { fileSource } from '../../src/node/file-source.ts';
import { writeStream } from '../../src/node/write-stream.ts';
import { temporaryDirectory } from './support/directory.ts';
import { pattern } from './support/images.ts';

test('an edited image comes out of a pipe byte for byte, and the stream stays open', async () => {
  const path = join(await temporaryDirectory(), 'a.iso');
  await writeFile(path, pattern(5 * CHUNK_SIZE + 17));
  await using file = await fileSource(path);
  const image = overlay(file, [{ offset: CHUNK_SIZE - 5, bytes: pattern(10, 2) }], { tail: [pattern(99, 3)] });
  const progress: Progress[] = [];
  const pipe = new PassThrough();
  const reading = buffer(pipe);
  await writeStream(image, pipe, { onProgress: (step) => progress.push(step) });
  expect(pipe.writableEnded).toBe(false);
  pipe.end();
  expect(Buffer.compare(await reading, await image.read(0, image.size))).toBe(0);
  expect(progress.at(-1)).toEqual({ done: image.size, total: image.size });
});

test('a slow reader sets the pace: chunks are not changed before they are taken', async () => {
  const source = bytesSource(pattern(4 * CHUNK_SIZE + 1));
  const seen: Uint8Array[] = [];
  const slow = Object.assign(new Writable(), {
    fd: 1,
    _write(chunk: Uint8Array, _encoding: string, done: () => void) {
      setTimeout(() => {
        seen.push(Uint8Array.from(chunk));
        done();
      }, 2);
    },
  });
  await writeStream(source, slow);
  expect(Buffer.compare(Buffer.concat(seen), await source.read(0, source.size))).toBe(0);
});

test('nothing that listens is left on the stream or the signal', async () => {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const before = sink.eventNames();
  await writeStream(zeros(3 * CHUNK_SIZE), sink, { signal: new AbortController().signal });
  expect(sink.eventNames()).toEqual(before);
});

test('a program that stops reading is reported as a reader that is gone', async () => {
  const reader = spawn(process.execPath, ['-e', 'process.stdin.once("data", () => process.exit())'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await expect(writeStream(zeros(1e9), reader.stdin)).rejects.toMatchObject({ code: 'ISO_READER_GONE' });
  if (reader.exitCode === null) await once(reader, 'exit');
});

test.each<[string, (stream: PassThrough) => void]>([
  ['destroyed', (stream) => stream.destroy()],
  ['ended', (stream) => stream.end()],
])('a stream that is %s before or during the work is a reader that is gone', async (_, close) => {
  const early = new PassThrough();
  close(early);
  await expect(writeStream(zeros(10), early)).rejects.toMatchObject({ code: 'ISO_READER_GONE' });
  const late = new PassThrough();
  const writing = writeStream(zeros(10 * CHUNK_SIZE), late);
  setImmediate(() => {
    close(late);
    late.resume();
  });
  await expect(writing).rejects.toMatchObject({ code: 'ISO_READER_GONE' });
});

test('another failure of the stream is passed on', async () => {
  const failure = new Error('printer on fire');
  const sink = new Writable({ write: (_chunk, _encoding, done) => done(failure) });
  await expect(writeStream(zeros(10), sink)).rejects.toBe(failure);
});

test('an abort ends the work although the reader hangs', async () => {
  const abort = new AbortController();
  const hanging = new Writable({ write: () => undefined });
  const writing = writeStream(zeros(10 * CHUNK_SIZE), hanging, { signal: abort.signal });
  setImmediate(() => abort.abort());
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
});
