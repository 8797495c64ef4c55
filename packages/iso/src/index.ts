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
