import { mkdir, realpath, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { identityOf } from '../../src/bytes/identity.ts';
import { fileSource } from '../../src/node/file-source.ts';
import { temporaryDirectory } from './support/directory.ts';
import { pattern } from './support/images.ts';

test('reads the same bytes at every offset', async () => {
  const path = join(await temporaryDirectory(), 'a.iso');
  const bytes = pattern(5000);
  await writeFile(path, bytes);
  await using source = await fileSource(path);
  expect(source.size).toBe(5000);
  expect(await source.read(0, 5000)).toEqual(bytes);
  expect(await source.read(4097, 903)).toEqual(bytes.slice(4097));
  expect(await source.read(5000, 0)).toEqual(new Uint8Array());
});

test('uses exact positions beyond 32 bits', async () => {
  const path = join(await temporaryDirectory(), 'sparse.iso');
  await writeFile(path, Uint8Array.of(1));
  await truncate(path, 2 ** 33 + 5);
  await using source = await fileSource(path);
  expect(source.size).toBe(2 ** 33 + 5);
  expect(await source.read(2 ** 33, 5)).toEqual(new Uint8Array(5));
});

test('reports a read past the end, or of truncated bytes, as a short read', async () => {
  const path = join(await temporaryDirectory(), 'a.iso');
  await writeFile(path, pattern(100));
  await using source = await fileSource(path);
  await expect(source.read(90, 11)).rejects.toMatchObject({ code: 'ISO_SHORT_READ', offset: 90 });
  await truncate(path, 50);
  await expect(source.read(40, 20)).rejects.toMatchObject({ code: 'ISO_SHORT_READ', offset: 40 });
});

test('rejects an aborted read with the reason', async () => {
  const path = join(await temporaryDirectory(), 'a.iso');
  await writeFile(path, pattern(100));
  await using source = await fileSource(path);
  const reason = new Error('enough');
  await expect(source.read(0, 1, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("reports a failed open with the operating system's error as cause", async () => {
  const directory = await temporaryDirectory();
  await expect(fileSource(join(directory, 'none.iso'))).rejects.toMatchObject({
    code: 'ISO_IO',
    cause: { code: 'ENOENT' },
  });
  await mkdir(join(directory, 'sub'));
  await expect(fileSource(join(directory, 'sub'))).rejects.toMatchObject({ code: 'ISO_IO', cause: { code: 'EISDIR' } });
});

test('resolves links in the path', async () => {
  const directory = await realpath(await temporaryDirectory());
  await writeFile(join(directory, 'real.iso'), pattern(10));
  await symlink('real.iso', join(directory, 'link.iso'));
  await using source = await fileSource(join(directory, 'link.iso'));
  expect(source.path).toBe(join(directory, 'real.iso'));
  expect(source.rolledBack).toBe(false);
});

test('may be closed twice, and cannot be read afterwards', async () => {
  const path = join(await temporaryDirectory(), 'a.iso');
  await writeFile(path, pattern(10));
  const source = await fileSource(path);
  await source.close();
  await source[Symbol.asyncDispose]();
  await expect(source.read(0, 1)).rejects.toMatchObject({ code: 'ISO_IO' });
});

describeWith(['mkfifo'], 'a pipe, which would make the program wait', () => {
  test('is refused at once, as an image and as a journal', async () => {
    const directory = await temporaryDirectory();
    const pipe = join(directory, 'pipe.iso');
    output('mkfifo', [pipe, join(directory, '.a.iso.coreiso-journal')]);
    await expect(fileSource(pipe)).rejects.toMatchObject({ code: 'ISO_IO', message: `${pipe} is not a regular file` });
    await writeFile(join(directory, 'a.iso'), pattern(100));
    await expect(fileSource(join(directory, 'a.iso'))).rejects.toMatchObject({
      code: 'ISO_NEEDS_ROLLBACK',
      message: expect.stringContaining('journal is not a file'),
    });
  });
});

test('gives other work a turn between many small reads', async () => {
  const path = join(await temporaryDirectory(), 'a.iso');
  await writeFile(path, pattern(100));
  await using source = await fileSource(path);
  let turns = 0;
  const clock = setInterval(() => {
    turns++;
  }, 0);
  for (let count = 0; count < 5000; count++) await source.read(0, 10);
  clearInterval(clock);
  expect(turns).toBeGreaterThan(0);
});

test('refuses an invalid identity', async () => {
  await expect(fileSource('a.iso', { identity: 'name' as 'file' })).rejects.toThrow(/^identity must be /);
});

test('names contents only once they are readable', async () => {
  const path = join(await temporaryDirectory(), 'a.iso');
  await writeFile(path, pattern(100));
  await using source = await fileSource(path, { identity: 'contents' });
  await truncate(path, 50);
  await expect(identityOf(source)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  await writeFile(path, pattern(100));
  await expect(identityOf(source)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
  await using again = await fileSource(path, { identity: 'contents' });
  expect(await identityOf(again)).toMatch(/^contents [0-9a-f]{64}$/);
});
