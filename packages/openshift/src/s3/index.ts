export type { AttemptOptions } from './attempts.ts';
export { type ContentsOptions, listFleet, type PruneOptions, pruneFleet, type StoredObject } from './contents.ts';
export { presignedUrl } from './presigned.ts';
export { type S3SinkOptions, type StorePlace, s3Sink } from './sink.ts';
export { type ObjectPlace, s3Source } from './source.ts';
