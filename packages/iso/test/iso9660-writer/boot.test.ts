import { type IsoEntry, openIso, writeIso } from '@coreiso/iso/iso9660';
import { describe, expect, test } from 'vitest';
import { describeWith, output, run } from '../../../../test/support/tools.ts';
import { encodeHybrid } from '../../src/iso9660/partitions/hybrid.ts';
import { readPartitions } from '../../src/iso9660/partitions/tables.ts';
import { describeWithFixtures, fixture } from '../support/fixtures.ts';
import { bytes, saved } from './support.ts';

const ENTRIES: readonly IsoEntry[] = [
  { kind: 'file', path: '/isolinux/isolinux.bin', content: new Uint8Array(38_911).map((_, index) => index) },
  { kind: 'file', path: '/images/efiboot.img', content: bytes('not much of a file system') },
  { kind: 'file', path: '/images/ignition.img', content: new Uint8Array(262_144) },
];

const hybridImage = (): ReturnType<typeof writeIso> =>
  writeIso(ENTRIES, {
    volumeId: 'boot-test',
    boot: {
      catalogPath: '/isolinux/boot.cat',
      images: [
        { platform: 'bios', path: '/isolinux/isolinux.bin', loadSectors: 4, bootInfoTable: true },
        { platform: 'efi', path: '/images/efiboot.img' },
      ],
    },
    hybrid: { bootCode: new Uint8Array(432).fill(0x90) },
  });

describeWith(['xorriso'], 'xorriso', () => {
  const report = async ({ source }: Awaited<ReturnType<typeof writeIso>>): Promise<string[]> => {
    const args = ['-indev', await saved(source), '-report_el_torito', 'plain', '-report_system_area', 'plain'];
    return output('xorriso', args)
      .toString()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' '));
  };

  test('sees both boot images, the information table and the partitions', async () => {
    const iso = await hybridImage();
    const lba = (path: string) => iso.extentOf(path).offset / 2048;
    const efi = lba('/images/efiboot.img');
    expect(await report(iso)).toEqual(
      expect.arrayContaining([
        `El Torito catalog : ${lba('/isolinux/boot.cat')} 1`,
        'El Torito cat path : /isolinux/boot.cat',
        `El Torito boot img : 1 BIOS y none 0x0000 0x00 4 ${lba('/isolinux/isolinux.bin')}`,
        `El Torito boot img : 2 UEFI y none 0x0000 0x00 4 ${efi}`,
        'El Torito img path : 1 /isolinux/isolinux.bin',
        'El Torito img opts : 1 boot-info-table',
        'El Torito img path : 2 /images/efiboot.img',
        'MBR partition : 1 0x80 0x00 0 2048',
        `MBR partition : 2 0x00 0xef ${efi * 4} 4`,
        'GPT entry array : 2 128 overlapping',
        'GPT lba range : 34 2014 2047',
        'GPT partname local : 1 ISOHybrid ISO',
        `GPT start and size : 1 0 ${iso.volumeSize / 512}`,
        'GPT partname local : 2 ISOHybrid',
        `GPT start and size : 2 ${efi * 4} 4`,
      ]),
    );
  });

  test.each([
    ['bios', 'BIOS'],
    ['efi', 'UEFI'],
  ] as const)('sees a single entry for %s with an unlisted catalogue', async (platform, name) => {
    const boot = { images: [{ platform, path: '/images/efiboot.img' }] };
    const lines = await report(await writeIso(ENTRIES, { volumeId: 'x', boot }));
    expect(lines.filter((line) => line.startsWith('El Torito boot img'))).toEqual([
      expect.stringMatching(new RegExp(`^El Torito boot img : 1 ${name} y none 0x0000 0x00 4 \\d+$`)),
    ]);
  });
});

