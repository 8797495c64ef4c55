import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { output } from '../../../../test/support/tools.ts';
import { overlay } from '../../src/bytes/overlay.ts';
import { CHUNK_SIZE, type Progress, zeros } from '../../src/bytes/source.ts';
import { fileSource } from '../../src/node/file-source.ts';
import { writeStream } from '../../src/node/write-stream.ts';
import { temporaryDirectory } from './support/directory.ts';
import { pattern } from './support/images.ts';

test('writes an edited image to a pipe byte for byte, and keeps the stream open', async () => {
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

/** Standard output is written through its descriptor, so the test needs a separate process, with the built package. */
const built = new URL('../../dist/node.js', import.meta.url);

describe.skipIf(!existsSync(built))('standard output', () => {
  test.each([
    ['a file', '>out'],
    ['a pipe', '| cat >out'],
    ['a pipe with a slow reader', '| { sleep 0.2; cat; } >out'],
  ])('is written byte for byte to %s', async (_, redirection) => {
    const directory = await temporaryDirectory();
    const bytes = pattern(5 * CHUNK_SIZE + 17);
    await writeFile(join(directory, 'a.iso'), bytes);
    await writeFile(
      join(directory, 'stream.mjs'),
      `import { fileSource, writeStream } from ${JSON.stringify(built.href)};
       const file = await fileSource('a.iso');
       await writeStream(file, process.stdout);
       await file.close();`,
    );
    output('sh', ['-c', `"$1" stream.mjs ${redirection}`, 'sh', process.execPath], { cwd: directory });
    expect(Buffer.compare(await readFile(join(directory, 'out')), bytes)).toBe(0);
  });
});

test('leaves no listeners on the stream or the signal', async () => {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const before = sink.eventNames();
  await writeStream(zeros(3 * CHUNK_SIZE), sink, { signal: new AbortController().signal });
  expect(sink.eventNames()).toEqual(before);
});

test('reports a program that stops reading as a reader that is gone', async () => {
  const reader = spawn(process.execPath, ['-e', 'process.stdin.once("data", () => process.exit())'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await expect(writeStream(zeros(1e9), reader.stdin)).rejects.toMatchObject({ code: 'ISO_READER_GONE' });
  if (reader.exitCode === null) await once(reader, 'exit');
});

test.each<[string, (stream: PassThrough) => void]>([
  ['destroyed', (stream) => stream.destroy()],
  ['ended', (stream) => stream.end()],
])('reports a stream that is %s before or during the work as a reader that is gone', async (_, close) => {
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

test('passes on other failures of the stream', async () => {
  const failure = new Error('printer on fire');
  const sink = new Writable({ write: (_chunk, _encoding, done) => done(failure) });
  await expect(writeStream(zeros(10), sink)).rejects.toBe(failure);
});

test('ends on an abort even if the reader hangs', async () => {
  const abort = new AbortController();
  const hanging = new Writable({ write: () => undefined });
  const writing = writeStream(zeros(10 * CHUNK_SIZE), hanging, { signal: abort.signal });
  setImmediate(() => abort.abort());
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
});
