// The natural view: Rock Ridge names and attributes, or Joliet names, or plain names in lower case. Left out:
// interleaved files, zisofs decompression, associated files (forks of another file, ECMA-119 9.1.6).

import type { Region } from '../bytes/region.ts';
import { IsoError } from '../errors.ts';
import {
  checkNameFits,
  isSelfOrParent,
  parseRecord,
  parseRecords,
  type RawRecord,
  type RecordList,
  readDirectory,
} from './directory.ts';
import { directoryOffset, type ImageEntry, joinPath } from './entry.ts';
import { RECORD_FLAG, SECTOR } from './fields.ts';
import type { Image } from './image.ts';
import { Budget, type IsoLimits } from './limits.ts';
import { checkName, jolietName, plainName } from './names.ts';
import { announcesRockRidge, parseRockRidge, type RockRidge } from './rock-ridge.ts';
import { rootEntry } from './strict-tree.ts';
import { readSystemUse, systemUseSkip } from './susp.ts';
import type { IsoView, Tree } from './tree.ts';
import type { RootRecord, SupplementaryDescriptor, Volume } from './volume.ts';

/** One file or directory: its records, more than one for a file in several sections (ECMA-119 6.5.1). */
type Sections = readonly [RawRecord, ...RawRecord[]];

/** The tree of a view; `natural` is the best view in the image. */
export async function openTree(
  image: Image,
  volume: Volume,
  view: Exclude<IsoView, 'strict'>,
  limits: IsoLimits,
  signal?: AbortSignal,
): Promise<Tree> {
  const { root, blockSize, offset } = volume.primary;
  if (blockSize !== SECTOR) {
    throw new IsoError('ISO_UNSUPPORTED', `logical blocks of ${blockSize} bytes are not supported`, { offset });
  }
  if (view === 'natural' || view === 'rock-ridge') {
    const tree = await rockRidgeTree(image, root, new Budget(limits), signal);
    if (tree !== undefined) return tree;
    if (view === 'rock-ridge') throw new IsoError('ISO_NOT_FOUND', 'the image has no Rock Ridge names');
  }
  if (view === 'natural' || view === 'joliet') {
    const joliet = volume.descriptors.find(
      (descriptor): descriptor is SupplementaryDescriptor => 'joliet' in descriptor,
    )?.joliet;
    if (joliet !== undefined) return recordTree(image, joliet.root, { read: jolietName, fold: (name) => name });
    if (view === 'joliet') throw new IsoError('ISO_NOT_FOUND', 'the image has no Joliet names');
  }
  // Names of the primary tree are compared case-insensitively.
  return recordTree(image, root, { read: plainName, fold: (name) => name.toLowerCase() });
}

/** A tree whose records have only the name, the place and the size of a file. */
function recordTree(image: Image, root: RootRecord, names: { read: typeof plainName; fold: Tree['fold'] }): Tree {
  return {
    root: rootEntry(root),
    list: (directory, budget, signal) =>
      listSections(image, directory, budget, signal, async (sections) =>
        plainEntry(directory, sections, names.read(sections[0].name)),
      ),
    fold: names.fold,
  };
}

/** The primary tree with Rock Ridge; `undefined` if the root does not announce it. */
async function rockRidgeTree(
  image: Image,
  root: RootRecord,
  budget: Budget,
  signal?: AbortSignal,
): Promise<Tree | undefined> {
  const own = await readOwnRecord(image, root.sector * SECTOR, Math.min(root.length, SECTOR), budget, signal);
  const skip = own && systemUseSkip(own.systemUse);
  if (own === undefined || skip === undefined) return undefined;
  const fields = await readSystemUse(image, own.systemUse, own.systemUseOffset, budget, signal);
  if (!announcesRockRidge(fields)) return undefined;
  return new RockRidgeTree(image, skip, { ...rootEntry(root), ...attributes(parseRockRidge(image, fields)) });
}

class RockRidgeTree implements Tree {
  readonly root: ImageEntry;
  readonly #image: Image;
  readonly #skip: number;

  constructor(image: Image, skip: number, root: ImageEntry) {
    this.#image = image;
    this.#skip = skip;
    this.root = root;
  }

  fold(name: string): string {
    return name;
  }

