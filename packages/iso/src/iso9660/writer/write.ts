import type { Region } from '../../bytes/region.ts';
// Writes ISO 9660 with Rock Ridge and Joliet. Left out on purpose: moving directories below the eighth level elsewhere
// (ECMA-119 6.8.2.1; all current readers support deep trees), interleaving, extended attributes, and floppy or disk
// emulation at boot.

import { checkArgument, checkOptions, checkWhole } from '@coreiso/peers/arguments';
import { type Composition, compose } from '../../bytes/compose.ts';
import { type Bytes, zeros } from '../../bytes/source.ts';
import { FIRST_DESCRIPTOR_SECTOR, SECTOR } from '../fields.ts';
import { BOOT_CODE_LIMIT, encodeHybrid, type HybridTables } from '../partitions/hybrid.ts';
import { PlacedData } from './data.ts';
import {
  checkIdentifiers,
  encodeBootRecord,
  encodeTerminator,
  encodeVolumeDescriptor,
  type VolumeFacts,
} from './descriptors.ts';
import {
  encodeDirectories,
  encodePathTable,
  encodeRootRecord,
  jolietView,
  placeDirectories,
  primaryView,
  type View,
} from './directories.ts';
import { encodeBootCatalog, loadSectors, type PlacedBootImage, withBootInfoTable } from './el-torito.ts';
import type { IsoEntry, IsoHybrid, IsoWriterOptions } from './entries.ts';
import { buildTree, checkDate, type DirectoryNode, type FileData, normalPath, type Tree } from './tree.ts';

const SYSTEM_AREA = FIRST_DESCRIPTOR_SECTOR * SECTOR;
const DEFAULT_PAD_SECTORS = 150;
const MOST_SECTORS = 2 ** 32 - 1;

/**
 * Makes an image with these files. Equal input gives equal bytes. Only boot images with an information table are read.
 *
 * @example
 * ```ts
 * const { source } = await writeIso([{ kind: 'file', path: '/meta-data', content: 'instance-id: one\n' }], {
 *   volumeId: 'cidata',
 * });
 * await writeCopy(source, 'seed.iso');
 * ```
 */
export async function writeIso(
  entries: Iterable<IsoEntry>,
  options: IsoWriterOptions,
): Promise<{
  /** The image: metadata in memory, file data in its original sources. */
  readonly source: Composition;
  /** Size of the volume in bytes; the rest of the image, if any, belongs to the partition tables. */
  readonly volumeSize: number;
  /** The place of a file, or of the boot catalogue if it has a path. */
  extentOf(path: string): Region;
}> {
  checkWriterOptions(options);
  const { boot, timestamp = new Date(0), padSectors = DEFAULT_PAD_SECTORS } = options;
  checkDate(timestamp);
  const tree = buildTree(
    boot?.catalogPath === undefined ? entries : [catalogFile(boot.catalogPath), ...entries],
    timestamp,
  );
  const catalog = boot && (boot.catalogPath === undefined ? hiddenCatalog(timestamp) : fileOf(tree, boot.catalogPath));

  const views = options.joliet === false ? [primaryView(tree)] : [primaryView(tree), jolietView(tree)];
  // Each volume has a descriptor; the boot record and the terminator follow.
  const places = placeViews(views, FIRST_DESCRIPTOR_SECTOR + views.length + (boot === undefined ? 1 : 2));
  const data = new PlacedData(new Set(catalog === undefined ? tree.data : [catalog, ...tree.data]), places.end);
  const volumeSectors = data.end + padSectors;
  if (volumeSectors > MOST_SECTORS)
    throw new RangeError(`entries must fit ${MOST_SECTORS} sectors, not ${volumeSectors}`);

  const images = (boot?.images ?? []).map((image): PlacedBootImage => {
    const file = fileOf(tree, image.path);
    return { image, sector: data.sectorOf(file), size: file.size };
  });
  const replaced = new Map<FileData, Bytes>();
  if (catalog !== undefined) replaced.set(catalog, encodeBootCatalog(images));
  for (const { image, sector } of images) {
    if (image.bootInfoTable !== true) continue;
    const file = fileOf(tree, image.path);
    replaced.set(file, await withBootInfoTable(file.content, sector, options.signal));
  }

  const hybrid = options.hybrid && hybridTables(options.hybrid, options.volumeId, volumeSectors, images);
  const [primary, ...others] = places.views.map((place) =>
    encodeVolumeDescriptor(options, { ...volumeFacts(place), volumeSectors, timestamp }),
  );
  const source = compose([
    systemArea(options.systemArea, hybrid),
    ...(primary === undefined ? [] : [primary]),
    ...(catalog === undefined ? [] : [encodeBootRecord(data.sectorOf(catalog))]),
    ...others,
    encodeTerminator(),
    ...places.views.flatMap(({ view, directories }) => [
      wholeSectors(encodePathTable(view, directories, 'little')),
      wholeSectors(encodePathTable(view, directories, 'big')),
    ]),
    ...places.views.map(({ view, directories }) => encodeDirectories(view, directories, data)),
    ...data.parts(replaced),
    zeros(padSectors * SECTOR),
    ...(hybrid === undefined ? [] : [zeros(hybrid.gap), hybrid.backup]),
  ]);
  return {
    source,
    volumeSize: volumeSectors * SECTOR,
    extentOf(path) {
      const file = fileOf(tree, path);
      return { offset: data.sectorOf(file) * SECTOR, length: file.size };
    },
  };
}

