export type { BootProof } from './boot/links.ts';
export { formatBootProof } from './boot/words.ts';
export {
  type Composition,
  compose,
  slice,
} from './bytes/compose.ts';
export { identified } from './bytes/identity.ts';
export { isOverlay, type Overlay, overlay } from './bytes/overlay.ts';
export type { Region } from './bytes/region.ts';
export {
  type ByteSource,
  type Bytes,
  blobSource,
  bytesOf,
  bytesSource,
  type ImageInput,
  type OwnBytes,
  type WorkOptions,
  zeros,
} from './bytes/source.ts';
export { toBlob, toReadableStream } from './bytes/stream.ts';
export { type Hash, sha256 } from './checksums/sha256.ts';
export { IsoError, type IsoErrorCode } from './errors.ts';
export { readFiles, type UnpackedFile } from './initrd/archive-files.ts';
export type { ArchiveEncoder, ArchiveFormat, Compression } from './initrd/archive-format.ts';
export {
  type ReadArchivesOptions,
  readArchives,
} from './initrd/archive-reader.ts';
export { type ArchiveFile, composeArchive, writeArchive } from './initrd/archive-writer.ts';
export { gzip, plain, sharedGzip } from './initrd/encoders.ts';
export type { Inflate } from './initrd/gunzip.ts';
export type { ArchiveEntry } from './initrd/newc.ts';
export type { Architecture } from './live/architecture.ts';
export {
  IGNITION_PATH,
  type LiveChanges,
  NETWORK_DIRECTORY,
} from './live/changes.ts';
export type { Difference, FileDifference, ImageDifference } from './live/compare/diff.ts';
export { diffImages, verifyImage } from './live/compare/index.ts';
export type { Verification } from './live/compare/verify.ts';
export {
  type EditOptions,
  type EditResult,
  edit,
  isPristine,
  reset,
} from './live/edit.ts';
export type { Features } from './live/features.ts';
export { formatInspection } from './live/format-inspection.ts';
export { describeGrowth, type Growth } from './live/growth/growth.ts';
export { type LiveImage, openLiveImage } from './live/image.ts';
export type { InitrdArea } from './live/initrd-area.ts';
export {
  type Inspection,
  inspect,
} from './live/inspect.ts';
export type { Kargs } from './live/kargs-area.ts';
export { editKargs, type KargsEdit } from './live/kargs-editor.ts';
export { extractMinimal } from './live/minimal/extract.ts';
export { packMinimal } from './live/minimal/pack.ts';
export type { Recipe } from './live/minimal/recipe.ts';
export type { DigestOptions } from './live/minimal/unpack.ts';
export {
  customizeInitramfs,
  openInitramfs,
  pxeFiles,
  rootfs,
  wrap,
} from './live/pxe.ts';