test('writes a header before each image but the first in a catalogue, and marks the last header', async () => {
  const paths = ['/isolinux/isolinux.bin', '/images/efiboot.img', '/images/ignition.img'];
  const images = paths.map((path, index) => ({ platform: index === 1 ? ('efi' as const) : ('bios' as const), path }));
  const { source, extentOf } = await writeIso(ENTRIES, { volumeId: 'x', boot: { catalogPath: '/cat', images } });
  const entry = (path: string) => {
    const { offset, length } = extentOf(path);
    const count = Math.ceil(length / 2048) * 4;
    const [low, high] = [(offset / 2048) & 255, (offset / 2048) >> 8];
    return [0x88, 0, 0, 0, 0, 0, count & 255, count >> 8, low, high, 0, 0, ...new Array(20).fill(0)];
  };
  const header = (type: number, platform: number) => [type, platform, 1, 0, ...new Array(28).fill(0)];
  // El Torito 2.1: the number one, the platform, and a checksum that makes the sum of all words zero.
  const validation = [1, 0, ...new Array(26).fill(0), 0xaa, 0x55, 0x55, 0xaa];
  expect([...(await source.read(extentOf('/cat').offset, 2048))]).toEqual([
    ...validation,
    ...entry('/isolinux/isolinux.bin'),
    ...header(0x90, 0xef),
    ...entry('/images/efiboot.img'),
    ...header(0x91, 0),
    ...entry('/images/ignition.img'),
    ...new Array(2048 - 6 * 32).fill(0),
  ]);
  // ECMA-119 8.2 and El Torito figure 7.
  const record = new Uint8Array(2048);
  record.set(bytes('\0CD001\x01EL TORITO SPECIFICATION'));
  new DataView(record.buffer).setUint32(71, extentOf('/cat').offset / 2048, true);
  expect(await source.read(17 * 2048, 2048)).toEqual(record);
});

test.each([
  [31, undefined],
  [32, undefined],
  [33, /boot\.images must be 1 to 32/],
])('writes %d images in one catalogue', async (count, refusal) => {
  const images = new Array(count).fill({ platform: 'efi', path: '/images/efiboot.img' });
  const writing = writeIso(ENTRIES, { volumeId: 'x', boot: { images } });
  if (refusal !== undefined) return expect(writing).rejects.toThrow(refusal);
  expect((await (await openIso((await writing).source)).bootCatalog())?.entries).toHaveLength(count);
});

test.each([0, 1, 3, 4, 70_000])(
  'sums the words of an image of 64 and %d bytes in its information table',
  async (more) => {
    const content = Uint8Array.from({ length: 64 + more }, (_, index) => 255 - (index % 251));
    const boot = { images: [{ platform: 'bios' as const, path: '/b', bootInfoTable: true }] };
    const { source, extentOf } = await writeIso([{ kind: 'file', path: '/b', content }], { volumeId: 'x', boot });
    const { offset } = extentOf('/b');
    const padded = Buffer.concat([content.subarray(64), new Uint8Array(3)]);
    let sum = 0;
    for (let at = 0; at + 4 <= padded.length; at += 4) sum = (sum + padded.readUInt32LE(at)) % 2 ** 32;
    const expected = Buffer.from(content);
    expected.fill(0, 8, 64);
    for (const [index, word] of [16, offset / 2048, content.length, sum].entries()) {
      expected.writeUInt32LE(word, 8 + 4 * index);
    }
    expect(Buffer.from(await source.read(offset, content.length)).equals(expected)).toBe(true);
  },
);

test('limits the load size of a large image to the 16 bits of the catalogue', async () => {
  const entry: IsoEntry = { kind: 'file', path: '/efi', content: new Uint8Array(33 << 20) };
  const boot = { catalogPath: '/cat', images: [{ platform: 'efi' as const, path: '/efi' }] };
  const { source, extentOf } = await writeIso([entry], { volumeId: 'x', boot });
  expect([...(await source.read(extentOf('/cat').offset + 38, 2))]).toEqual([0xff, 0xff]);
});

test.each([0, 65_535])('writes a load size of %d sectors unchanged', async (loadSectors) => {
  const boot = {
    catalogPath: '/cat',
    images: [{ platform: 'efi' as const, path: '/images/efiboot.img', loadSectors }],
  };
  const { source, extentOf } = await writeIso(ENTRIES, { volumeId: 'x', boot });
  const [low, high] = await source.read(extentOf('/cat').offset + 38, 2);
  expect(low! + 256 * high!).toBe(loadSectors);
});

test.each([-1, 65_536, 1.5, Number.NaN])('refuses a load size of %d sectors', async (loadSectors) => {
  const boot = { images: [{ platform: 'efi' as const, path: '/images/efiboot.img', loadSectors }] };
  const writing = writeIso(ENTRIES, { volumeId: 'x', boot });
  await expect(writing).rejects.toThrow(
    new RangeError(`loadSectors must be a whole number from 0 to 65535, not ${loadSectors}`),
  );
});

test('does not change the boot image of the caller', async () => {
  await hybridImage();
  const [isolinux] = ENTRIES;
  expect(isolinux?.kind === 'file' && (isolinux.content as Uint8Array)[8]).toBe(8);
});

