// Names, targets and directories that need more than one field, record or sector: SUSP 4 and 5.1, RRIP 4.1.3 and 4.1.4.
import { type IsoEntry, openIso, writeIso } from '@coreiso/iso/iso9660';
import { describe, expect, test } from 'vitest';
import { text } from '../iso9660/small-image.ts';

const SECTOR = 2048;

interface Field {
  readonly signature: string;
  readonly data: readonly number[];
}

interface WrittenRecord {
  readonly length: number;
  readonly at: number;
  readonly fields: readonly Field[];
  /** For each area that continues the record: its offset in the sector, and its length. */
  readonly areas: readonly (readonly [offset: number, length: number])[];
}

const whole = async (entries: readonly IsoEntry[]): Promise<Buffer> => {
  const { source } = await writeIso(entries, { volumeId: 'X', joliet: false, padSectors: 0 });
  return Buffer.from(await source.read(0, source.size));
};

/** The records of the root without `.` and `..`, with their fields in the order of the chain. */
function recordsOf(image: Buffer): WrittenRecord[] {
  const root = image.readUInt32LE(16 * SECTOR + 156 + 2) * SECTOR;
  const end = root + image.readUInt32LE(16 * SECTOR + 156 + 10);
  const records: WrittenRecord[] = [];
  for (let at = root; at < end; ) {
    const length = image[at] ?? 0;
    if (length === 0) at = Math.ceil((at + 1) / SECTOR) * SECTOR;
    else {
      const name = image[at + 32] ?? 0;
      records.push({ length, at: at - root, ...chain(image, at + 33 + name + ((name + 1) % 2), at + length) });
      at += length;
    }
  }
  return records.slice(2);
}

function chain(image: Buffer, start: number, end: number): Pick<WrittenRecord, 'fields' | 'areas'> {
  const fields: Field[] = [];
  const areas: [number, number][] = [];
  let next: [number, number] | undefined = [start, end];
  while (next !== undefined) {
    let [at, areaEnd]: [number, number] = next;
    next = undefined;
    for (; at + 4 <= areaEnd; at += image[at + 2] ?? 0) {
      const signature = image.toString('latin1', at, at + 2);
      const data = [...image.subarray(at + 4, at + (image[at + 2] ?? 0))];
      if (signature !== 'CE') fields.push({ signature, data });
      else {
        const [sector, offset, length] = [4, 12, 20].map((field) => image.readUInt32LE(at + field)) as [
          number,
          number,
          number,
        ];
        areas.push([offset, length]);
        next = [sector * SECTOR + offset, sector * SECTOR + offset + length];
      }
    }
  }
  return { fields, areas };
}

const only = (signature: string, fields: readonly Field[]) =>
  fields.filter((field) => field.signature === signature).map(({ data }) => data);

const file = (name: string): IsoEntry => ({ kind: 'file', path: `/${name}`, content: '' });
const link = (target: string): IsoEntry => ({ kind: 'symlink', path: '/l', target });

describe('a name', () => {
  test.each([
    [1, [1]],
    [249, [249]],
    [250, [250]],
    [251, [250, 1]],
    [255, [250, 5]],
  ])('of %d bytes is split into parts of at most 250, all but the last one marked', async (length, parts) => {
    const name = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
    const [record] = recordsOf(await whole([file(name)]));
    const fields = only('NM', record!.fields);
    expect(fields.map((data) => [data[0], data.length - 1])).toEqual(
      parts.map((part, index) => [index < parts.length - 1 ? 1 : 0, part]),
    );
    expect(fields.flatMap((data) => data.slice(1))).toEqual(text(name));
  });

  // RR, PX and TF take 67 of the 210 bytes after `XXXXXXXX.;1`; NM takes five and the name, a pointer 28.
  test.each([
    [137, 0],
    [138, 0],
    [139, 1],
  ])('of %d bytes makes a record that is continued %d times', async (length, areas) => {
    const [record] = recordsOf(await whole([file('x'.repeat(length))]));
    expect(record!.areas).toHaveLength(areas);
    expect(record!.length).toBeLessThanOrEqual(254);
    expect(record!.fields.map(({ signature }) => signature)).toEqual(['RR', 'NM', 'PX', 'TF']);
  });
});

