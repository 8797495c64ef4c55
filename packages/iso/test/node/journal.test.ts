// Journals as other programs would read and write them: old and new bytes of each piece, an index in JSON, its length in
// eight bytes, the CRC-32 of all before the length in four, and a magic.
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { imageOfJournal, JournalDraft, openJournal } from '../../src/node/journal.ts';
import { newWriter } from '../../src/node/writer.ts';
import { Disk } from './support/disk.ts';
import { pattern } from './support/images.ts';

const IMAGE = '/images/live.iso';
const JOURNAL = '/images/.live.iso.coreiso-journal';
const OLD = pattern(20, 3);
const NEW = pattern(20, 4);

function journalOf(data: Uint8Array, index: unknown, magic = 'coreiso-journal2'): Uint8Array {
  return journalOfText(data, JSON.stringify(index), { magic });
}

/** `length` is the declared length of the index; the checksum does not cover it. */
function journalOfText(data: Uint8Array, text: string, given: { length?: bigint; magic?: string } = {}): Uint8Array {
  const body = Buffer.concat([data, Buffer.from(text)]);
  const { length = BigInt(body.length - data.length), magic = 'coreiso-journal2' } = given;
  const trailer = Buffer.alloc(12);
  trailer.writeBigUInt64BE(length, 0);
  trailer.writeUInt32BE(crc32(body), 8);
  return Buffer.concat([body, trailer, Buffer.from(magic)]);
}

const WRITER = newWriter();
const ENTRY = { do: 'roll-back', size: 100, to: 120, pieces: [{ offset: 30, length: 20 }], crc: 7 };
const INDEX = { writer: WRITER, file: { dev: '1', ino: '2' }, entry: ENTRY };
const DATA = Buffer.concat([OLD, NEW]);
const TEXT = JSON.stringify(INDEX);

