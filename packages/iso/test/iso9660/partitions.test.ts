// Partition tables and boot catalogues, byte by byte: UEFI 5.3, El Torito 2, and the MBR.
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { crc32 } from '../../src/checksums/crc32.ts';
import { writeU16Le, writeU32Le, writeU64Le } from '../../src/iso9660/fields.ts';
import { encodeGpt, parseGptEntries, parseGptHeader } from '../../src/iso9660/partitions/gpt.ts';
import { coverDisk, parseMbr } from '../../src/iso9660/partitions/mbr.ts';
import { readPartitions } from '../../src/iso9660/partitions/tables.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import { SECTOR, smallImage } from './small-image.ts';
import { describeError } from './support.ts';

const ascii = (value: string): number[] => [...new TextEncoder().encode(value)];

describe('a master boot record', () => {
  const mbr = (...entries: [at: number, bytes: number[]][]): Uint8Array => {
    const sector = new Uint8Array(512);
    sector.set([0x78, 0x56, 0x34, 0x12], 440);
    sector.set([0x55, 0xaa], 510);
    for (const [at, bytes] of entries) sector.set(bytes, 446 + 16 * at);
    return sector;
  };
  const entry = (active: number, type: number, first: number, count: number): number[] => {
    const bytes = new Uint8Array(16);
    bytes[0] = active;
    bytes[4] = type;
    writeU32Le(bytes, 8, first);
    writeU32Le(bytes, 12, count);
    return [...bytes];
  };

  test('has four places; only those with sectors count', () => {
    const all = mbr([0, entry(0x80, 0, 0, 5)], [1, entry(0, 0xef, 7, 0)], [3, entry(1, 0x83, 9, 0xffffffff)]);
    expect(parseMbr(all)).toEqual({
      diskSignature: 0x12345678,
      partitions: [
        { number: 1, active: true, type: 0, offset: 0, length: 5 * 512 },
        { number: 4, active: false, type: 0x83, offset: 9 * 512, length: 0xffffffff * 512 },
      ],
    });
  });

  test('is invalid without its signature or its last byte', () => {
    expect(parseMbr(mbr())).toEqual({ diskSignature: 0x12345678, partitions: [] });
    expect(parseMbr(mbr().subarray(0, 511))).toBeUndefined();
    for (const at of [510, 511]) {
      const other = mbr();
      other[at] = 0;
      expect(parseMbr(other)).toBeUndefined();
    }
  });

  test.each([
    [1, [63, 32, 0]],
    [2, [63, 32, 1]],
    [256, [63, 32, 255]],
    [257, [63, 32 | 0x40, 0]],
    [513, [63, 32 | 0x80, 0]],
    [1024, [63, 32 | 0xc0, 255]],
    [1025, [63, 32 | 0xc0, 255]],
    [9000, [63, 32 | 0xc0, 255]],
  ])('covers a disk of %d cylinders up to its last one, or up to the last of ten bits', (cylinders, chs) => {
    const bytes = new Uint8Array(16);
    coverDisk(bytes, cylinders * 2 ** 20);
    expect([...bytes]).toEqual([0, 0, 0, 0, 0, ...chs, 0, 0, 0, 0, ...littleEndian(cylinders * 2048)]);
  });

  test('counts sectors only up to 32 bits', () => {
    const bytes = new Uint8Array(16);
    coverDisk(bytes, 2 ** 41 + 2 ** 20);
    expect([...bytes.subarray(12)]).toEqual([255, 255, 255, 255]);
  });
});

function littleEndian(value: number): number[] {
  const bytes = new Uint8Array(4);
  writeU32Le(bytes, 0, value);
  return [...bytes];
}

/** A header of 92 bytes without places and checksums. */
function plainHeader({ count = 4, size = 128, entriesSector = 2 } = {}): Uint8Array {
  const header = new Uint8Array(92);
  header.set(ascii('EFI PART'));
  writeU32Le(header, 8, 0x00010000);
  writeU32Le(header, 12, 92);
  writeU64Le(header, 40, 34);
  header.set(
    Array.from({ length: 16 }, (_, index) => index + 1),
    56,
  );
  writeU64Le(header, 72, entriesSector);
  writeU32Le(header, 80, count);
  writeU32Le(header, 84, size);
  return header;
}

