import { once } from 'node:events';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compose, slice } from '../../src/bytes/compose.ts';
import { overlay } from '../../src/bytes/overlay.ts';
import { type ByteSource, bytesSource, CHUNK_SIZE, type Progress, zeros } from '../../src/bytes/source.ts';
import { fileSource } from '../../src/node/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../src/node/file-system.ts';
import { JournalDraft } from '../../src/node/journal.ts';
import { type CopyOptions, writeCopy, writeCopyOn } from '../../src/node/write-copy.ts';
import { newWriter } from '../../src/node/writer.ts';
import { temporaryDirectory } from './support/directory.ts';
import { Disk } from './support/disk.ts';
import { EDITS, pattern } from './support/images.ts';

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test.each(EDITS)('writes exactly the edited image with %s', async (_, size, edit) => {
  const directory = await temporaryDirectory();
  const base = pattern(size);
  await writeFile(join(directory, 'base.iso'), base);
  await using file = await fileSource(join(directory, 'base.iso'));
  const image = edit(file);
  const progress: Progress[] = [];
  await writeCopy(image, join(directory, 'copy.iso'), { onProgress: (step) => progress.push(step) });
  expect(Buffer.compare(await readFile(join(directory, 'copy.iso')), await image.read(0, image.size))).toBe(0);
  expect(Buffer.compare(await readFile(join(directory, 'base.iso')), base)).toBe(0);
  expect(await readdir(directory)).toEqual(['base.iso', 'copy.iso']);
  expect(progress.at(-1)).toEqual({ done: image.size, total: image.size });
});

test('copies a composition of many small and large parts in order', async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'base.iso'), pattern(3 * CHUNK_SIZE));
  await using file = await fileSource(join(directory, 'base.iso'));
  const parts = Array.from({ length: 400 }, (_, index) => slice(file, index * 900, 1000));
  const whole = compose([zeros(CHUNK_SIZE + 1), ...parts, bytesSource(pattern(77)), slice(file, 5, 2 * CHUNK_SIZE)]);
  await writeCopy(whole, join(directory, 'copy'));
  expect(Buffer.compare(await readFile(join(directory, 'copy')), await whole.read(0, whole.size))).toBe(0);
});

describe('a file of several pieces', () => {
  const SIZE = 3 * 1024 * 1024 + 17;
  const PATCH = { offset: 1024 * 1024 - 5, bytes: new Uint8Array(1024 * 1024 + 10).fill(7) };

  test('is copied with patches across their boundaries', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'base.iso'), pattern(SIZE));
    await using file = await fileSource(join(directory, 'base.iso'));
    const image = overlay(file, [PATCH]);
    const done: number[] = [];
    await writeCopy(image, join(directory, 'copy.iso'), { onProgress: (step) => done.push(step.done) });
    expect(Buffer.compare(await readFile(join(directory, 'copy.iso')), await image.read(0, SIZE))).toBe(0);
    expect(done).toEqual([1048576, 2097152, 3145728, SIZE]);
  });

  test('that has shrunk is an error, and leaves nothing', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'base.iso'), pattern(SIZE));
    await using file = await fileSource(join(directory, 'base.iso'));
    await truncate(join(directory, 'base.iso'), 2 * 1024 * 1024 + 1);
    const copying = writeCopy(slice(file, 0, SIZE), join(directory, 'copy.iso'));
    await expect(copying).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
    expect(await readdir(directory)).toEqual(['base.iso']);
  });

  test('is no longer read after a failed copy has ended', async () => {
    const directory = await temporaryDirectory();
    let reading = 0;
    const slow: ByteSource = {
      size: SIZE,
      async read(_, length) {
        reading++;
        await new Promise((resolve) => setTimeout(resolve, 20));
        reading--;
        return new Uint8Array(length);
      },
    };
    const full: FileSystem = {
      ...nodeFileSystem,
      async open(path, flags, mode) {
        const file = await nodeFileSystem.open(path, flags, mode);
        return {
          ...file,
          writeSync: () => {
            expect(reading).toBe(1);
            throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
          },
        };
      },
    };
    const copying = writeCopyOn(slow, join(directory, 'copy.iso'), {}, full);
    await expect(copying).rejects.toMatchObject({ code: 'ISO_NO_SPACE' });
    expect(reading).toBe(0);
  });
});

test('writes an empty file for an empty source', async () => {
  const path = join(await temporaryDirectory(), 'empty');
  await writeCopy(zeros(0), path);
  expect((await stat(path)).size).toBe(0);
});

