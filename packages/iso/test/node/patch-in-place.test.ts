import { readdir, readFile, realpath, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { overlay } from '../../src/bytes/overlay.ts';
import { bytesSource, type Progress } from '../../src/bytes/source.ts';
import { fileSource, fileSourceOn } from '../../src/node/file-source.ts';
import { nodeFileSystem } from '../../src/node/file-system.ts';
import { JournalDraft } from '../../src/node/journal.ts';
import { patchInPlace } from '../../src/node/patch-in-place.ts';
import { newWriter } from '../../src/node/writer.ts';
import { temporaryDirectory } from './support/directory.ts';
import { Disk, systemError } from './support/disk.ts';
import { EDITS, pattern } from './support/images.ts';

async function image(size = 1000): Promise<{ directory: string; path: string; bytes: Uint8Array }> {
  const directory = await realpath(await temporaryDirectory());
  const path = join(directory, 'live.iso');
  const bytes = pattern(size);
  await writeFile(path, bytes);
  return { directory, path, bytes };
}

test.each(EDITS)('writes %s to a real file', async (_, size, edit) => {
  const { directory, path, bytes } = await image(size);
  const expected = edit(bytesSource(bytes));
  await using file = await fileSource(path, { writable: true });
  const progress: Progress[] = [];
  await patchInPlace(edit(file), file, { onProgress: (step) => progress.push(step) });
  expect(Buffer.compare(await readFile(path), await expected.read(0, expected.size))).toBe(0);
  expect(await readdir(directory)).toEqual(['live.iso']);
  expect(progress.at(-1)?.done).toBe(progress.at(-1)?.total);
});

test('writes an edit of an edit as one', async () => {
  const { path, bytes } = await image();
  await using file = await fileSource(path, { writable: true });
  const first = overlay(file, [{ offset: 5, bytes: Uint8Array.of(1, 2, 3) }]);
  await patchInPlace(overlay(first, [{ offset: 6, bytes: Uint8Array.of(9) }]), file);
  bytes.set([1, 9, 3], 5);
  expect(new Uint8Array(await readFile(path))).toEqual(bytes);
});

test('keeps the journal of a linked image beside the real file', async () => {
  const { directory, path } = await image();
  const links = await realpath(await temporaryDirectory());
  await symlink(path, join(links, 'link.iso'));
  let beside: string[] = [];
  await using file = await fileSource(join(links, 'link.iso'), { writable: true });
  const onProgress = async (): Promise<void> => {
    beside = await readdir(directory);
  };
  await patchInPlace(overlay(file, [], { tail: [pattern(300_000)] }), file, { onProgress });
  expect(beside).toContain('.live.iso.coreiso-journal');
  expect(await readdir(links)).toEqual(['link.iso']);
});

test('does not write unchanged bytes, and leaves no trace', async () => {
  const disk = new Disk().put('/a/live.iso', pattern(1000));
  const file = await fileSourceOn('/a/live.iso', { writable: true }, disk);
  disk.operations.length = 0;
  await patchInPlace(overlay(file, [{ offset: 7, bytes: pattern(1000).slice(7, 90) }]), file);
  expect(disk.operations).not.toContain('write');
  expect(disk.list()).toEqual(['/a/live.iso']);
});

test('refuses misuse by the name of the parameter', async () => {
  const { path } = await image();
  await using readOnly = await fileSource(path);
  await using file = await fileSource(path, { writable: true });
  await expect(patchInPlace(overlay(readOnly, []), readOnly)).rejects.toThrow(/^file must be /);
  await expect(patchInPlace(overlay(readOnly, []), file)).rejects.toThrow(/^overlay must be /);
  const impostor = { ...file };
  await expect(patchInPlace(overlay(impostor, []), impostor)).rejects.toThrow(/^file must be /);
});

test.each<[string, (path: string, directory: string) => Promise<void>]>([
  ['was written to', (path) => writeFile(path, pattern(1000, 2))],
  ['has another size', (path) => writeFile(path, pattern(999))],
  ['has another time', (path) => utimes(path, 1, 1)],
  [
    'was replaced',
    async (path, directory) => {
      await writeFile(join(directory, 'other'), pattern(1000, 2));
      await rename(join(directory, 'other'), path);
    },
  ],
])('does not change a file that %s since it was opened', async (_, change) => {
  const { directory, path } = await image();
  await using file = await fileSource(path, { writable: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await change(path, directory);
  const contents = await readFile(path);
  const edited = overlay(file, [{ offset: 0, bytes: Uint8Array.of(1) }]);
  await expect(patchInPlace(edited, file)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
  expect(await readFile(path)).toEqual(contents);
  expect(await readdir(directory)).toEqual(['live.iso']);
});

test('refuses a source after writing through it', async () => {
  const { path } = await image();
  await using file = await fileSource(path, { writable: true });
  await patchInPlace(overlay(file, [{ offset: 0, bytes: Uint8Array.of(1) }]), file);
  const again = overlay(file, [{ offset: 0, bytes: Uint8Array.of(2) }]);
  await expect(patchInPlace(again, file)).rejects.toMatchObject({ code: 'ISO_CHANGED' });
});

test('reports an image as busy if another process is writing to it, and keeps its journal', async () => {
  const { directory, path } = await image();
  await using file = await fileSource(path, { writable: true });
  const theirs = await JournalDraft.begin(nodeFileSystem, path);
  const entry = { do: 'roll-back', size: 1000, to: 1000, pieces: [], crc: 0 } as const;
  await theirs.seal(newWriter(), await nodeFileSystem.stat(path), entry);
  await theirs.lock(path);
  await theirs.arm(path);
  await theirs.close();
  const edited = overlay(file, [{ offset: 0, bytes: Uint8Array.of(1) }]);
  await expect(patchInPlace(edited, file)).rejects.toMatchObject({ code: 'ISO_BUSY' });
  expect(await readdir(directory)).toEqual(['.live.iso.coreiso-journal', 'live.iso']);
});

test('keeps two writers through one source apart', async () => {
  const { path, bytes } = await image();
  await using file = await fileSource(path, { writable: true });
  const edits = [1, 2].map((byte) => overlay(file, [{ offset: byte, bytes: Uint8Array.of(byte, byte) }]));
  const results = await Promise.allSettled(edits.map((edit) => patchInPlace(edit, file)));
  const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index + 1] : []));
  expect(winners).toHaveLength(1);
  const [winner] = winners;
  bytes.set([winner!, winner!], winner!);
  expect(new Uint8Array(await readFile(path))).toEqual(bytes);
});

test('names the image and the journal if the disk is too full for a journal', async () => {
  const disk = new Disk().put('/a/live.iso', pattern(1000));
  const open = disk.open.bind(disk);
  disk.open = async (path, flags, mode) => {
    if (flags === 'wx+') throw Object.assign(new Error(`no room, open '${path}'`), { code: 'ENOSPC', syscall: 'open' });
    return open(path, flags, mode);
  };
  const file = await fileSourceOn('/a/live.iso', { writable: true }, disk);
  const patching = patchInPlace(overlay(file, [{ offset: 0, bytes: Uint8Array.of(1) }]), file);
  await expect(patching).rejects.toMatchObject({
    code: 'ISO_NO_SPACE',
    message: 'cannot write to /a/live.iso: no space left on the device',
    cause: { message: "no room, open '/a/.live.iso.coreiso-journal'" },
  });
});

test.each(['EACCES', 'EPERM', 'EROFS'])(
  'writes without a journal only on request if none can be kept (%s)',
  async (code) => {
    const disk = new Disk().put('/a/live.iso', pattern(1000));
    const open = disk.open.bind(disk);
    disk.open = async (path, flags, mode) => {
      if (flags === 'wx+') throw systemError(code, 'open');
      return open(path, flags, mode);
    };
    const file = await fileSourceOn('/a/live.iso', { writable: true }, disk);
    const edited = overlay(file, [{ offset: 0, bytes: Uint8Array.of(1) }]);
    await expect(patchInPlace(edited, file)).rejects.toMatchObject({ code: 'ISO_NO_JOURNAL', cause: { code } });
    expect(disk.get('/a/live.iso')).toEqual(pattern(1000));
    await patchInPlace(edited, file, { journal: false });
    expect(disk.get('/a/live.iso')?.[0]).toBe(1);
  },
);

test('does not change a file that changes before the journal, and leaves no journal', async () => {
  const disk = new Disk().put('/a/live.iso', pattern(1000));
  const file = await fileSourceOn('/a/live.iso', { writable: true }, disk);
  const link = disk.link.bind(disk);
  disk.link = async (path, another) => {
    await link(path, another);
    disk.put('/a/live.iso', pattern(700, 2));
  };
  const patching = patchInPlace(overlay(file, [{ offset: 0, bytes: Uint8Array.of(1) }]), file);
  await expect(patching).rejects.toMatchObject({ code: 'ISO_CHANGED' });
  expect(disk.get('/a/live.iso')).toEqual(pattern(700, 2));
  expect(disk.list()).toEqual(['/a/live.iso']);
});

test('lets at most one of two writers write to a file under two names', async () => {
  const disk = new Disk().put('/a/live.iso', pattern(1000));
  await disk.link('/a/live.iso', '/a/other.iso');
  const attempts = ['/a/live.iso', '/a/other.iso'].map(async (path, index) => {
    const file = await fileSourceOn(path, { writable: true }, disk);
    await patchInPlace(overlay(file, [{ offset: index, bytes: Uint8Array.of(1, 1) }]), file);
  });
  const results = await Promise.allSettled(attempts);
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason.code).toMatch(/^ISO_(BUSY|CHANGED)$/);
  }
  expect(disk.list()).toEqual(['/a/live.iso', '/a/other.iso']);
});

