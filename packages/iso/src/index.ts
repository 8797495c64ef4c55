export { bytesOf } from './bytes/bytes-of.ts';
export {
  type BytesSegment,
  type Composition,
  compose,
  type Segment,
  type SourceSegment,
  slice,
} from './bytes/compose.ts';
export { isOverlay, type Overlay, type OverlayOptions, overlay, type Patch } from './bytes/overlay.ts';
export {
  type ByteSource,
  type Bytes,
  blobSource,
  bytesSource,
  type Progress,
  type WorkOptions,
  zeros,
} from './bytes/source.ts';
export { type StreamOptions, toReadableStream } from './bytes/stream.ts';
export { IsoError, type IsoErrorCode } from './errors.ts';
export { type ReadFilesOptions, readFiles, type UnpackedFile } from './initrd/archive-files.ts';
export {
  type ArchiveEntry,
  type ArchiveFormat,
  type ArchivePlace,
  type ReadArchivesOptions,
  readArchives,
} from './initrd/archive-reader.ts';
export { type ArchiveFile, type WriteArchiveOptions, writeArchive } from './initrd/archive-writer.ts';
export { type ArchiveEncoder, type Compression, gzip, plain } from './initrd/encoders.ts';
export { extractionPath } from './initrd/extraction-path.ts';
export { globMatcher } from './initrd/glob.ts';
export type { EntryKind, NewcHeader } from './initrd/newc.ts';