/** A used entry. */
function gptEntry(first: number, last: number, name: string, size = 128): Uint8Array {
  const entry = new Uint8Array(size);
  entry.set(Array.from({ length: 32 }, (_, index) => index + 1));
  writeU64Le(entry, 32, first);
  writeU64Le(entry, 40, last);
  for (let at = 0; at < name.length; at++) writeU16Le(entry, 56 + 2 * at, name.charCodeAt(at));
  return entry;
}

const DISK = 64 * 512;

/** A disk with both copies of a table. */
function disk(entries: Uint8Array, options: { count?: number; size?: number } = {}): Uint8Array {
  const bytes = new Uint8Array(DISK);
  const gpt = encodeGpt(plainHeader(options), entries, DISK);
  bytes.set(gpt.header, 512);
  bytes.set(entries, 1024);
  bytes.set(gpt.backup, DISK - gpt.backup.length);
  return bytes;
}

const FOUR = (() => {
  const entries = new Uint8Array(4 * 128);
  entries.set(gptEntry(3, 5, 'first'));
  entries.set(gptEntry(7, 6, 'x'.repeat(36)), 2 * 128);
  return entries;
})();

describe('a GUID partition table', () => {
  test('has the places of both copies', async () => {
    const { gpt, mbr } = await readPartitions(bytesSource(disk(FOUR)));
    expect(mbr).toBeUndefined();
    expect(gpt).toMatchObject({ intact: true, backup: 'intact' });
    expect(gpt?.header).toEqual({
      revision: 0x00010000,
      headerSize: 92,
      ownSector: 1,
      otherSector: 63,
      firstUsable: 34,
      lastUsable: 61,
      diskGuid: '04030201-0605-0807-090A-0B0C0D0E0F10',
      entriesSector: 2,
      entryCount: 4,
      entrySize: 128,
      entriesCrc: crc32(FOUR),
      intact: true,
    });
    const second = parseGptHeader(disk(FOUR).subarray(63 * 512));
    expect(second).toMatchObject({ ownSector: 63, otherSector: 1, entriesSector: 62, lastUsable: 61, intact: true });
    expect(disk(FOUR).subarray(62 * 512, 63 * 512)).toEqual(FOUR);
  });

  test('has the used entries by number, with names of up to 36 characters', async () => {
    const { gpt } = await readPartitions(bytesSource(disk(FOUR)));
    const guids = { type: '04030201-0605-0807-090A-0B0C0D0E0F10', guid: '14131211-1615-1817-191A-1B1C1D1E1F20' };
    expect(gpt?.partitions).toEqual([
      { number: 1, ...guids, name: 'first', offset: 3 * 512, length: 3 * 512 },
      { number: 3, ...guids, name: 'x'.repeat(36), offset: 7 * 512, length: 0 },
    ]);
  });

  test('may have longer entries, and ignores a partial one', () => {
    const two = new Uint8Array(2 * 256 + 255);
    two.set(gptEntry(1, 1, 'a', 256));
    two.set(gptEntry(2, 2, 'b', 256), 256);
    two.set(gptEntry(3, 3, 'c', 255), 512);
    expect(parseGptEntries(two, 256).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(parseGptEntries(two.subarray(0, 512), 256).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each([
    [91, false],
    [92, true],
    [512, true],
    [513, false],
  ])('may have a header of %d bytes: %s (UEFI 5.3.2)', (size, expected) => {
    const sector = new Uint8Array(512);
    sector.set(plainHeader());
    writeU32Le(sector, 12, size);
    writeU32Le(sector, 16, crc32(sector.subarray(0, size)));
    expect(parseGptHeader(sector)?.intact).toBe(expected);
    expect(parseGptHeader(sector)?.headerSize).toBe(size);
  });

  test('is invalid without its signature or with a truncated header', () => {
    const sector = disk(FOUR).slice(512, 1024);
    expect(parseGptHeader(sector.subarray(0, 92))).toBeDefined();
    expect(parseGptHeader(sector.subarray(0, 91))).toBeUndefined();
    for (let at = 0; at < 8; at++) {
      const other = sector.slice();
      other[at] = 0;
      expect(parseGptHeader(other)).toBeUndefined();
    }
  });

  /** A copy with the change, and with updated checksums in its headers. */
  function changed(change: (bytes: Uint8Array) => void): Uint8Array {
    const bytes = disk(FOUR);
    change(bytes);
    for (const at of [512, 63 * 512]) {
      const header = bytes.subarray(at, at + 92);
      writeU32Le(header, 16, 0);
      writeU32Le(header, 16, crc32(header));
    }
    return bytes;
  }

  test.each<[string, (bytes: Uint8Array) => void, intact: boolean, backup: string]>([
    ['nothing', () => {}, true, 'intact'],
    ['an entry', (bytes) => bytes.set([9], 1024), false, 'intact'],
    ['an entry of the backup', (bytes) => bytes.set([9], 62 * 512), true, 'damaged'],
    ['the checksum of the backup’s entries', (bytes) => bytes.set([9], 63 * 512 + 88), true, 'damaged'],
    ['the number of the backup’s entries', (bytes) => bytes.set([3], 63 * 512 + 80), true, 'damaged'],
    ['the place of the backup’s entries', (bytes) => bytes.set([64], 63 * 512 + 72), true, 'damaged'],
    ['the signature of the backup', (bytes) => bytes.set([0], 63 * 512), true, 'missing'],
    ['the place of the backup', (bytes) => bytes.set([64], 512 + 32), true, 'missing'],
    ['the place of the entries', (bytes) => bytes.set([64], 512 + 72), false, 'intact'],
    ['the size of entries', (bytes) => bytes.set([127], 512 + 84), false, 'damaged'],
  ])('in which %s differs is judged separately for each copy', async (_, change, intact, backup) => {
    expect((await readPartitions(bytesSource(changed(change)))).gpt).toMatchObject({ intact, backup });
  });

  test.each([
    [1024, 'intact'],
    [1025, 'damaged'],
  ])('of %d entries is read up to 128 KiB', async (count, backup) => {
    const size = 1024 * 512;
    const entries = new Uint8Array(count * 128);
    const bytes = new Uint8Array(size);
    const gpt = encodeGpt(plainHeader({ count }), entries, size);
    bytes.set(gpt.header, 512);
    bytes.set(gpt.backup, size - gpt.backup.length);
    expect((await readPartitions(bytesSource(bytes))).gpt).toMatchObject({ intact: backup === 'intact', backup });
  });

  test('is missing if the image ends before it', async () => {
    for (const length of [0, 511, 512, 603]) {
      expect((await readPartitions(bytesSource(disk(FOUR).subarray(0, length)))).gpt).toBeUndefined();
    }
    expect((await readPartitions(bytesSource(disk(FOUR).subarray(0, 604)))).gpt).toMatchObject({
      partitions: [],
      intact: false,
      backup: 'missing',
    });
  });
});

describe('a boot catalogue (El Torito 2)', () => {
  const CATALOG = 20 * SECTOR;

  /** An image whose catalogue has a validation entry and then these. */
  function bootable(platform: number, entries: readonly (readonly number[])[], id = 'maker'): Uint8Array {
    const image = smallImage({});
    image.copyWithin(18 * SECTOR, 17 * SECTOR, 18 * SECTOR);
    image.fill(0, 17 * SECTOR, 18 * SECTOR);
    image.set([0, ...ascii('CD001'), 1, ...ascii('EL TORITO SPECIFICATION')], 17 * SECTOR);
    writeU32Le(image, 17 * SECTOR + 71, 20);
    const validation = image.subarray(CATALOG, CATALOG + 32);
    validation.set([1, platform, 0, 0, ...ascii(id)]);
    validation.set([0x55, 0xaa], 30);
    let sum = 0;
    for (let at = 0; at < 32; at += 2) sum += (validation[at] ?? 0) + 256 * (validation[at + 1] ?? 0);
    writeU16Le(validation, 28, (0x10000 - (sum % 0x10000)) % 0x10000);
    entries.forEach((entry, index) => {
      image.set(entry, CATALOG + 32 * (index + 1));
    });
    return image;
  }
  const entry = (sector: number, { boot = 0x88, media = 0, segment = 0, system = 0, count = 4 } = {}): number[] => {
    const bytes = new Uint8Array(32);
    bytes[0] = boot;
    bytes[1] = media;
    writeU16Le(bytes, 2, segment);
    bytes[4] = system;
    writeU16Le(bytes, 6, count);
    writeU32Le(bytes, 8, sector);
    return [...bytes];
  };
  const header = (type: number, platform: number, count: number): number[] => [type, platform, count & 255, count >> 8];
  const catalogOf = async (image: Uint8Array) => (await openIso(bytesSource(image))).bootCatalog();
  const sectorsOf = async (image: Uint8Array) =>
    (await catalogOf(image))?.entries.map(({ offset, platform }) => [offset / SECTOR, platform]);

  test('has all facts of its first image', async () => {
    const first = entry(25, { media: 0x42, segment: 0x7c0, system: 6, count: 65535 });
    expect(await catalogOf(bootable(0, [first]))).toEqual({
      offset: CATALOG,
      id: 'maker',
      entries: [
        {
          bootable: true,
          platform: 'x86',
          media: 'floppy-1.44M',
          loadSegment: 0x7c0,
          systemType: 6,
          offset: 25 * SECTOR,
          loadSize: 65535 * 512,
          entryOffset: CATALOG + 32,
        },
      ],
    });
    expect((await catalogOf(bootable(0, [entry(25, { boot: 0 })])))?.entries[0]?.bootable).toBe(false);
  });

  test.each([
    [0, 'x86'],
    [1, 'powerpc'],
    [2, 'mac'],
    [0xef, 'efi'],
    [3, 3],
  ])('is for platform %d: %s', async (number, name) => {
    expect(await sectorsOf(bootable(number, [entry(25)]))).toEqual([[25, name]]);
  });

  test.each([
    [0, 'none'],
    [1, 'floppy-1.2M'],
    [2, 'floppy-1.44M'],
    [3, 'floppy-2.88M'],
    [4, 'hard-disk'],
    [5, 'unknown'],
    [0xf0, 'none'],
  ])('emulates medium %d: %s', async (media, name) => {
    expect((await catalogOf(bootable(0, [entry(25, { media })])))?.entries[0]?.media).toBe(name);
  });

  test('has sections, each for one platform and with the declared number of entries', async () => {
    const sections = [
      entry(21),
      [...header(0x90, 0xef, 2)],
      entry(22),
      [0x44],
      entry(23),
      [...header(0x91, 1, 1)],
      entry(24),
      entry(25),
    ];
    expect(await sectorsOf(bootable(0, sections))).toEqual([
      [21, 'x86'],
      [22, 'efi'],
      [23, 'efi'],
      [24, 'powerpc'],
    ]);
    expect((await catalogOf(bootable(0, sections)))?.entries.map(({ entryOffset }) => entryOffset - CATALOG)).toEqual([
      32, 96, 160, 224,
    ]);
  });

  test('ends after the last header, or if no header follows', async () => {
    expect(await sectorsOf(bootable(0, [entry(21), entry(22)]))).toEqual([[21, 'x86']]);
    const closed = [entry(21), header(0x91, 0, 0), header(0x90, 0, 1), entry(22)];
    expect(await sectorsOf(bootable(0, closed))).toEqual([[21, 'x86']]);
    const open = [entry(21), header(0x90, 0, 0), header(0x90, 2, 1), entry(22)];
    expect(await sectorsOf(bootable(0, open))).toEqual([
      [21, 'x86'],
      [22, 'mac'],
    ]);
  });

  test('is refused if it never ends', async () => {
    const image = new Uint8Array(64 * SECTOR);
    image.set(bootable(0, [entry(21)]));
    for (let at = CATALOG + 64; at < image.length; at += 32) image[at] = 0x44;
    expect(await describeError(catalogOf(image))).toMatchObject({
      code: 'ISO_BAD_BOOT_CATALOG',
      message: 'boot catalogue has more than 1024 entries',
      offset: CATALOG + 1024 * 32,
    });
  });

  test.each([0, 1, 10, 28, 30, 31])('with another byte %d of its validation entry is refused', async (at) => {
    const image = bootable(0, [entry(21)]);
    image[CATALOG + at] = (image[CATALOG + at] ?? 0) + 1;
    expect(await describeError(catalogOf(image))).toMatchObject({ code: 'ISO_BAD_BOOT_CATALOG', offset: CATALOG });
  });

  test('with another first byte is refused even if the sum is right', async () => {
    const image = bootable(0, [entry(21)]);
    image[CATALOG] = 2;
    image[CATALOG + 28] = (image[CATALOG + 28] ?? 0) - 1;
    await expect(catalogOf(image)).rejects.toMatchObject({ code: 'ISO_BAD_BOOT_CATALOG' });
  });
});