describe('a patch', () => {
  const PAGE = 4096;
  /** The reported progress of patching a whole image with other bytes in some places. */
  async function patchedWhole(size: number, places: readonly number[]): Promise<Progress[]> {
    const after = pattern(size);
    for (const place of places) after[place] = (after[place] ?? 0) ^ 1;
    const disk = new Disk().put('/images/a.iso', pattern(size));
    const told: Progress[] = [];
    await using file = await fileSourceOn('/images/a.iso', { writable: true }, disk);
    await patchInPlace(overlay(file, [{ offset: 0, bytes: after }]), file, { onProgress: (step) => told.push(step) });
    expect(Buffer.compare(disk.get('/images/a.iso') ?? new Uint8Array(), after)).toBe(0);
    return told;
  }

  test.each<[string, number, number[], number, number[]]>([
    ['the middle of three', 3, [PAGE], 0, [2 * PAGE, 3 * PAGE]],
    ['the last byte of the middle of three', 3, [2 * PAGE - 1], 0, [2 * PAGE, 3 * PAGE]],
    ['the first of three', 3, [0], 0, [2 * PAGE, 3 * PAGE]],
    ['the last of three', 3, [3 * PAGE - 1], 0, [2 * PAGE, 3 * PAGE]],
    ['the first and the last of three', 3, [0, 3 * PAGE - 1], 0, [3 * PAGE]],
    ['none of three', 3, [], 0, [3 * PAGE]],
    ['what is left behind two', 2, [2 * PAGE + 5], 10, [2 * PAGE, 2 * PAGE + 10]],
    ['the beginning, where pages count from the end as well', 2, [0], 10, [2 * PAGE, 2 * PAGE + 10]],
  ])('writes only differing pages: %s', async (_, pages, differing, extra, done) => {
    const total = pages * PAGE + extra;
    const told = await patchedWhole(total, differing);
    // Unchanged bytes count first.
    expect(told).toEqual(done.map((count) => ({ done: count, total })));
  });
});
