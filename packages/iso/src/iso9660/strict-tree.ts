// The primary tree as coreos-installer reads it: one entry per record, extended attributes, file sections, Rock Ridge
// and sector borders ignored. Live images are found and edited by these rules.
import { withContext } from '../errors.ts';
import { isSelfOrParent, parseRecords, type RawRecord, type RecordList, readDirectory } from './directory.ts';
import { directoryOffset, type ImageEntry, joinPath } from './entry.ts';
import { RECORD_FLAG, SECTOR } from './fields.ts';
import type { Image } from './image.ts';
import { strictName } from './names.ts';
import type { Tree } from './tree.ts';
import type { RootRecord } from './volume.ts';

/** The strict view. */
export function strictTree(image: Image, root: RootRecord): Tree {
  // Looking up a few files lists the same directories repeatedly.
  const lists = new WeakMap<ImageEntry, RecordList<ImageEntry>>();
  return {
    root: rootEntry(root),
    async list(directory, budget, signal) {
      const offset = directoryOffset(directory);
      const extent = { name: directory.name, offset, length: directory.size };
      const bytes = await readDirectory(image, extent, budget, signal);
      const known = lists.get(directory);
      if (known !== undefined) return known;
      const list = parseRecords(image, bytes, offset, 'ignored', (record) =>
        isSelfOrParent(record) ? undefined : strictEntry(directory.path, record),
      );
      lists.set(directory, list);
      return list;
    },
    fold: (name) => name,
  };
}

/** The root directory as an entry. */
export function rootEntry({ name, sector, length, recordOffset }: RootRecord): ImageEntry {
  const extents = [{ offset: sector * SECTOR, length }];
  return { path: '', name, kind: 'directory', size: length, extents, recordOffset };
}

function strictEntry(directory: string, record: RawRecord): ImageEntry {
  const name = nameInContext(record);
  return {
    path: joinPath(directory, name),
    name,
    kind: (record.flags & RECORD_FLAG.directory) === 0 ? 'file' : 'directory',
    size: record.length,
    extents: [{ offset: record.sector * SECTOR, length: record.length }],
    recordOffset: record.offset,
    ...(record.modified && { modified: record.modified }),
  };
}

function nameInContext({ name, offset }: RawRecord): string {
  try {
    return strictName(name, offset);
  } catch (error) {
    throw withContext(error, 'parsing record name');
  }
}