describe('an existing file', () => {
  test('is not replaced by default', async () => {
    const path = join(await temporaryDirectory(), 'a.iso');
    await writeFile(path, 'precious');
    await expect(writeCopy(zeros(10), path)).rejects.toMatchObject({ code: 'ISO_EXISTS' });
    expect(await readFile(path, 'utf8')).toBe('precious');
  });

  test('is not replaced even if it appears while the copy is made', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'a.iso');
    const slow: ByteSource = {
      size: 1,
      async read() {
        await writeFile(path, 'precious');
        return Uint8Array.of(1);
      },
    };
    await expect(writeCopy(slow, path)).rejects.toMatchObject({ code: 'ISO_EXISTS' });
    expect(await readFile(path, 'utf8')).toBe('precious');
    expect(await readdir(directory)).toEqual(['a.iso']);
  });

  test('is replaced on request, and keeps its permissions', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'a.iso');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await writeCopy(bytesSource(pattern(10)), path, { replace: true });
    expect(new Uint8Array(await readFile(path))).toEqual(pattern(10));
    expect(await readdir(directory)).toEqual(['a.iso']);
    if (process.platform !== 'win32') expect(await modeOf(path)).toBe(0o640);
  });

  test('can be replaced by an edit of itself', async () => {
    const path = join(await temporaryDirectory(), 'a.iso');
    await writeFile(path, pattern(1000));
    await using file = await fileSource(path);
    await writeCopy(overlay(file, [{ offset: 3, bytes: Uint8Array.of(1, 2) }]), path, { replace: true });
    const expected = pattern(1000);
    expected.set([1, 2], 3);
    expect(new Uint8Array(await readFile(path))).toEqual(expected);
    expect(await file.read(0, 1000)).toEqual(pattern(1000));
  });

  test('is replaced at the target of a link, and the link stays', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'real.iso'), 'old');
    await symlink('real.iso', join(directory, 'link.iso'));
    await writeCopy(zeros(2), join(directory, 'link.iso'), { replace: true });
    expect((await lstat(join(directory, 'link.iso'))).isSymbolicLink()).toBe(true);
    expect((await stat(join(directory, 'real.iso'))).size).toBe(2);
  });

  test('is never replaced if it is not a regular file', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'sub'));
    const copying = writeCopy(zeros(2), join(directory, 'sub'), { replace: true });
    await expect(copying).rejects.toMatchObject({ code: 'ISO_EXISTS' });
  });
});

describe.skipIf(process.platform === 'win32')('permissions', () => {
  test('are only for the owner, the given ones, or those of any new file', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'plain'), '');
    const copied = async (name: string, mode?: CopyOptions['mode']): Promise<number> => {
      await writeCopy(zeros(1), join(directory, name), mode === undefined ? {} : { mode });
      return await modeOf(join(directory, name));
    };
    expect(await copied('secret')).toBe(0o600);
    expect(await copied('shared', 0o640)).toBe(0o640);
    expect(await copied('public', 'public')).toBe(await modeOf(join(directory, 'plain')));
  });

  test('do not let others read an incomplete copy', async () => {
    const directory = await temporaryDirectory();
    let mode: number | undefined;
    const watching: ByteSource = {
      size: 1,
      async read() {
        const [name] = await readdir(directory);
        mode = await modeOf(join(directory, name!));
        return Uint8Array.of(1);
      },
    };
    await writeCopy(watching, join(directory, 'copy'), { mode: 0o644 });
    expect(mode).toBe(0o600);
  });
});

test('does not wait for the disk unless the copy must be durable', async () => {
  const disk = new Disk();
  await writeCopyOn(bytesSource(pattern(1000)), '/a/copy', {}, disk);
  expect(disk.operations.filter((name) => name.startsWith('sync'))).toEqual([]);
  await writeCopyOn(bytesSource(pattern(1000)), '/a/durable', { durable: true }, disk);
  expect(disk.operations.filter((name) => name.startsWith('sync'))).toEqual(['sync', 'sync directory']);
});

