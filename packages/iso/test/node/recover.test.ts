import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../../src/bytes/source.ts';
import { crc32 } from '../../src/checksums/crc32.ts';
import { fileSourceOn } from '../../src/node/file-source.ts';
import { JournalDraft, journalPath } from '../../src/node/journal.ts';
import { recoverImageOn } from '../../src/node/recover.ts';
import type { JournalEntry } from '../../src/node/recovery/journal-index.ts';
import { newWriter, type Writer } from '../../src/node/writer.ts';
import { Disk, systemError } from './support/disk.ts';
import { pattern } from './support/images.ts';

const IMAGE = '/images/live.iso';
const JOURNAL = '/images/.live.iso.coreiso-journal';
const before = pattern(100);
const after = pattern(100, 2);

/** A dead writer. */
const deadWriter: Writer = { ...newWriter(), started: 'in an earlier life' };

const PIECES = [{ offset: 20, length: 20 }];
const ROLL_BACK: JournalEntry = { do: 'roll-back', size: 100, to: 100, pieces: PIECES, crc: 0 };
const CUT: JournalEntry = { do: 'cut', size: 100, to: 60, pieces: PIECES, crc: crc32(after.subarray(20, 40)) };

/** An image of which bytes from 20 up to `end` were written, of 20 to 40. */
function writtenUpTo(end: number): Uint8Array {
  const image = before.slice();
  image.set(after.subarray(20, end), 20);
  return image;
}

/** A disk on which a writer was interrupted after half of its only patch. */
async function interrupted(writer: Writer = deadWriter, entry = ROLL_BACK, image = writtenUpTo(30)): Promise<Disk> {
  const disk = new Disk().put(IMAGE, image);
  await leaveJournal(disk, writer, entry);
  return disk;
}

async function leaveJournal(disk: Disk, writer: Writer, entry: JournalEntry): Promise<void> {
  const draft = await JournalDraft.begin(disk, IMAGE);
  if (entry.do === 'roll-back') await draft.add(20, before.subarray(20, 40), after.subarray(20, 40));
  await draft.seal(writer, await disk.stat(IMAGE), entry);
  await draft.lock(IMAGE);
  await draft.arm(IMAGE);
  await draft.close();
}

async function livingProcess(): Promise<{ pid: number; end: () => Promise<unknown> }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  await once(child, 'spawn');
  return {
    pid: child.pid!,
    end() {
      child.kill('SIGKILL');
      return once(child, 'exit');
    },
  };
}

test('leaves an image alone that another process has restored during the claim', async () => {
  const disk = await interrupted();
  const open = disk.open.bind(disk);
  disk.open = async (path, flags, mode) => {
    // The claim is the file that is created.
    if (flags === 'wx+') await disk.unlink(JOURNAL);
    return open(path, flags, mode);
  };
  expect(await recoverImageOn(IMAGE, disk)).toBe(false);
  expect([disk.get(IMAGE), disk.list(), disk.openFiles]).toEqual([writtenUpTo(30), [IMAGE], 0]);
});

test('keeps the journal beside the image, hidden and readable only by its owner', async () => {
  const disk = await interrupted();
  expect(journalPath(IMAGE)).toBe(JOURNAL);
  expect(disk.list()).toEqual([JOURNAL, IMAGE]);
  expect(disk.modeOf(JOURNAL)).toBe(0o600);
});

test('restores an image on opening, reports that, and removes the journal', async () => {
  const disk = await interrupted();
  const source = await fileSourceOn(IMAGE, {}, disk);
  expect(source.rolledBack).toBe(true);
  expect(await source.read(0, source.size)).toEqual(before);
  expect(disk.list()).toEqual([IMAGE]);
  expect((await fileSourceOn(IMAGE, {}, disk)).rolledBack).toBe(false);
});

test('restores an image after a power loss during the first restore', async () => {
  const afterwards = (disk: Disk): Disk =>
    disk.afterCrash(
      () => false,
      () => true,
    );
  for (let at = 1; ; at++) {
    const disk = afterwards(await interrupted());
    disk.failAt(at, 'crash after');
    await fileSourceOn(IMAGE, {}, disk).catch(() => undefined);
    if (!disk.failed) break;
    const next = afterwards(disk);
    expect(await (await fileSourceOn(IMAGE, {}, next)).read(0, 100)).toEqual(before);
  }
});

test('reports an image as busy while its writer lives, and restores it afterwards', async () => {
  const writer = await livingProcess();
  const disk = await interrupted(newWriter(writer.pid));
  const untouched = disk.get(IMAGE);
  try {
    await expect(fileSourceOn(IMAGE, {}, disk)).rejects.toMatchObject({ code: 'ISO_BUSY' });
    expect(disk.get(IMAGE)).toEqual(untouched);
  } finally {
    await writer.end();
  }
  expect((await fileSourceOn(IMAGE, {}, disk)).rolledBack).toBe(true);
});

