// El Torito 1.0: the boot catalogue. Left out: selection criteria of extension entries.
import { IsoError } from '../errors.ts';
import { readLatin1, readU8, readU16Le, readU32Le, SECTOR } from './fields.ts';
import type { Image } from './image.ts';
import type { Volume } from './volume.ts';

/** El Torito figure 7: the identifier of its boot record. */
const EL_TORITO_ID = 'EL TORITO SPECIFICATION';

/** El Torito 2.1 and UEFI 13.3.2.1: the platform of an entry. */
const PLATFORM = { x86: 0x00, powerpc: 0x01, mac: 0x02, efi: 0xef } as const;

/** The first byte of a catalogue entry, El Torito 2. */
const CATALOG_ENTRY = {
  validation: 0x01,
  bootable: 0x88,
  header: 0x90,
  lastHeader: 0x91,
  extension: 0x44,
} as const;

/** El Torito 2: every entry of the catalogue. */
const CATALOG_ENTRY_SIZE = 32;

/** El Torito 2.2: entries count their length in sectors of disks. */
const LOAD_SECTOR = 512;

/** El Torito 2.2: the emulation, by the low bits of the media byte. */
const MEDIA = ['none', 'floppy-1.2M', 'floppy-1.44M', 'floppy-2.88M', 'hard-disk'] as const;

/** Firmware reads one sector, and no real image has even a hundred entries. */
const MAX_ENTRIES = 1024;

type BootEntry = BootCatalog['entries'][number];

/** The El Torito catalogue: the images that firmware can boot. */
export interface BootCatalog {
  /** Byte position of the catalogue in the image. */
  readonly offset: number;
  /** Text of the validation entry. */
  readonly id: string;
  readonly entries: readonly {
    readonly bootable: boolean;
    readonly platform: keyof typeof PLATFORM | number;
    readonly media: (typeof MEDIA)[number] | 'unknown';
    /** The segment to load to; 0 means the usual 0x7C0. */
    readonly loadSegment: number;
    readonly systemType: number;
    /** Byte position of the boot image. */
    readonly offset: number;
    /** Number of bytes that firmware loads, perhaps fewer than the file has. */
    readonly loadSize: number;
    /** Byte position of the entry in the image. */
    readonly entryOffset: number;
  }[];
}

/** The boot catalogue that the volume's boot record names; `undefined` if there is none. */
export async function readBootCatalog(
  image: Image,
  volume: Volume,
  signal?: AbortSignal,
): Promise<BootCatalog | undefined> {
  const boot = volume.descriptors.find(
    (descriptor) => descriptor.type === 'boot' && descriptor.systemId === EL_TORITO_ID,
  );
  if (boot?.type !== 'boot') return undefined;
  const catalog = boot.catalogSector * SECTOR;
  const first = await readEntry(image, catalog, 0, signal);
  checkValidation(first, catalog);
  let platform = readU8(first, 1);
  const entries = [parseEntry(await readEntry(image, catalog, 1, signal), platform, catalog + CATALOG_ENTRY_SIZE)];
  let left = 0;
  let last = false;
  for (let index = 2; left > 0 || !last; index++) {
    const entry = await readEntry(image, catalog, index, signal);
    const type = entry[0];
    if (type === CATALOG_ENTRY.extension) continue;
    if (left > 0) {
      entries.push(parseEntry(entry, platform, catalog + index * CATALOG_ENTRY_SIZE));
      left--;
    } else if (type === CATALOG_ENTRY.header || type === CATALOG_ENTRY.lastHeader) {
      last = type === CATALOG_ENTRY.lastHeader;
      platform = readU8(entry, 1);
      left = readU16Le(entry, 2);
    } else {
      break;
    }
  }
  return { offset: catalog, id: readLatin1(first, 4, 24).replace(/[ \0]+$/, ''), entries };
}

async function readEntry(
  image: Image,
  catalog: number,
  index: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const offset = catalog + index * CATALOG_ENTRY_SIZE;
  if (index >= MAX_ENTRIES) {
    throw new IsoError('ISO_BAD_BOOT_CATALOG', `boot catalogue has more than ${MAX_ENTRIES} entries`, { offset });
  }
  return image.readWithin(offset, CATALOG_ENTRY_SIZE, signal);
}

/** El Torito 2.1: the words of the validation entry add up to zero. */
function checkValidation(entry: Uint8Array, offset: number): void {
  let sum = 0;
  for (let at = 0; at < CATALOG_ENTRY_SIZE; at += 2) sum += readU16Le(entry, at);
  const isValid = entry[0] === CATALOG_ENTRY.validation && readU16Le(entry, 30) === 0xaa55 && sum % 0x10000 === 0;
  if (!isValid) throw new IsoError('ISO_BAD_BOOT_CATALOG', 'boot catalogue has no validation entry', { offset });
}

function parseEntry(entry: Uint8Array, platform: number, entryOffset: number): BootEntry {
  const name = (Object.keys(PLATFORM) as (keyof typeof PLATFORM)[]).find((key) => PLATFORM[key] === platform);
  return {
    bootable: entry[0] === CATALOG_ENTRY.bootable,
    platform: name ?? platform,
    media: MEDIA[readU8(entry, 1) & 0x0f] ?? 'unknown',
    loadSegment: readU16Le(entry, 2),
    systemType: readU8(entry, 4),
    offset: readU32Le(entry, 8) * SECTOR,
    loadSize: readU16Le(entry, 6) * LOAD_SECTOR,
    entryOffset,
  };
}
