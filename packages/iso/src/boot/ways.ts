// The ways in which firmware can start an image, or should be able to start a live image of its kind.
import type { Region } from '../bytes/region.ts';
import { readLatin1, readU16Le, readU64Le, SECTOR } from '../iso9660/fields.ts';
import { GPT_SIGNATURE } from '../iso9660/partitions/gpt.ts';
import { DISK_SECTOR, MBR } from '../iso9660/partitions/mbr.ts';
import { followBios } from './bios.ts';
import { type BootContext, EFI_IMAGE, ISOLINUX, type LoaderChoice } from './boot-context.ts';
import { followEfi } from './efi.ts';
import type { BootWay, Chain } from './links.ts';
import { followMainframe } from './mainframe.ts';
import { followOpenFirmware } from './open-firmware.ts';
import { isStandIn } from './places.ts';

/** A way to follow: it ends with the choice of a boot loader. */
export interface Way extends Pick<BootWay, 'firmware' | 'medium'> {
  readonly follow: (chain: Chain, judge: (chosen: LoaderChoice) => Promise<void>) => Promise<void>;
}

/** UEFI 13.3.1.1 and 5.3.3: partitions in which firmware looks for a loader. */
const MBR_EFI = 0xef;
const MBR_PROTECTIVE = 0xee;
const GPT_EFI = 'C12A7328-F81F-11D2-BA4B-00A0C93EC93B';

/** SeaBIOS and others look for the boot record in this sector only. */
const BOOT_RECORD_SECTOR = 17;
/** The default address to which a BIOS loads, and the end of the memory that it may overwrite. */
const USUAL_SEGMENT = 0x7c0;
const MOST_LOADED = 0x80000;

export async function waysOf(grounds: BootContext): Promise<Way[]> {
  const { place, areas } = grounds;
  if ((await place.file('/images/cdboot.img')) !== undefined)
    return [{ firmware: 's390x', medium: 'cd', follow: (chain, judge) => followMainframe(chain, grounds, judge) }];
  const isLive = areas.initrd !== undefined;
  const openFirmware = ['/ppc/bootinfo.txt', '/boot/grub/powerpc.elf', '/boot/grub/core.elf'];
  const ways: Way[] = [];
  const bios = await biosEntry(grounds, isLive);
  if (bios !== undefined)
    ways.push({
      firmware: 'bios',
      medium: 'cd',
      follow: async (chain, judge) => followBios(chain, grounds, bios(chain), judge),
    });
  const mbr = await biosMbr(grounds);
  if (mbr !== undefined)
    ways.push({
      firmware: 'bios',
      medium: 'disk',
      follow: async (chain, judge) => followBios(chain, grounds, mbr(chain), judge),
    });
  const efi = await efiEntry(grounds, isLive);
  if (efi !== undefined)
    ways.push({
      firmware: 'uefi',
      medium: 'cd',
      follow: async (chain, judge) => followEfi(chain, grounds, 'cd', efi(chain), judge),
    });
  const partition = await efiPartition(grounds);
  if (partition !== undefined)
    ways.push({
      firmware: 'uefi',
      medium: 'disk',
      follow: async (chain, judge) => followEfi(chain, grounds, 'disk', partition(chain), judge),
    });
  for (const path of openFirmware) {
    if ((await place.file(path)) === undefined) continue;
    ways.push({
      firmware: 'open-firmware',
      medium: 'cd',
      follow: (chain, judge) => followOpenFirmware(chain, grounds, judge),
    });
    break;
  }
  return ways;
}