describe('the target of a link', () => {
  const components = (target: string) => whole([link(target)]).then((image) => only('SL', recordsOf(image)[0]!.fields));

  test('has a flag for the root, for the directory and for its parent (4.1.3.1)', async () => {
    expect(await components('/')).toEqual([[0, 8, 0]]);
    expect(await components('/a')).toEqual([[0, 8, 0, 0, 1, 0x61]]);
    expect(await components('.')).toEqual([[0, 2, 0]]);
    expect(await components('..')).toEqual([[0, 4, 0]]);
    expect(await components('a//b/')).toEqual([[0, 0, 1, 0x61, 0, 1, 0x62]]);
    expect(await components('...')).toEqual([[0, 0, 3, 0x2e, 0x2e, 0x2e]]);
  });

  // A field holds 251 bytes of data: flags, components, and an empty component that continues in the next field.
  test.each([
    [246, [[0, 0, 246]]],
    [
      247,
      [
        [1, 1, 246, 1, 0],
        [0, 0, 1],
      ],
    ],
  ])('of one component of %d bytes', async (length, expected) => {
    const fields = await components('x'.repeat(length));
    expect(fields.map((data) => data.filter((byte) => byte !== 0x78))).toEqual(expected);
  });

  test.each([
    [[122, 122], 1],
    [[123, 121], 1],
    [[123, 122], 2],
    [[1, 243], 1],
    [[1, 244], 2],
  ])('of components of %j bytes takes %d fields', async (lengths, count) => {
    const fields = await components(lengths.map((length) => 'x'.repeat(length)).join('/'));
    expect(fields).toHaveLength(count);
    for (const data of fields.slice(0, -1)) expect([data[0], ...data.slice(-2)]).toEqual([1, 1, 0]);
    expect(fields.at(-1)?.[0]).toBe(0);
  });
});

describe('a continuation area', () => {
  test('never crosses a sector, and begins at the end of the last one', async () => {
    const entries = Array.from({ length: 30 }, (_, n) => file(`${String(n).padStart(3, '0')}${'x'.repeat(240)}`));
    const records = recordsOf(await whole(entries));
    const areas = records.map((record) => record.areas[0]!);
    expect(records.every((record) => record.areas.length === 1)).toBe(true);
    for (const [offset, length] of areas) expect(offset + length).toBeLessThanOrEqual(SECTOR);
    // The first comes after the root's own: a text of 237 bytes (RRIP 4.3).
    let end = 237;
    for (const [offset, length] of areas) {
      expect(offset).toBe(end + length <= SECTOR ? end : 0);
      end = offset + length;
    }
  });

  test('that does not fit into one sector continues in the next', async () => {
    const target = Array.from({ length: 16 }, (_, n) => `${n}${'x'.repeat(240)}`).join('/');
    const image = await whole([link(target)]);
    const [record] = recordsOf(image);
    expect(record!.areas).toHaveLength(2);
    for (const [offset, length] of record!.areas) {
      expect(offset).toBe(0);
      expect(length).toBeLessThanOrEqual(SECTOR);
    }
    const iso = await openIso(image);
    expect((await iso.entry('l')).target).toBe(target);
  });
});

describe('a directory', () => {
  // With names of twelve bytes a record takes 46 bytes, and RR, NM, PX and TF take 84 more: 130.
  const many = (count: number) => Array.from({ length: count }, (_, n) => file(`N${String(n).padStart(11, '0')}`));

  test('begins a new sector if a record does not fit into the last one', async () => {
    for (const { at, length } of recordsOf(await whole(many(60)))) {
      expect(Math.floor(at / SECTOR)).toBe(Math.floor((at + length - 1) / SECTOR));
    }
  });

  test('may be full to the last byte', async () => {
    const full = recordsOf(await whole(exactly(SECTOR)));
    expect(full.at(-1)!.at + full.at(-1)!.length).toBe(SECTOR);
    const over = recordsOf(await whole(exactly(SECTOR + 2)));
    expect(over.at(-1)!.at).toBe(SECTOR);
  });

  /** Files whose records, together with those of the root itself, take this many bytes. */
  function exactly(size: number): IsoEntry[] {
    const lengthOf = (name: string) => {
      const length = 33 + 11 + 5 + (5 + name.length) + 36 + 26;
      return length + (length % 2);
    };
    const names = Array.from({ length: 12 }, (_, n) => `${String.fromCharCode(97 + n)}${'x'.repeat(9)}`);
    let taken = 136 + 102 + names.reduce((sum, name) => sum + lengthOf(name), 0);
    const last = 'z'.repeat(10);
    for (let index = 0; taken + lengthOf(last) < size; index = (index + 1) % names.length) {
      const before = lengthOf(names[index]!);
      names[index] += 'x';
      taken += lengthOf(names[index]!) - before;
    }
    return [...names, last].map(file);
  }
});
