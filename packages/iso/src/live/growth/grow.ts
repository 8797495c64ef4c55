import { type Composition, compose } from '../../bytes/compose.ts';
import type { Patch } from '../../bytes/overlay.ts';
import { type ByteSource, type Bytes, zeros } from '../../bytes/source.ts';
import { IsoError } from '../../errors.ts';
import type { ImageEntry } from '../../iso9660/entry.ts';
import { RECORD, SECTOR, VOLUME, writeBoth32 } from '../../iso9660/fields.ts';
import { CYLINDER } from '../../iso9660/partitions/mbr.ts';
import type { LiveImage } from '../image.ts';
import { areaFile, grownInfo } from '../initrd-area.ts';
import { findFile, IGNINFO, readMetadata } from '../live-iso.ts';
import { encodeGrowthRecord, type Growth, type MetadataPatch, recordOffset, reservedEnd } from './growth.ts';
import { growTables, layoutObstacle } from './tables.ts';

/** Patches and tail that append `archive` to an image that has not grown yet, and update all pointers to it. */
export async function grow(
  image: LiveImage,
  archive: ByteSource,
  signal?: AbortSignal,
): Promise<{ readonly patches: readonly Patch[]; readonly tail: Composition; readonly growth: Growth }> {
  const { source, initrd } = image;
  await refuseObstacles(image, archive.size, signal);
  const start = Math.ceil(source.size / SECTOR) * SECTOR;
  const reserved = await reservedEnd(source, signal);
  const volumeSectors = Math.ceil((start + archive.size) / SECTOR);
  const size = grownSize(volumeSectors * SECTOR, reserved);
  const tables = await growTables(source, size, volumeSectors, signal);
  const patches = [
    ...tables.patches,
    ...(await treePatches(image, start / SECTOR, archive.size, signal)),
    ...volumePatches(image, volumeSectors),
  ];
  const originals: MetadataPatch[] = [];
  for (const { offset, bytes } of patches) {
    originals.push({ offset, bytes: await source.read(offset, bytes.length, signal) });
  }
  const record = encodeGrowthRecord({ originalSize: source.size, originals });
  const recordAt = recordOffset(size, reserved);
  const tail: Bytes[] = [
    zeros(start - source.size),
    archive,
    zeros(recordAt - start - archive.size),
    record,
    zeros(size - tables.backup.length - recordAt - record.length),
    tables.backup,
  ];
  return {
    // Clears the old area, because it may hold secrets.
    patches: [...patches, { offset: initrd.offset, bytes: zeros(initrd.length) }],
    tail: compose(tail),
    growth: { archive: archive.size, area: initrd.length, added: size - source.size },
  };
}

/** The smallest size in whole cylinders that holds the data, the growth record and the reserved end. */
function grownSize(dataEnd: number, reserved: number): number {
  return Math.ceil((dataEnd + SECTOR + reserved) / CYLINDER) * CYLINDER;
}

async function refuseObstacles(image: LiveImage, needed: number, signal?: AbortSignal): Promise<void> {
  const { iso, source, initrd } = image;
  const { entry, whole } = await areaFile(iso, signal);
  const obstacle = whole ? await layoutObstacle(source, signal) : `its area lies inside ${entry.path}`;
  const limit = 0xffffffff;
  const tooBig = needed > limit ? `a file of an ISO image has at most ${limit} bytes in one piece` : undefined;
  const reason = obstacle ?? tooBig;
  if (reason === undefined) return;
  const message = `the archive has ${needed} bytes, the area ${initrd.length}, and the image cannot grow: ${reason}`;
  throw new IsoError('ISO_CANNOT_GROW', message, { offset: initrd.offset });
}

/**
 * Patches of directory records in the primary and the Joliet tree, and of `igninfo.json` if it has the area's length.
 */
async function treePatches(
  image: LiveImage,
  sector: number,
  length: number,
  signal?: AbortSignal,
): Promise<MetadataPatch[]> {
  const { iso } = image;
  const { entry } = await areaFile(iso, signal);
  const info = await findFile(iso, IGNINFO, signal);
  const text = info && grownInfo(await readMetadata(iso, info, signal), length);
  const patches: MetadataPatch[] = [];
  for (const record of await records(image, entry, signal)) {
    const place = new Uint8Array(16);
    writeBoth32(place, 0, sector);
    writeBoth32(place, 8, length);
    patches.push({ offset: record.recordOffset + RECORD.extent, bytes: place });
  }
  if (info === undefined || text === undefined) return patches;
  const room = Math.ceil(info.size / SECTOR) * SECTOR;
  if (text.length > room) {
    throw new IsoError(
      'ISO_CANNOT_GROW',
      `igninfo.json would have ${text.length} bytes, and there is room for ${room}`,
      { offset: info.recordOffset },
    );
  }
  const bytes = new Uint8Array(Math.max(text.length, info.size));
  bytes.set(text);
  patches.push({ offset: info.extents[0]?.offset ?? 0, bytes });
  for (const record of await records(image, info, signal)) {
    const size = new Uint8Array(8);
    writeBoth32(size, 0, text.length);
    patches.push({ offset: record.recordOffset + RECORD.dataLength, bytes: size });
  }
  return patches;
}

/** All records of a file: each tree has its own, and hard links add more. */
async function records(image: LiveImage, file: ImageEntry, signal?: AbortSignal): Promise<ImageEntry[]> {
  const found: ImageEntry[] = [];
  const hasJoliet = image.iso.volume.descriptors.some((descriptor) => 'joliet' in descriptor);
  for (const view of hasJoliet ? (['strict', 'joliet'] as const) : (['strict'] as const)) {
    for await (const entry of image.iso.walk({ view, signal })) {
      if (isSameFile(entry, file)) found.push(entry);
    }
  }
  return found;
}

function isSameFile(a: ImageEntry, b: ImageEntry): boolean {
  return a.kind === 'file' && a.size === b.size && a.extents[0]?.offset === b.extents[0]?.offset;
}

function volumePatches({ iso }: LiveImage, sectors: number): MetadataPatch[] {
  const size = new Uint8Array(8);
  writeBoth32(size, 0, sectors);
  return iso.volume.descriptors
    .filter(
      (descriptor) =>
        descriptor.type === 'primary' || (descriptor.type === 'supplementary' && descriptor.joliet !== undefined),
    )
    .map(({ offset }) => ({ offset: offset + VOLUME.spaceSize, bytes: size }));
}