/** Finds the loader on a CD as a BIOS does. */
async function biosEntry(
  { catalog, catalogProblem, iso, place }: BootContext,
  isLive: boolean,
): Promise<((chain: Chain) => number) | undefined> {
  const [first] = catalog?.entries ?? [];
  const isThere = first?.platform === 'x86';
  const isolinux = await place.file(ISOLINUX);
  const isExpected = isLive && isolinux !== undefined;
  if (!isThere && !isExpected) return undefined;
  return (chain) => {
    chain.look('boot catalogue');
    if (catalogProblem !== undefined) chain.fail(catalogProblem.message, catalogProblem.offset);
    if (!isThere || first === undefined)
      return chain.fail(
        catalog === undefined
          ? 'the image has isolinux but no boot catalogue'
          : 'the first entry of the boot catalogue is not for a BIOS',
      );
    const record = iso.volume.descriptors.find(({ type }) => type === 'boot');
    if (record !== undefined && record.offset !== BOOT_RECORD_SECTOR * SECTOR)
      chain.fail(
        `the boot record is in sector ${record.offset / SECTOR}, but firmware looks in ${BOOT_RECORD_SECTOR}`,
        record.offset,
      );
    const { bootable, media, loadSegment, loadSize, offset, entryOffset } = first;
    if (!bootable) chain.fail('the entry for a BIOS is not marked as bootable', entryOffset);
    const isIsolinux = offset === isolinux?.regions[0]?.offset;
    if (media !== 'none' && isIsolinux)
      chain.fail(`the entry for a BIOS emulates ${media}, but isolinux is not a disk`, entryOffset);
    if (media !== 'none') chain.leave(`the entry for a BIOS emulates ${media}`);
    if (loadSegment !== 0 && loadSegment !== USUAL_SEGMENT)
      chain.fail(`the loader would be loaded to segment ${loadSegment}, where it cannot run`, entryOffset);
    if (loadSize === 0 || loadSize > MOST_LOADED)
      chain.fail(`firmware would load ${loadSize} bytes of the loader`, entryOffset);
    chain.ok(`BIOS: sector ${offset / SECTOR}`);
    return offset;
  };
}

/** Finds the loader on a disk as a BIOS does; images without boot code cannot boot this way. */
async function biosMbr({ source, place, options }: BootContext): Promise<((chain: Chain) => number) | undefined> {
  const sector = await source.read(0, Math.min(2 * DISK_SECTOR, source.size), options.signal);
  const code = sector.subarray(0, MBR.bootImage);
  const hasCode = code.some((byte) => byte !== 0);
  const isHybrid = readLatin1(sector, DISK_SECTOR, 8) === GPT_SIGNATURE;
  if (!hasCode && !isHybrid) return undefined;
  // A GPT alone does not mean that the image is for a BIOS.
  const isolinux = await place.file(ISOLINUX);
  if (!hasCode && isolinux === undefined) return undefined;
  const isTrimmed = isolinux !== undefined && (await isStandIn(isolinux, options.signal));
  return (chain) => {
    chain.look('MBR');
    if (readU16Le(sector, MBR.signature) !== 0xaa55)
      return chain.fail('the master boot record has no signature (55 AA)', MBR.signature);
    const offset = readU64Le(sector, MBR.bootImage) * DISK_SECTOR;
    const at = isolinux?.regions[0]?.offset;
    if (!hasCode && isTrimmed && offset !== 0 && offset !== at)
      return chain.fail(
        `the master boot record points to sector ${offset / DISK_SECTOR}, and ${ISOLINUX} is in ${(at ?? 0) / DISK_SECTOR}`,
        MBR.bootImage,
      );
    if (!hasCode && isTrimmed) return chain.leave('the master boot record has no boot code, as in trimmed images');
    if (!hasCode) return chain.fail('the master boot record has no boot code');
    const text = readLatin1(code, 0, code.length);
    if (!text.includes('isolinux.bin missing'))
      return chain.leave('the boot code of the master boot record is unknown');
    chain.ok(`boot code of isohybrid, loader in sector ${offset / DISK_SECTOR}`);
    return offset;
  };
}