test.each<[string, Partial<Writer>]>([
  ['an earlier process with the same id', { started: 'before it was ended' }],
  ['a process from before the machine was started', { boot: 'before the power went' }],
])('does not report an image as busy because of %s', async (_, difference) => {
  const disk = await interrupted({ ...newWriter(), ...difference });
  expect((await fileSourceOn(IMAGE, {}, disk)).rolledBack).toBe(true);
});

describe.each<[string, Partial<Writer>]>([
  ['on another host', { host: 'elsewhere.example', machine: 'another', boot: 'another' }],
  ['on another host of the same name', { machine: 'another', boot: 'another' }],
  ['on another host of the same system', { host: 'elsewhere.example', boot: 'another' }],
  ['in another PID namespace', { namespace: 'pid:[1]' }],
])('a writer %s is not visible', (_, difference) => {
  const writer = { ...newWriter(), ...difference };

  test('so the image is left alone, with an explanation', async () => {
    const disk = await interrupted(writer);
    await expect(fileSourceOn(IMAGE, {}, disk)).rejects.toMatchObject({
      code: 'ISO_NEEDS_ROLLBACK',
      message: expect.stringMatching(/process \d+ of .*cannot be seen from here.*recoverImage/),
    });
    expect(disk.get(IMAGE)).toEqual(writtenUpTo(30));
    expect(disk.list()).toEqual([JOURNAL, IMAGE]);
  });

  test('so the image is restored only on request', async () => {
    const disk = await interrupted(writer);
    expect(await recoverImageOn(IMAGE, disk)).toBe(true);
    expect(disk.get(IMAGE)).toEqual(before);
    expect(disk.list()).toEqual([IMAGE]);
    expect(await recoverImageOn(IMAGE, disk)).toBe(false);
    expect(disk.openFiles).toBe(0);
  });
});

test('never overrules a working writer', async () => {
  const disk = await interrupted(newWriter());
  await expect(recoverImageOn(IMAGE, disk)).rejects.toMatchObject({ code: 'ISO_BUSY' });
});

test('completes the truncation of a commit record instead of rolling back', async () => {
  const disk = await interrupted(deadWriter, CUT, writtenUpTo(40));
  const source = await fileSourceOn(IMAGE, {}, disk);
  expect([source.size, source.rolledBack]).toEqual([60, false]);
  expect(disk.get(IMAGE)).toEqual(writtenUpTo(40).slice(0, 60));
  expect(disk.list()).toEqual([IMAGE]);
});

describe('a finished edit is not undone', () => {
  test.each<[string, JournalEntry, Uint8Array]>([
    ['with its patches', ROLL_BACK, writtenUpTo(40)],
    ['with a cut', { ...ROLL_BACK, to: 60 }, writtenUpTo(40).slice(0, 60)],
    ['with a cut on record', CUT, writtenUpTo(40).slice(0, 60)],
    [
      'with a tail',
      { ...ROLL_BACK, to: 110, crc: crc32(pattern(10, 5)) },
      concatBytes([writtenUpTo(40), pattern(10, 5)]),
    ],
  ])('%s', async (_, entry, image) => {
    const disk = await interrupted(deadWriter, entry, image);
    const writes = disk.operations.filter((name) => name === 'write').length;
    expect((await fileSourceOn(IMAGE, {}, disk)).rolledBack).toBe(false);
    expect(disk.get(IMAGE)).toEqual(image);
    expect(disk.list()).toEqual([IMAGE]);
    // Only the claim was written.
    expect(disk.operations.filter((name) => name === 'write')).toHaveLength(writes + 1);
  });

  test('but a tail of other bytes is truncated again', async () => {
    const entry: JournalEntry = { ...ROLL_BACK, to: 110, crc: crc32(pattern(10, 5)) };
    const disk = await interrupted(deadWriter, entry, concatBytes([writtenUpTo(40), new Uint8Array(10)]));
    expect((await fileSourceOn(IMAGE, {}, disk)).rolledBack).toBe(true);
    expect(disk.get(IMAGE)).toEqual(before);
  });
});