export type WrittenIso = Awaited<ReturnType<typeof writeIso>>;

const OPTIONS = {
  volumeId: 'text',
  systemId: 'text',
  volumeSetId: 'text',
  publisherId: 'text',
  preparerId: 'text',
  applicationId: 'text',
  timestamp: 'date',
  joliet: 'flag',
  boot: 'object',
  hybrid: 'object',
  systemArea: 'bytes',
  padSectors: 'number',
  signal: 'signal',
} as const;

function checkWriterOptions(options: IsoWriterOptions): void {
  checkOptions(options, OPTIONS);
  checkArgument('volumeId', options.volumeId, 'text');
  if (options.boot !== undefined) checkOptions(options.boot, { images: 'array', catalogPath: 'text' }, 'boot');
  if (options.hybrid !== undefined) checkOptions(options.hybrid, { bootCode: 'bytes' }, 'hybrid');
  checkIdentifiers(options);
  const { systemArea, padSectors = DEFAULT_PAD_SECTORS, hybrid } = options;
  if (systemArea !== undefined && systemArea.length > SYSTEM_AREA) {
    throw new RangeError(`systemArea must be at most ${SYSTEM_AREA} bytes, not ${systemArea.length}`);
  }
  checkWhole('padSectors', padSectors);
  const bootCode = hybrid?.bootCode;
  if (bootCode !== undefined && bootCode.length > BOOT_CODE_LIMIT) {
    throw new RangeError(`hybrid.bootCode must be at most ${BOOT_CODE_LIMIT} bytes, not ${bootCode.length}`);
  }
}

/** The entry of the catalogue, whose bytes are known only after all files are placed. */
function catalogFile(path: string): IsoEntry {
  return { kind: 'file', path, content: new Uint8Array(SECTOR) };
}

function hiddenCatalog(modified: Date): FileData {
  return { content: new Uint8Array(SECTOR), size: SECTOR, align: SECTOR, modified, mode: 0, links: 0 };
}

function fileOf(tree: Tree, path: string): FileData {
  const file = tree.files.get(normalPath(path));
  if (file === undefined) throw new RangeError(`path must be that of a listed file, not ${path}`);
  return file;
}

interface PlacedView {
  readonly view: View;
  readonly littlePathTable: number;
  readonly bigPathTable: number;
  readonly directories: ReadonlyMap<DirectoryNode, number>;
}

/** Places the path tables of all views, then their directories. */
function placeViews(views: readonly View[], start: number): { readonly views: PlacedView[]; readonly end: number } {
  let end = start;
  const take = (sectors: number): number => {
    end += sectors;
    return end - sectors;
  };
  const tables = views.map((view) => {
    const sectors = Math.ceil(view.pathTableSize / SECTOR);
    return { view, littlePathTable: take(sectors), bigPathTable: take(sectors) };
  });
  const placed = tables.map((table) => {
    const sectors = table.view.directories.reduce((sum, directory) => sum + directory.sectors, 0);
    return { ...table, directories: placeDirectories(table.view, take(sectors)) };
  });
  return { views: placed, end };
}

function volumeFacts({
  view,
  directories,
  littlePathTable,
  bigPathTable,
}: PlacedView): Omit<VolumeFacts, 'volumeSectors' | 'timestamp'> {
  return {
    joliet: view.joliet,
    pathTableSize: view.pathTableSize,
    littlePathTable,
    bigPathTable,
    rootRecord: encodeRootRecord(view, directories),
  };
}

function hybridTables(
  options: IsoHybrid,
  volumeId: string,
  volumeSectors: number,
  images: readonly PlacedBootImage[],
): HybridTables {
  const efi = images.find(({ image }) => image.platform === 'efi');
  if (efi === undefined) throw new RangeError('hybrid must come with a boot image for EFI');
  const facts = {
    volumeId,
    volumeSectors,
    efiSector: efi.sector,
    efiBlocks: loadSectors(efi),
    biosSector: images.find(({ image }) => image.platform === 'bios')?.sector,
  };
  return encodeHybrid(facts, options.bootCode);
}

function systemArea(content: Uint8Array | undefined, hybrid: HybridTables | undefined): Uint8Array {
  const bytes = new Uint8Array(SYSTEM_AREA);
  if (content !== undefined) bytes.set(content);
  if (hybrid !== undefined) bytes.set(hybrid.head);
  return bytes;
}

function wholeSectors(content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(content.length / SECTOR) * SECTOR);
  bytes.set(content);
  return bytes;
}