describe('a long durable copy', () => {
  const MIB = 1024 * 1024;
  /** Files that discard writes; `sync` replaces their own, and `events` lists their operations. */
  function swallowing(sync: () => Promise<void>): { files: FileSystem; events: string[] } {
    const events: string[] = [];
    let written = 0;
    const files: FileSystem = {
      ...nodeFileSystem,
      async open(...given) {
        const file = await nodeFileSystem.open(...given);
        return {
          ...file,
          writeSync({ length }) {
            written += length;
            return length;
          },
          async sync() {
            events.push(`sync at ${written / MIB} MiB`);
            await sync();
            events.push('synced');
          },
          close() {
            events.push('close');
            return file.close();
          },
        };
      },
    };
    return { files, events };
  }
  const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

  test('is synced in parts while it is written', async () => {
    const { files, events } = swallowing(soon);
    await writeCopyOn(zeros(200 * MIB), join(await temporaryDirectory(), 'copy'), { durable: true }, files);
    expect(events).toEqual([64, 128, 192, 200].flatMap((mib) => [`sync at ${mib} MiB`, 'synced']).concat('close'));
  });

  test.each([
    ['while more is written', 1],
    ['at the end', 3],
  ])('fails if the disk fails %s', async (_, nth) => {
    const directory = await temporaryDirectory();
    let count = 0;
    const { files } = swallowing(async () => {
      await soon();
      if (++count === nth) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' });
    });
    const copying = writeCopyOn(zeros(200 * MIB), join(directory, 'copy'), { durable: true }, files);
    await expect(copying).rejects.toMatchObject({ code: 'ISO_IO', cause: { code: 'EIO' } });
    expect(await readdir(directory)).toEqual([]);
  });

  test('is not closed during a sync when aborted', async () => {
    const abort = new AbortController();
    const { files, events } = swallowing(async () => {
      await once(abort.signal, 'abort');
      await soon();
    });
    const onProgress = ({ done }: Progress): void => {
      if (done > 70 * MIB) abort.abort();
    };
    const path = join(await temporaryDirectory(), 'copy');
    const copying = writeCopyOn(zeros(200 * MIB), path, { durable: true, signal: abort.signal, onProgress }, files);
    await expect(copying).rejects.toMatchObject({ name: 'AbortError' });
    expect(events).toEqual(['sync at 64 MiB', 'synced', 'close']);
  });
});

test('removes the partial copy on an abort', async () => {
  const directory = await temporaryDirectory();
  const abort = new AbortController();
  const onProgress = (): void => abort.abort();
  const copying = writeCopy(zeros(10 * CHUNK_SIZE), join(directory, 'copy'), { signal: abort.signal, onProgress });
  await expect(copying).rejects.toMatchObject({ name: 'AbortError' });
  expect(await readdir(directory)).toEqual([]);
});

test('removes the partial copy if the source fails', async () => {
  const directory = await temporaryDirectory();
  const failure = new Error('disk on fire');
  const failing: ByteSource = { size: 10, read: () => Promise.reject(failure) };
  await expect(writeCopy(failing, join(directory, 'copy'))).rejects.toBe(failure);
  expect(await readdir(directory)).toEqual([]);
});

test.each(['ENOSPC', 'EDQUOT'])('reports a full disk (%s) with the name of the copy', async (code) => {
  const files: FileSystem = {
    ...nodeFileSystem,
    async open(path) {
      throw Object.assign(new Error(`${code}: no room, open '${path}'`), { code, syscall: 'open', path });
    },
  };
  const path = join(await temporaryDirectory(), 'copy');
  await expect(writeCopyOn(zeros(1), path, {}, files)).rejects.toMatchObject({
    code: 'ISO_NO_SPACE',
    message: `cannot write ${path}: ${code === 'ENOSPC' ? 'no space left on the device' : 'the disk quota is exceeded'}`,
    cause: { message: `${code}: no room, open '${path}'`, path },
  });
});

test("reports a missing directory with the operating system's error", async () => {
  const path = join(await temporaryDirectory(), 'none', 'copy');
  await expect(writeCopy(zeros(1), path)).rejects.toMatchObject({ code: 'ISO_IO', cause: { code: 'ENOENT' } });
});

test('makes no copy at a path with the journal of a removed image', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'a.iso');
  const draft = await JournalDraft.begin(nodeFileSystem, path);
  await draft.add(0, pattern(5), pattern(5, 2));
  const writer = { ...newWriter(), started: 'in an earlier life' };
  const entry = { do: 'roll-back', size: 10, to: 10, pieces: draft.pieces, crc: 0 } as const;
  await draft.seal(writer, { dev: 1n, ino: 1n }, entry);
  await draft.lock(path);
  await draft.arm(path);
  await draft.close();
  await expect(writeCopy(bytesSource(pattern(10, 3)), path)).rejects.toMatchObject({
    code: 'ISO_NEEDS_ROLLBACK',
    message: expect.stringContaining('.a.iso.coreiso-journal'),
  });
  expect(await readdir(directory)).toEqual(['.a.iso.coreiso-journal']);
});
