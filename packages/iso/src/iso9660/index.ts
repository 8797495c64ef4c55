export type {
  IsoBoot,
  IsoBootImage,
  IsoDirectoryEntry,
  IsoEntry,
  IsoFileEntry,
  IsoHybrid,
  IsoLinkEntry,
  IsoSymlinkEntry,
  IsoWriterOptions,
} from './writer/entries.ts';
export { type IsoExtent, type WrittenIso, writeIso } from './writer/write.ts';