describe('a journal belongs to one file', () => {
  const ANOTHER = '/images/another.iso';

  test('another file with its name stays unchanged, and so does the journal', async () => {
    const disk = await interrupted();
    await disk.rename(IMAGE, ANOTHER);
    disk.put(IMAGE, writtenUpTo(30));
    await expect(fileSourceOn(IMAGE, {}, disk)).rejects.toMatchObject({
      code: 'ISO_NEEDS_ROLLBACK',
      message: expect.stringMatching(/belongs to a file other than .*move it back.*remove the journal/),
    });
    expect(disk.get(IMAGE)).toEqual(writtenUpTo(30));
    expect(disk.list()).toEqual([JOURNAL, ANOTHER, IMAGE]);
  });

  test('a renamed image is refused until it has its name again', async () => {
    const disk = await interrupted();
    await disk.rename(IMAGE, ANOTHER);
    await expect(fileSourceOn(ANOTHER, {}, disk)).rejects.toMatchObject({
      code: 'ISO_NEEDS_ROLLBACK',
      message: expect.stringContaining('it was called live.iso'),
    });
    await disk.rename(ANOTHER, IMAGE);
    expect((await fileSourceOn(IMAGE, {}, disk)).rolledBack).toBe(true);
  });

  test('an image with two names is refused under the other one until it is restored', async () => {
    const disk = await interrupted();
    await disk.link(IMAGE, ANOTHER);
    await expect(fileSourceOn(ANOTHER, {}, disk)).rejects.toMatchObject({ code: 'ISO_NEEDS_ROLLBACK' });
    await fileSourceOn(IMAGE, {}, disk);
    expect(await (await fileSourceOn(ANOTHER, {}, disk)).read(0, 100)).toEqual(before);
  });

  test('an image is busy under all of its names while the writer lives', async () => {
    const disk = await interrupted(newWriter());
    await disk.link(IMAGE, ANOTHER);
    await expect(fileSourceOn(ANOTHER, {}, disk)).rejects.toMatchObject({ code: 'ISO_BUSY' });
    expect(disk.openFiles).toBe(0);
  });

  test('a device may have another number after a restart', async () => {
    const disk = await interrupted({ ...newWriter(), boot: 'before the power went' });
    disk.device++;
    expect((await fileSourceOn(IMAGE, {}, disk)).rolledBack).toBe(true);
  });

  test('but not before', async () => {
    const disk = await interrupted();
    disk.device++;
    await expect(fileSourceOn(IMAGE, {}, disk)).rejects.toMatchObject({ code: 'ISO_NEEDS_ROLLBACK' });
    expect(await recoverImageOn(IMAGE, disk)).toBe(true);
  });
});

describe('reports an image that cannot be restored, and changes nothing', () => {
  const refused = async (disk: Disk): Promise<void> => {
    const [image, journal] = [disk.get(IMAGE), disk.get(JOURNAL)];
    await expect(fileSourceOn(IMAGE, {}, disk)).rejects.toMatchObject({ code: 'ISO_NEEDS_ROLLBACK' });
    expect([disk.get(IMAGE), disk.get(JOURNAL)]).toEqual([image, journal]);
    // Other processes may try at once, because this attempt leaves nothing behind.
    expect([disk.openFiles, disk.list()]).toEqual([0, [JOURNAL, IMAGE]]);
  };

  test('because it is not writable', async () => {
    const disk = await interrupted();
    const open = disk.open.bind(disk);
    disk.open = async (path, flags, mode) => {
      if (flags === 'r+') throw systemError('EROFS', 'open');
      return open(path, flags, mode);
    };
    await refused(disk);
  });

  test.runIf(process.getuid)('because another user owns the journal', async () => {
    const disk = await interrupted();
    disk.chown(JOURNAL, 54_321);
    await refused(disk);
  });

  test.each([0, 5, 41, 60, 100, -10, -1])('because byte %d of the journal is damaged', async (index) => {
    const disk = await interrupted();
    const journal = disk.get(JOURNAL)!;
    journal.set([journal.at(index)! ^ 1], index < 0 ? journal.length + index : index);
    await refused(disk.put(JOURNAL, journal));
  });

  test('because its journal is an empty lock, on systems without links', async () => {
    const disk = await interrupted();
    const empty = disk.put(JOURNAL, new Uint8Array());
    await expect(fileSourceOn(IMAGE, {}, empty)).rejects.toMatchObject({
      code: 'ISO_BUSY',
      message: expect.stringContaining('remove it'),
    });
  });

  test.each([10, 56, 200])('because only %d bytes of the journal exist', async (length) => {
    const disk = await interrupted();
    await refused(disk.put(JOURNAL, disk.get(JOURNAL)!.slice(0, length)));
  });

  test('because it has other contents', async () => {
    await refused((await interrupted()).overwrite(IMAGE, pattern(100, 3)));
  });

  test.each([99, 101])('because it now has %d bytes', async (size) => {
    const image = new Uint8Array(size);
    image.set(before.subarray(0, size));
    await refused((await interrupted()).overwrite(IMAGE, image));
  });

  test.each([
    ['size', pattern(80)],
    ['content', writtenUpTo(30)],
  ])('because a cut was meant for an image of another %s', async (_, image) => {
    await refused((await interrupted(deadWriter, CUT)).overwrite(IMAGE, image));
  });

  test.each<[string, JournalEntry]>([
    ['a piece outside the image', { ...ROLL_BACK, size: 30, to: 30 }],
    ['more bytes than it holds', { ...ROLL_BACK, pieces: [{ offset: 20, length: 21 }] }],
    ['a cut that grows', { ...CUT, to: 101 }],
    ['a size that is none', { ...CUT, size: -1, to: -2 }],
  ])('because the journal names %s', async (_, entry) => {
    await refused(await interrupted(deadWriter, entry));
  });
});
