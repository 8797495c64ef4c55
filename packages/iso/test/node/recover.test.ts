import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { fileSource } from '../../src/node/file-source.ts';
import { JournalDraft, type JournalEntry, journalPath } from '../../src/node/journal.ts';
import { newWriter, type Writer } from '../../src/node/writer.ts';
import { Disk, systemError } from './support/disk.ts';
import { pattern } from './support/images.ts';

const IMAGE = '/images/live.iso';
const JOURNAL = '/images/.live.iso.coreiso-journal';
const before = pattern(100);
const after = pattern(100, 2);

/** A writer that is no longer there. */
const deadWriter: Writer = { ...newWriter(), started: 'in an earlier life' };

/** A disk on which a writer was interrupted after half of its only patch, at 20 … 40. */
async function interrupted(writer: Writer = deadWriter): Promise<Disk> {
  const image = before.slice();
  image.set(after.subarray(20, 30), 20);
  const disk = new Disk().put(IMAGE, image);
  await leaveJournal(disk, writer, { do: 'roll-back', size: 100, grown: 100, pieces: [{ offset: 20, length: 20 }] });
  return disk;
}

async function leaveJournal(disk: Disk, writer: Writer, entry: JournalEntry): Promise<void> {
  const draft = await JournalDraft.begin(disk, IMAGE);
  if (entry.do === 'roll-back') await draft.add(20, before.subarray(20, 40), after.subarray(20, 40));
  await draft.seal(writer, entry);
  await draft.publish(IMAGE);
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

test('the journal stands beside the image, hidden and for its owner alone', async () => {
  const disk = await interrupted();
  expect(journalPath(IMAGE)).toBe(JOURNAL);
  expect(disk.list()).toEqual([JOURNAL, IMAGE]);
  expect(disk.modeOf(JOURNAL)).toBe(0o600);
});

test('opening an image restores it, says so, and removes the journal', async () => {
  const disk = await interrupted();
  const source = await fileSource(IMAGE, {}, disk);
  expect(source.rolledBack).toBe(true);
  expect(await source.read(0, source.size)).toEqual(before);
  expect(disk.list()).toEqual([IMAGE]);
  expect((await fileSource(IMAGE, {}, disk)).rolledBack).toBe(false);
});

test('while the writer lives the image is busy; once it is dead the image is restored', async () => {
  const writer = await livingProcess();
  const disk = await interrupted(newWriter(writer.pid));
  const untouched = disk.get(IMAGE);
  try {
    await expect(fileSource(IMAGE, {}, disk)).rejects.toMatchObject({ code: 'ISO_BUSY' });
    expect(disk.get(IMAGE)).toEqual(untouched);
  } finally {
    await writer.end();
  }
  expect((await fileSource(IMAGE, {}, disk)).rolledBack).toBe(true);
});

test.each<[string, Partial<Writer>]>([
  ['another host', { host: 'elsewhere.example' }],
  ['an earlier process with the same id', { started: 'before the power went' }],
])('a writer on %s does not make an image busy', async (_, difference) => {
  const disk = await interrupted({ ...newWriter(), ...difference });
  expect((await fileSource(IMAGE, {}, disk)).rolledBack).toBe(true);
});

test('a commit record finishes its cut, which is no roll-back', async () => {
  const disk = new Disk().put(IMAGE, before);
  await leaveJournal(disk, deadWriter, { do: 'cut', size: 100, to: 60 });
  const source = await fileSource(IMAGE, {}, disk);
  expect([source.size, source.rolledBack]).toEqual([60, false]);
  expect(disk.get(IMAGE)).toEqual(before.slice(0, 60));
  expect(disk.list()).toEqual([IMAGE]);
});

describe('an image that cannot be restored is reported and nothing is touched', () => {
  const refused = async (disk: Disk): Promise<void> => {
    const [image, journal] = [disk.get(IMAGE), disk.get(JOURNAL)];
    await expect(fileSource(IMAGE, {}, disk)).rejects.toMatchObject({ code: 'ISO_NEEDS_ROLLBACK' });
    expect([disk.get(IMAGE), disk.get(JOURNAL)]).toEqual([image, journal]);
  };

  test('because it may not be written to', async () => {
    const disk = await interrupted();
    const open = disk.open.bind(disk);
    disk.open = async (path, flags, mode) => {
      if (flags === 'r+') throw systemError('EROFS', 'open');
      return open(path, flags, mode);
    };
    await refused(disk);
  });

  test.runIf(process.getuid)('because someone else put the journal there', async () => {
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

  test.each([0, 10, 56, 200])('because only %d bytes of the journal are there', async (length) => {
    const disk = await interrupted();
    await refused(disk.put(JOURNAL, disk.get(JOURNAL)!.slice(0, length)));
  });

  test('because it was replaced by another image', async () => {
    await refused((await interrupted()).put(IMAGE, pattern(100, 3)));
  });

  test.each([99, 101])('because it now has %d bytes', async (size) => {
    const image = new Uint8Array(size);
    image.set(before.subarray(0, size));
    await refused((await interrupted()).put(IMAGE, image));
  });

  test('because a cut was meant for an image of another size', async () => {
    const disk = new Disk().put(IMAGE, before);
    await leaveJournal(disk, deadWriter, { do: 'cut', size: 100, to: 60 });
    await refused(disk.put(IMAGE, pattern(80)));
  });

  test.each<[string, JournalEntry]>([
    ['a piece outside the image', { do: 'roll-back', size: 30, grown: 30, pieces: [{ offset: 20, length: 20 }] }],
    ['more bytes than it holds', { do: 'roll-back', size: 100, grown: 100, pieces: [{ offset: 20, length: 21 }] }],
    ['a cut that grows', { do: 'cut', size: 100, to: 101 }],
    ['a size that is none', { do: 'cut', size: -1, to: -2 }],
  ])('because the journal speaks of %s', async (_, entry) => {
    const disk = new Disk().put(IMAGE, before);
    await leaveJournal(disk, deadWriter, entry);
    await refused(disk);
  });
});
