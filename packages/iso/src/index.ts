export { type ByteSource, blobSource, bytesSource, type Progress, type WorkOptions } from './bytes/source.ts';
export { IsoError, type IsoErrorCode } from './errors.ts';
