// Cases that the simulator found: an edit that stops between taking the lock and writing, or at its last step.
import { describe, expect, test } from 'vitest';
import { overlay } from '../../src/bytes/overlay.ts';
import { fileSourceOn } from '../../src/node/file-source.ts';
import { JournalDraft } from '../../src/node/journal.ts';
import { patchInPlace } from '../../src/node/patch-in-place.ts';
import { temporaryBeside } from '../../src/node/recovery/temporary.ts';
import { giveUp, newWriter, type Writer } from '../../src/node/writer.ts';
import { Disk, systemError } from './support/disk.ts';
import { pattern } from './support/images.ts';

const IMAGE = '/images/live.iso';
const JOURNAL = '/images/.live.iso.coreiso-journal';
const OLD = pattern(1000);

const goneWriter = (more: Partial<Writer> = {}): Writer => {
  const writer = { ...newWriter(), ...more };
  giveUp(writer);
  return writer;
};

/** A journal of an edit that would write 100 bytes at 200 and grow the image to `to` bytes. */
async function sealed(disk: Disk, writer: Writer, to = 1000): Promise<JournalDraft> {
  const draft = await JournalDraft.begin(disk, IMAGE);
  await draft.add(200, OLD.subarray(200, 300), pattern(100, 5));
  const entry = { do: 'roll-back', size: 1000, to, pieces: draft.pieces, crc: 0 } as const;
  await draft.seal(writer, await disk.stat(IMAGE), entry);
  return draft;
}

describe('a writer that is killed after taking the lock and before writing', () => {
  test.each([
    ['has the bytes that it would have replaced', 1000, 200],
    ['has grown', 3000, 1500],
  ])('causes no restore of an image that another edit changed before: it %s', async (_, to, length) => {
    for (const canLink of [true, false]) {
      const disk = Object.assign(new Disk().put(IMAGE, OLD), { canLink });
      const draft = await sealed(disk, goneWriter(), to);
      const other = pattern(length, 9);
      disk.overwrite(IMAGE, other);
      await draft.lock(IMAGE);
      // Killed: nothing is closed or removed. Without links an empty file stays, and the error explains what to do.
      if (!canLink) {
        await expect(fileSourceOn(IMAGE, {}, disk)).rejects.toMatchObject({ code: 'ISO_BUSY' });
        await disk.unlink(JOURNAL);
      }
      const file = await fileSourceOn(IMAGE, {}, disk);
      expect(Buffer.compare(await file.read(0, file.size), other)).toBe(0);
      await file.close();
      expect(disk.list().filter((path) => path !== IMAGE && canLink)).toEqual([]);
    }
  });

  test('does not count as one that wrote when other openings check its temporary name', async () => {
    const disk = new Disk().put(IMAGE, OLD).put('/images/other.iso', OLD);
    const draft = await sealed(disk, goneWriter());
    disk.overwrite(IMAGE, pattern(1000, 9));
    await draft.lock(IMAGE);
    await (await fileSourceOn('/images/other.iso', {}, disk)).close();
    await (await fileSourceOn(IMAGE, {}, disk)).close();
    expect(disk.list()).toEqual([IMAGE, '/images/other.iso']);
  });
});

test.each([true, false])('gives the lock to one of two concurrent writers (links: %s)', async (canLink) => {
  const disk = Object.assign(new Disk().put(IMAGE, OLD), { canLink });
  const [one, other] = [await sealed(disk, newWriter()), await sealed(disk, newWriter())];
  await one.lock(IMAGE);
  await expect(other.lock(IMAGE)).rejects.toMatchObject({ code: 'EEXIST' });
  await other.close();
  await one.arm(IMAGE);
  await one.remove(IMAGE);
  await one.close();
  expect(disk.list()).toEqual([IMAGE]);
});

test('restores an image on systems that renumber devices and do not identify boots', async () => {
  const disk = new Disk().put(IMAGE, OLD);
  const draft = await sealed(disk, goneWriter({ boot: '' }));
  await draft.lock(IMAGE);
  await draft.arm(IMAGE);
  const half = OLD.slice();
  half.set(pattern(100, 5).subarray(0, 50), 200);
  disk.overwrite(IMAGE, half);
  disk.device = 7;
  const file = await fileSourceOn(IMAGE, {}, disk);
  expect(Buffer.compare(await file.read(0, file.size), OLD)).toBe(0);
  expect(file.rolledBack).toBe(true);
});

test('reports an edit whose last step fails as made but not durable', async () => {
  const disk = new Disk().put(IMAGE, OLD);
  const { syncDirectory } = disk;
  disk.syncDirectory = async (path) => {
    if (disk.get(JOURNAL) === undefined) throw systemError('EIO', 'fsync');
    return syncDirectory.call(disk, path);
  };
  const file = await fileSourceOn(IMAGE, { writable: true }, disk);
  const edited = overlay(file, [{ offset: 10, bytes: pattern(20, 6) }]);
  const expected = await edited.read(0, edited.size);
  await expect(patchInPlace(edited, file)).rejects.toMatchObject({
    code: 'ISO_NOT_DURABLE',
    message: `${IMAGE} was edited, but a loss of power may undo that: input/output error`,
  });
  expect(Buffer.compare(disk.get(IMAGE) ?? OLD, expected)).toBe(0);
});

test('completes a truncation after the decision, even if the disk fails once', async () => {
  const disk = new Disk().put(IMAGE, OLD);
  const { rename, syncDirectory } = disk;
  let isDecided = false;
  disk.rename = async (path, target) => {
    await rename.call(disk, path, target);
    isDecided = target === JOURNAL;
  };
  disk.syncDirectory = async (path) => {
    if (isDecided) {
      isDecided = false;
      throw systemError('EIO', 'fsync');
    }
    return syncDirectory.call(disk, path);
  };
  const file = await fileSourceOn(IMAGE, { writable: true }, disk);
  await patchInPlace(overlay(file, [], { keep: 400 }), file);
  await file.close();
  expect(Buffer.compare(disk.get(IMAGE) ?? OLD, OLD.slice(0, 400))).toBe(0);
  expect(disk.list()).toEqual([IMAGE]);
});

test('reports a failed close with a code', async () => {
  const disk = new Disk().put(IMAGE, OLD);
  const { open } = disk;
  disk.open = async (path, flags, mode) => ({
    ...(await open.call(disk, path, flags, mode)),
    close: () => Promise.reject(systemError('EIO', 'close')),
  });
  const file = await fileSourceOn(IMAGE, {}, disk);
  await expect(file.close()).rejects.toMatchObject({
    code: 'ISO_IO',
    message: `cannot close ${IMAGE}: input/output error`,
  });
});

test('removes the temporary name of a killed copy at the next opening', async () => {
  const disk = new Disk().put(IMAGE, OLD);
  await disk.link(IMAGE, temporaryBeside(IMAGE, goneWriter()));
  await (await fileSourceOn(IMAGE, {}, disk)).close();
  expect(disk.list()).toEqual([IMAGE]);
});