  async list(directory: ImageEntry, budget: Budget, signal?: AbortSignal): Promise<RecordList<ImageEntry>> {
    const list = await listSections(this.#image, directory, budget, signal, (sections) =>
      this.#entry(directory, sections, budget, signal),
    );
    if (directory !== this.root) return list;
    const records: ImageEntry[] = [];
    for (const entry of list.records) {
      if (!(await this.#isStoreOfMoved(entry, budget, signal))) records.push(entry);
    }
    return { ...list, records };
  }

  async #rockRidge(record: RawRecord, budget: Budget, signal: AbortSignal | undefined): Promise<RockRidge> {
    const area = record.systemUse.subarray(this.#skip);
    const offset = record.systemUseOffset + this.#skip;
    return parseRockRidge(this.#image, await readSystemUse(this.#image, area, offset, budget, signal));
  }

  async #entry(
    directory: ImageEntry,
    sections: Sections,
    budget: Budget,
    signal: AbortSignal | undefined,
  ): Promise<ImageEntry | undefined> {
    const [record] = sections;
    const rockRidge = await this.#rockRidge(record, budget, signal);
    if (rockRidge.relocated) return undefined;
    const entry = plainEntry(directory, sections, rockRidge.name ?? plainName(record.name));
    if (rockRidge.relocatedTo !== undefined) {
      return { ...entry, ...(await this.#moved(rockRidge.relocatedTo, record.offset, budget, signal)) };
    }
    return { ...entry, kind: kindOf(entry.kind, rockRidge), ...attributes(rockRidge) };
  }

  /** RRIP 4.1.5.1: reads the record of a directory that was relocated because of its depth, at its new place. */
  async #moved(
    offset: number,
    recordOffset: number,
    budget: Budget,
    signal: AbortSignal | undefined,
  ): Promise<Partial<ImageEntry>> {
    const own = await readOwnRecord(this.#image, offset, SECTOR, budget, signal);
    if (own === undefined || own.sector * SECTOR !== offset) {
      throw new IsoError('ISO_BAD_EXTENSION', 'CL field does not lead to a directory', { offset: recordOffset });
    }
    const extents = [{ offset, length: own.length }];
    const rockRidge = await this.#rockRidge(own, budget, signal);
    return { kind: 'directory', size: own.length, extents, ...attributes(rockRidge) };
  }

  /** Whether a directory in the root only holds relocated directories. */
  async #isStoreOfMoved(entry: ImageEntry, budget: Budget, signal: AbortSignal | undefined): Promise<boolean> {
    if (entry.kind !== 'directory' || !/^\.?rr_moved$/i.test(entry.name)) return false;
    const moved: boolean[] = [];
    await listSections(this.#image, entry, budget, signal, async ([record]) => {
      moved.push((await this.#rockRidge(record, budget, signal)).relocated);
      return undefined;
    });
    return moved.length > 0 && moved.every((relocated) => relocated);
  }
}

/** The first record of a directory, which describes the directory itself (ECMA-119 6.8.2.2). */
async function readOwnRecord(
  image: Image,
  offset: number,
  length: number,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<RawRecord | undefined> {
  const bytes = await readDirectory(image, { name: '.', offset, length }, budget, signal);
  if (!bytes[0]) return undefined;
  const record = parseRecord(image, bytes, 0, offset);
  checkNameFits(record);
  return record.name.length === 1 && record.name[0] === 0 ? record : undefined;
}

async function listSections(
  image: Image,
  directory: ImageEntry,
  budget: Budget,
  signal: AbortSignal | undefined,
  interpret: (sections: Sections) => Promise<ImageEntry | undefined>,
): Promise<RecordList<ImageEntry>> {
  const offset = directoryOffset(directory);
  const extent = { name: directory.name, offset, length: directory.size };
  const bytes = await readDirectory(image, extent, budget, signal);
  const list = parseRecords(image, bytes, offset, 'respected', (record) =>
    isSelfOrParent(record) || (record.flags & RECORD_FLAG.associated) !== 0 ? undefined : record,
  );
  const records: ImageEntry[] = [];
  try {
    for (const sections of joinSections(image, list.records)) {
      const entry = await interpret(sections);
      if (entry !== undefined) records.push(entry);
    }
  } catch (failure) {
    return { records, failure };
  }
  return { ...list, records };
}

/** Groups the adjacent records of one file; all but the last are marked (ECMA-119 6.5.1, 9.1.6). */
function* joinSections(image: Image, records: readonly RawRecord[]): Generator<Sections> {
  let open: [RawRecord, ...RawRecord[]] | undefined;
  for (const record of records) {
    if (open !== undefined && !sameBytes(open[0].name, record.name)) {
      image.note('the last section of a file is missing', open[0].offset);
      yield open;
      open = undefined;
    }
    if (open === undefined) open = [record];
    else open.push(record);
    if ((record.flags & RECORD_FLAG.multiExtent) === 0) {
      yield open;
      open = undefined;
    }
  }
  if (open !== undefined) {
    image.note('the last section of a file is missing', open[0].offset);
    yield open;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function plainEntry(directory: ImageEntry, sections: Sections, name: string): ImageEntry {
  const [record] = sections;
  const extents = sections.map(sectionExtent);
  return {
    path: joinPath(directory.path, checkName(name, record.offset)),
    name,
    kind: (record.flags & RECORD_FLAG.directory) === 0 ? 'file' : 'directory',
    size: extents.reduce((sum, { length }) => sum + length, 0),
    extents,
    recordOffset: record.offset,
    ...(record.modified && { modified: record.modified }),
    ...(sections.some(({ interleaved }) => interleaved) && { stored: 'interleaved' as const }),
  };
}

function sectionExtent({ sector, attributeSectors, length }: RawRecord): Region {
  return { offset: (sector + attributeSectors) * SECTOR, length };
}

/** POSIX file types in `st_mode`. */
const FILE_TYPE = { mask: 0xf000, file: 0x8000, directory: 0x4000, symlink: 0xa000 } as const;

/** The type of an entry. Only the record decides whether it is a directory, because then its data is one. */
function kindOf(kind: ImageEntry['kind'], { mode, target }: RockRidge): ImageEntry['kind'] {
  if (kind === 'directory') return kind;
  if (target !== undefined) return 'symlink';
  const type = mode === undefined ? FILE_TYPE.file : mode & FILE_TYPE.mask;
  if (type === FILE_TYPE.symlink) return 'symlink';
  return type === FILE_TYPE.file || type === FILE_TYPE.directory || type === 0 ? 'file' : 'special';
}

function attributes({ mode, uid, gid, modified, target, stored }: RockRidge): Partial<ImageEntry> {
  return {
    ...(mode !== undefined && { mode }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    ...(modified !== undefined && { modified }),
    ...(target !== undefined && { target }),
    ...(stored !== undefined && { stored }),
  };
}
