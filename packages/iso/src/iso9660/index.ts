export type { BootCatalog } from './el-torito.ts';
export type { EntryKind, Extent, ImageEntry } from './entry.ts';
export type { Oddity } from './image.ts';
export type { IsoLimits } from './limits.ts';
export type { Gpt } from './partitions/gpt.ts';
export type { Mbr } from './partitions/mbr.ts';
export type { PartitionTables } from './partitions/tables.ts';
export { type Iso, type OpenIsoOptions, openIso, type ViewOptions } from './reader.ts';
export type { IsoView } from './tree.ts';
export type {
  BootDescriptor,
  PrimaryDescriptor,
  RootRecord,
  SupplementaryDescriptor,
  UnknownDescriptor,
  Volume,
  VolumeDescriptor,
} from './volume.ts';
export type {
  IsoDirectoryEntry,
  IsoEntry,
  IsoFileEntry,
  IsoLinkEntry,
  IsoSymlinkEntry,
  IsoWriterOptions,
} from './writer/entries.ts';
export { type IsoExtent, type WrittenIso, writeIso } from './writer/write.ts';