/** Finds the file system on a CD as UEFI does. */
async function efiEntry(
  { catalog, catalogProblem, source, place }: BootContext,
  isLive: boolean,
): Promise<((chain: Chain) => Region) | undefined> {
  const entry = catalog?.entries.find(({ platform }) => platform === 'efi');
  const efi = await place.file(EFI_IMAGE);
  const isExpected = isLive && (efi !== undefined || (await place.names('/EFI')).length > 0);
  if (entry === undefined && !isExpected) return undefined;
  return (chain) => {
    chain.look('boot catalogue');
    if (catalogProblem !== undefined) chain.fail(catalogProblem.message, catalogProblem.offset);
    if (entry === undefined)
      return chain.fail(
        catalog === undefined
          ? 'the image has no boot catalogue, and has a folder EFI'
          : 'the boot catalogue has no entry for UEFI',
      );
    const { bootable, offset, loadSize, entryOffset, media } = entry;
    if (!bootable) chain.fail('the entry for UEFI is not marked as bootable', entryOffset);
    if (media !== 'none') chain.leave(`the entry for UEFI emulates ${media}`);
    const at = efi?.regions[0]?.offset;
    if (at !== undefined && at !== offset)
      chain.fail(
        `the entry for UEFI points to sector ${offset / SECTOR}, and ${EFI_IMAGE} is in ${at / SECTOR}`,
        entryOffset,
      );
    if (offset >= source.size) chain.fail(`the entry for UEFI points past the end of the image`, entryOffset);
    chain.ok(`UEFI: sector ${offset / SECTOR}`);
    // Fewer than two sectors mean the rest of the volume; EDK II counts in CD sectors.
    const sectors = loadSize / DISK_SECTOR;
    return { offset, length: sectors < 2 ? source.size - offset : Math.min(sectors * SECTOR, source.size - offset) };
  };
}

/** Finds the file system on a disk as UEFI does. */
async function efiPartition({
  tables: { mbr, gpt },
  catalog,
  source,
  options,
}: BootContext): Promise<((chain: Chain) => Region) | undefined> {
  const inMbr = mbr?.partitions.find(({ type }) => type === MBR_EFI);
  const known = catalog?.entries.find(({ platform }) => platform === 'efi')?.offset;
  const inGpt = gpt?.partitions.find(({ type, offset }) => type === GPT_EFI || (offset > 0 && offset === known));
  const hasBackup =
    gpt === undefined &&
    readLatin1(
      await source.read(Math.max(0, source.size - DISK_SECTOR), Math.min(DISK_SECTOR, source.size), options.signal),
      0,
      8,
    ) === GPT_SIGNATURE;
  if (inMbr === undefined && gpt === undefined && !hasBackup) return undefined;
  return (chain) => {
    if (gpt !== undefined || hasBackup) {
      chain.look('GPT');
      if (gpt === undefined)
        return chain.fail(
          'the first copy of the GUID partition table is missing, and its backup is there',
          DISK_SECTOR,
        );
      const { header } = gpt;
      if (!header.intact) chain.fail('the checksum of the GPT header is wrong', DISK_SECTOR);
      if (!gpt.intact) chain.fail('the checksum of the GPT entries is wrong', header.entriesSector * DISK_SECTOR);
      if (header.ownSector !== 1) chain.fail(`the GPT header declares sector ${header.ownSector}`, DISK_SECTOR);
      if (inGpt === undefined) return chain.leave('the GPT names no EFI partition');
      if (inGpt.offset + inGpt.length > source.size)
        chain.fail('the EFI partition of the GPT ends past the end of the image', inGpt.offset);
      chain.ok(`EFI partition ${inGpt.number} in sector ${inGpt.offset / DISK_SECTOR}`);
    }
    chain.look('MBR');
    // UEFI 5.2.3: the protective partition begins in sector 1; elsewhere it does not announce a GPT.
    const isProtected =
      mbr?.partitions.some(({ type, offset }) => type === MBR_PROTECTIVE && offset === DISK_SECTOR) === true;
    if (mbr === undefined) return chain.fail('the master boot record has no signature (55 AA)', MBR.signature);
    const partition = isProtected ? inGpt : inMbr;
    if (partition === undefined)
      return chain.fail('the MBR has neither an EFI partition nor one that protects the GPT', MBR.entries);
    if (inGpt !== undefined && inMbr !== undefined && inGpt.offset !== inMbr.offset)
      chain.fail(
        `the EFI partition is in sector ${inMbr.offset / DISK_SECTOR} for the MBR, and in ${inGpt.offset / DISK_SECTOR} for the GPT`,
        MBR.entries,
      );
    if (partition.offset + partition.length > source.size)
      chain.fail('the EFI partition ends past the end of the image', MBR.entries);
    chain.ok(`EFI partition in sector ${partition.offset / DISK_SECTOR}`);
    return { offset: partition.offset, length: partition.length };
  };
}