describe('hybrid images', () => {
  test('are identified by the name of their volume, as in earlier releases', async () => {
    const { mbr, gpt } = await readPartitions((await hybridImage()).source);
    // CRC-32 of the name, and GUIDs of version 8 (RFC 9562 5.8) made of CRC-32 of the name, a purpose and a number.
    expect(mbr?.diskSignature).toBe(0xb07036e5);
    expect(gpt?.header.diskGuid).toBe('B87EE880-D816-8F79-AC89-70563AB97721');
    expect(gpt?.partitions.map(({ guid }) => guid)).toEqual([
      'FDCF4811-7887-8AC8-BD29-C113AB19C664',
      '514B1A56-2AC0-864C-BA7B-45BFEC4B42C8',
    ]);
  });

  test('tell the boot code the place of the BIOS image, and keep the rest of the system area', async () => {
    const images = ['/images/efiboot.img', '/isolinux/isolinux.bin'].map((path, index) => ({
      platform: index === 0 ? ('efi' as const) : ('bios' as const),
      path,
    }));
    const headOf = async (boot: readonly (typeof images)[number][]) => {
      const options = { volumeId: 'x', boot: { images: boot }, hybrid: {}, systemArea: new Uint8Array(32_768).fill(7) };
      const iso = await writeIso(ENTRIES, options);
      return { iso, head: Buffer.from(await iso.source.read(0, 32_768)) };
    };
    const { iso, head } = await headOf(images);
    expect(head.readBigUInt64LE(432)).toBe(BigInt(iso.extentOf('/isolinux/isolinux.bin').offset / 512));
    expect((await headOf(images.slice(0, 1))).head.readBigUInt64LE(432)).toBe(0n);
    // The tables end with 128 entries of 128 bytes from the third disk sector on (UEFI 5.3).
    expect([head[1024 + 128 * 128 - 1], head[1024 + 128 * 128]]).toEqual([0, 7]);
  });

  test('end at a whole mebibyte with room for the backup table', async () => {
    // 0 to 33 blocks of 512 bytes are free in the last mebibyte of the volume.
    for (const free of [0, 8, 9]) {
      const facts = { volumeId: 'x', volumeSectors: 1024 - free, efiSector: 64, efiBlocks: 4, biosSector: undefined };
      const { gap, backup } = encodeHybrid(facts, undefined);
      const size = facts.volumeSectors * 2048 + gap + backup.length;
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(size).toBe((free === 9 ? 2 : 3) << 20);
    }
  });

  describeWith(['sgdisk'], 'to sgdisk', () => {
    test("are as valid and as overlapping as isohybrid's", async () => {
      const { stdout } = run('sgdisk', ['-v', await saved((await hybridImage()).source)]);
      expect(problems(stdout.toString())).toEqual([
        'Problem: MBR partitions 1 and 2 overlap!',
        'Warning! Main partition table overlaps the first partition by 34 blocks!',
        'Identified 2 problems!',
      ]);
    });
  });
});

const problems = (text: string): string[] =>
  text.split('\n').filter((line) => /^(Problem|Warning|Identified)/.test(line));

describeWithFixtures('real images', () => {
  test.each(['2022-02', '2022-09', '2023-07.x86_64'])('%s has the tables we would give it', (generation) => {
    const image = Buffer.from(fixture(`embed-areas-${generation}.iso`));
    const volumeSectors = image.readUInt32LE(32768 + 80);
    const facts = { volumeId: 'x', volumeSectors, efiSector: 64, efiBlocks: 4, biosSector: 45 };
    const { head, gap, backup } = encodeHybrid(facts, image.subarray(0, 432));
    expect(volumeSectors * 2048 + gap + backup.length).toBe(image.length);
    expect(withoutIdentity(head, 512, 1024)).toEqual(withoutIdentity(image.subarray(0, head.length), 512, 1024));
    expect(withoutIdentity(backup, backup.length - 512, 0)).toEqual(
      withoutIdentity(image.subarray(image.length - backup.length), backup.length - 512, 0),
    );
  });

  /** Sets the random numbers of the real images, and the checksums over them, to zero. */
  function withoutIdentity(tables: Uint8Array, header: number, entries: number): Uint8Array {
    const copy = Uint8Array.from(tables);
    if (header === 512) copy.fill(0, 440, 444);
    for (const [start, length] of [
      [header + 16, 4],
      [header + 56, 16],
      [header + 88, 4],
      [entries + 16, 16],
      [entries + 144, 16],
    ] as const) {
      copy.fill(0, start, start + length);
    }
    return copy;
  }
});
