export type { StorePlace } from './attempts.ts';
export { listFleet, pruneFleet, type StoredObject } from './contents.ts';
export { presignedUrl } from './presigned.ts';
export { s3Sink } from './sink.ts';
export { s3Source } from './source.ts';
