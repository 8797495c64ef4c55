import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Iso, openIso } from '@coreiso/iso/iso9660';
import { beforeAll, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { crc32 } from '../../src/checksums/crc32.ts';
import { readPartitions } from '../../src/iso9660/partitions/tables.ts';
import { describeWithFixtures, fixture } from '../support/fixtures.ts';
import { describeError, patched } from './support.ts';

const open = (bytes: Uint8Array): Promise<Iso> => openIso(bytesSource(bytes));

test.each([
  ['', 0],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('computes the published CRC-32 of %j', (text, crc) => {
  expect(crc32(new TextEncoder().encode(text))).toBe(crc);
});

describeWithFixtures('boot records of real images', () => {
  test('finds boot images for BIOS and EFI on x86_64', async () => {
    const iso = await open(fixture('embed-areas-2023-07.x86_64.iso'));
    const catalog = await iso.bootCatalog();
    expect(catalog?.entries.map(({ platform, media, bootable }) => [platform, media, bootable])).toEqual([
      ['x86', 'none', true],
      ['efi', 'none', true],
    ]);
    const [bios, efi] = catalog?.entries ?? [];
    expect(bios?.loadSize).toBe(4 * 512);
    expect(bios?.offset).toBe((await iso.entry('/isolinux/isolinux.bin')).extents[0]?.offset);
    expect(efi?.offset).toBe((await iso.entry('/images/efiboot.img')).extents[0]?.offset);
    expect(catalog?.offset).toBe((await iso.entry('/isolinux/boot.cat')).extents[0]?.offset);
  });

  test('finds the only boot image on s390x', async () => {
    const iso = await open(fixture('embed-areas-2023-07.s390x.iso'));
    const catalog = await iso.bootCatalog();
    expect(catalog?.entries.map(({ offset }) => offset)).toEqual([
      (await iso.entry('/images/cdboot.img')).extents[0]?.offset,
    ]);
    expect(await iso.partitions()).toEqual({});
  });

  test('reads the MBR and the GPT with its backup from isohybrid', async () => {
    const image = fixture('embed-areas-2023-07.x86_64.iso');
    const iso = await open(image);
    const { mbr, gpt } = await iso.partitions();
    const efi = await iso.entry('/images/efiboot.img');
    expect(mbr?.partitions.map(({ number, type, offset }) => [number, type, offset])).toEqual([
      [1, 0, 0],
      [2, 0xef, efi.extents[0]?.offset],
    ]);
    expect(gpt?.partitions.map(({ name }) => name)).toEqual(['ISOHybrid ISO', 'ISOHybrid']);
    expect(gpt?.partitions[1]?.offset).toBe(efi.extents[0]?.offset);
    expect(gpt).toMatchObject({ intact: true, backup: 'intact' });
    const { gpt: cut } = await (await open(image.subarray(0, -2048))).partitions();
    expect(cut).toMatchObject({ intact: true, backup: 'missing' });
    const { gpt: flipped } = await (await open(patched(image, 1024 + 40, [0xff]))).partitions();
    expect(flipped).toMatchObject({ intact: false, backup: 'intact' });
  });

  test('finds no catalogue in an image without a boot record', async () => {
    expect(await (await open(fixture('synthetic.iso'))).bootCatalog()).toBeUndefined();
  });

  test.each([
    ['its first byte', 0, 2],
    ['its checksum', 28, 1],
    ['its last byte', 31, 0],
  ])('refuses a catalogue that is wrong in %s', async (_, at, value) => {
    const image = fixture('embed-areas-2023-07.x86_64.iso');
    const offset = (await (await open(image)).bootCatalog())?.offset ?? 0;
    const error = await describeError((await open(patched(image, offset + at, [value]))).bootCatalog());
    expect(error).toMatchObject({ code: 'ISO_BAD_BOOT_CATALOG', offset });
  });
});

describeWith(['xorriso', 'sgdisk'], 'hybrid images of xorriso', () => {
  const scratch = scratchFolder();
  const image = join(scratch, 'hybrid.iso');

  beforeAll(() => {
    const tree = join(scratch, 'tree');
    mkdirSync(tree);
    writeFileSync(join(tree, 'bios.bin'), new Uint8Array(4096).fill(0x90));
    writeFileSync(join(tree, 'efi.img'), new Uint8Array(65536).fill(1));
    writeFileSync(join(scratch, 'mbr.bin'), new Uint8Array(432).fill(0x90));
    const bios = ['-b', 'bios.bin', '-c', 'boot.cat', '-no-emul-boot', '-boot-load-size', '4', '-boot-info-table'];
    const efi = ['-eltorito-alt-boot', '-e', 'efi.img', '-no-emul-boot', '-isohybrid-gpt-basdat'];
    const mbr = ['-isohybrid-mbr', join(scratch, 'mbr.bin')];
    output('xorriso', ['-as', 'mkisofs', '-quiet', '-R', ...mbr, ...bios, ...efi, '-o', image, tree]);
  });

  const reported = (): string => output('xorriso', ['-indev', image, '-report_el_torito', 'plain']).toString();

  test('reads the same boot catalogue as xorriso', async () => {
    const entries = (await (await open(readFileSync(image))).bootCatalog())?.entries ?? [];
    const theirs = [
      ...reported().matchAll(/^El Torito boot img : +\d+ +(\w+) +(\w) +(\w+) +\S+ +\S+ +(\d+) +(\d+)$/gm),
    ];
    expect(theirs).toHaveLength(2);
    expect(
      entries.map(({ platform, bootable, media, loadSize, offset }) => [
        platform === 'x86' ? 'BIOS' : 'UEFI',
        bootable ? 'y' : 'n',
        media,
        String(loadSize / 512),
        String(offset / 2048),
      ]),
    ).toEqual(theirs.map((match) => match.slice(1)));
  });

  test('reads the same partitions as xorriso', async () => {
    const { mbr, gpt } = await (await open(readFileSync(image))).partitions();
    const report = output('xorriso', ['-indev', image, '-report_system_area', 'plain']).toString();
    const mbrRows = [...report.matchAll(/^MBR partition +: +(\d+) +(\w+) +(\w+) +(\d+) +(\d+)$/gm)];
    expect(mbrRows).toHaveLength(2);
    expect(
      mbr?.partitions.map(({ number, active, type, offset, length }) => [
        number,
        active ? 0x80 : 0,
        type,
        offset / 512,
        length / 512,
      ]),
    ).toEqual(mbrRows.map((row) => row.slice(1).map(Number)));
    const gptRows = [...report.matchAll(/^GPT start and size : +(\d+) +(\d+) +(\d+)$/gm)];
    expect(gptRows).toHaveLength(2);
    expect(gpt?.partitions.map(({ number, offset, length }) => [number, offset / 512, length / 512])).toEqual(
      gptRows.map((row) => row.slice(1).map(Number)),
    );
    const names = [...report.matchAll(/^GPT partname local : +\d+ +(.*)$/gm)].map((row) => row[1]);
    expect(gpt?.partitions.map(({ name }) => name)).toEqual(names);
    expect(gpt).toMatchObject({ intact: true, backup: 'intact' });
  });

  test('reads the same appended partitions as sgdisk, which finds them valid', async () => {
    const appended = join(scratch, 'appended.iso');
    const efi = 'C12A7328-F81F-11D2-BA4B-00A0C93EC93B';
    const partition = ['-append_partition', '2', efi, join(scratch, 'tree/efi.img'), '-appended_part_as_gpt'];
    const boot = ['-e', '--interval:appended_partition_2:all::', '-no-emul-boot'];
    output('xorriso', ['-as', 'mkisofs', '-quiet', '-R', ...partition, ...boot, '-o', appended, join(scratch, 'tree')]);
    const { gpt } = await (await open(readFileSync(appended))).partitions();
    const table = output('sgdisk', ['-p', appended]).toString();
    expect(table).toContain(`Disk identifier (GUID): ${gpt?.header.diskGuid}\n`);
    const rows = [...table.matchAll(/^ +(\d+) +(\d+) +(\d+) +\S+ \S+ +\w{4} +(.*)$/gm)].map((row) => row.slice(1));
    expect(rows.length).toBeGreaterThan(1);
    expect(
      gpt?.partitions.map(({ number, offset, length, name }) => [
        String(number),
        String(offset / 512),
        String((offset + length) / 512 - 1),
        name,
      ]),
    ).toEqual(rows);
    expect(gpt?.partitions[1]?.type).toBe(efi);
    expect(output('sgdisk', ['-i', '2', appended]).toString()).toContain(`unique GUID: ${gpt?.partitions[1]?.guid}\n`);
    expect(output('sgdisk', ['-v', appended]).toString()).toContain('No problems found');
    expect(gpt).toMatchObject({ intact: true, backup: 'intact' });
  });
});

describe('a wrong partition table', () => {
  test('with a false size of its entries is reported, not followed', async () => {
    const image = new Uint8Array(64 * 1024);
    image.set([0x55, 0xaa], 510);
    image.set(new TextEncoder().encode('EFI PART'), 512);
    image.fill(0xff, 512 + 24, 512 + 92);
    expect((await readPartitions(bytesSource(image))).gpt).toMatchObject({
      partitions: [],
      intact: false,
      backup: 'missing',
    });
  });
});