test('writes the specified format', async () => {
  const disk = new Disk().put(IMAGE, pattern(100));
  const draft = await JournalDraft.begin(disk, IMAGE);
  await draft.add(30, OLD, NEW);
  await draft.seal(WRITER, { dev: 1n, ino: 2n }, { ...ENTRY, do: 'roll-back', pieces: draft.pieces });
  await draft.lock(IMAGE);
  await draft.arm(IMAGE);
  await draft.close();
  const [draftName] = /\.coreiso-[^"]*\.tmp/.exec(Buffer.from(disk.get(JOURNAL) ?? []).toString('latin1')) ?? [];
  expect(Buffer.compare(disk.get(JOURNAL) ?? new Uint8Array(), journalOf(DATA, { ...INDEX, draft: draftName }))).toBe(
    0,
  );
});

test('does not write an invalid journal', async () => {
  const disk = new Disk().put(IMAGE, pattern(100));
  const draft = await JournalDraft.begin(disk, IMAGE);
  const pieces = new Array(500_000).fill({ offset: 4_000_000_000, length: 100_000 });
  const sealed = draft.seal(WRITER, { dev: 1n, ino: 2n }, { ...ENTRY, do: 'roll-back', pieces });
  await expect(sealed).rejects.toMatchObject({ code: 'ISO_LIMIT' });
  await draft.close();
  expect([disk.list(), disk.openFiles]).toEqual([[IMAGE], 0]);
});

describe('is read', () => {
  const read = async (bytes: Uint8Array) => {
    const disk = new Disk().put(JOURNAL, bytes);
    const journal = await openJournal(disk, JOURNAL);
    const contents = [];
    for await (const piece of journal?.contents() ?? []) contents.push(piece);
    await journal?.close();
    expect(disk.openFiles).toBe(0);
    return { ...journal, contents };
  };

  test('a journal of one piece, and of several', async () => {
    const piece = (offset: number) => ({ offset, before: Buffer.from(OLD), after: Buffer.from(NEW) });
    expect(await read(journalOf(DATA, INDEX))).toMatchObject({ ...INDEX, path: JOURNAL, contents: [piece(30)] });
    const pieces = [30, 60, 80].map((offset) => ({ offset, length: 20 }));
    const several = journalOf(Buffer.concat([DATA, DATA, DATA]), { ...INDEX, entry: { ...ENTRY, pieces } });
    expect((await read(several)).contents).toEqual([piece(30), piece(60), piece(80)]);
  });

  test('a record of a cut, which has no contents', async () => {
    const entry = { ...ENTRY, do: 'cut', to: 100 };
    expect(await read(journalOf(new Uint8Array(), { ...INDEX, entry }))).toMatchObject({ entry, contents: [] });
  });

  const wrong = (change: object): object => ({ ...INDEX, entry: { ...ENTRY, ...change } });
  test.each<[string, Uint8Array]>([
    ['shorter than its end', new Uint8Array(27)],
    ['of another magic', journalOf(DATA, INDEX, 'coreiso-journal1')],
    ['whose index is said to be shorter', journalOfText(DATA, TEXT, { length: BigInt(TEXT.length - 3) })],
    ['whose index is said to be longer', journalOfText(DATA, TEXT, { length: BigInt(TEXT.length + 3) })],
    ['whose index is said to be longer than it', journalOfText(DATA, TEXT, { length: 10n ** 6n })],
    ['whose index is said to be of no length', journalOfText(DATA, TEXT, { length: 0n })],
    ['whose index is said to be endless', journalOfText(DATA, TEXT, { length: 2n ** 64n - 1n })],
    ['whose index is longer than writers make them', journalOfText(DATA, `${' '.repeat(16 * 1024 * 1024)}${TEXT}`)],
    ['whose index is no JSON', journalOfText(DATA, `${TEXT}}`)],
    ['whose index is null', journalOf(DATA, null)],
    ['whose index is a text', journalOf(DATA, 'x')],
    ['of a writer that is none', journalOf(DATA, { ...INDEX, writer: null })],
    ['of a part of a writer', journalOf(DATA, { ...INDEX, writer: { pid: 1 } })],
    ['of a writer whose token leads elsewhere', journalOf(DATA, { ...INDEX, writer: { ...WRITER, token: '../x' } })],
    ['of a file without a number', journalOf(DATA, { ...INDEX, file: { dev: '1', ino: 'x' } })],
    ['of a piece that is none', journalOf(DATA, wrong({ pieces: [null] }))],
    ['of a cut that has contents', journalOf(DATA, wrong({ do: 'cut', to: 60 }))],
    ['without a writer', journalOf(DATA, { ...INDEX, writer: undefined })],
    ['without a file', journalOf(DATA, { ...INDEX, file: undefined })],
    ['without an entry', journalOf(DATA, { ...INDEX, entry: undefined })],
    ['of a process that is none', journalOf(DATA, { ...INDEX, writer: { ...WRITER, pid: -1 } })],
    ['of a size that is none', journalOf(DATA, wrong({ size: 100.5 }))],
    ['of no new size', journalOf(DATA, wrong({ to: null }))],
    ['of a checksum that is none', journalOf(DATA, wrong({ crc: '7' }))],
    ['without pieces', journalOf(DATA, wrong({ pieces: {} }))],
    ['of a piece at no place', journalOf(DATA, wrong({ pieces: [{ offset: -1, length: 20 }] }))],
    ['of a piece of no length', journalOf(DATA, wrong({ pieces: [{ offset: 30, length: -20 }] }))],
    ['of a piece behind the end', journalOf(DATA, wrong({ pieces: [{ offset: 81, length: 20 }] }))],
    ['of more than it holds', journalOf(DATA, wrong({ pieces: [{ offset: 30, length: 21 }] }))],
    ['of less than it holds', journalOf(DATA, wrong({ pieces: [{ offset: 30, length: 19 }] }))],
    ['that asks for something else', journalOf(DATA, wrong({ do: 'remove' }))],
    ['of a cut that grows', journalOf(DATA, wrong({ do: 'cut', to: 101 }))],
    ['of a cut at no place', journalOf(DATA, wrong({ do: 'cut', to: 60, pieces: [{ offset: 90, length: 20 }] }))],
    [
      'of a piece that no writer makes so large',
      journalOf(new Uint8Array(2 * 131_073), wrong({ size: 10 ** 6, pieces: [{ offset: 0, length: 131_073 }] })),
    ],
  ])('no journal %s', async (_, bytes) => {
    const disk = new Disk().put(JOURNAL, bytes);
    await expect(openJournal(disk, JOURNAL)).rejects.toMatchObject({
      code: 'ISO_NEEDS_ROLLBACK',
      message: expect.stringContaining('is damaged'),
    });
    expect(disk.openFiles).toBe(0);
  });

  test('a piece up to the end, and one as large as writers make them', async () => {
    const last = wrong({ pieces: [{ offset: 80, length: 20 }] });
    expect((await read(journalOf(DATA, last))).contents).toHaveLength(1);
    const large = wrong({ size: 10 ** 6, pieces: [{ offset: 0, length: 131_072 }] });
    expect((await read(journalOf(new Uint8Array(2 * 131_072), large))).contents).toHaveLength(1);
  });

  test('no journal that was replaced during opening', async () => {
    const disk = new Disk().put(JOURNAL, journalOf(DATA, INDEX));
    const open = disk.open.bind(disk);
    disk.open = async (...args) => {
      disk.put(JOURNAL, journalOf(DATA, INDEX));
      return open(...args);
    };
    await expect(openJournal(disk, JOURNAL)).rejects.toMatchObject({
      code: 'ISO_NEEDS_ROLLBACK',
      message: expect.stringContaining('was replaced while it was opened'),
    });
    expect(disk.openFiles).toBe(0);
  });

  test('no journal that is truncated during reading', async () => {
    const disk = new Disk().put(JOURNAL, journalOf(DATA, INDEX));
    const open = disk.open.bind(disk);
    disk.open = async (...args) => {
      const file = await open(...args);
      const stat = await file.stat();
      disk.overwrite(JOURNAL, new Uint8Array(3));
      return { ...file, stat: async () => stat };
    };
    await expect(openJournal(disk, JOURNAL)).rejects.toMatchObject({ message: expect.stringContaining('is damaged') });
  });

  test('nothing if the journal is missing or has disappeared', async () => {
    expect(await openJournal(new Disk(), JOURNAL)).toBeUndefined();
    const disk = new Disk().put(JOURNAL, journalOf(DATA, INDEX));
    const open = disk.open.bind(disk);
    disk.open = async (...args) => {
      await disk.unlink(JOURNAL);
      return open(...args);
    };
    expect(await openJournal(disk, JOURNAL)).toBeUndefined();
  });
});

test.each([
  ['.live.iso.coreiso-journal', 'live.iso'],
  ['live.iso.coreiso-journal', undefined],
  ['.live.iso.coreiso-journal2', undefined],
  ['live.iso', undefined],
])('%s is the journal of %s', (name, image) => {
  expect(imageOfJournal(name)).toBe(image);
});

test('removes or recognises only the opened journal', async () => {
  const disk = new Disk().put(JOURNAL, journalOf(DATA, INDEX));
  const first = await openJournal(disk, JOURNAL);
  expect(await first?.isInPlace()).toBe(true);
  disk.put(JOURNAL, journalOf(DATA, INDEX));
  expect(await first?.isInPlace()).toBe(false);
  await first?.remove();
  expect(disk.list()).toEqual([JOURNAL]);
  const second = await openJournal(disk, JOURNAL);
  disk.device++;
  expect(await second?.isInPlace()).toBe(false);
  disk.device--;
  await second?.remove();
  expect([disk.list(), await second?.isInPlace()]).toEqual([[], false]);
});
