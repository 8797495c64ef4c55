export { type BaseCache, baseCache, type CachedBase, type DownloadOptions } from './base-cache.ts';
export { type FileSource, type FileSourceOptions, fileSource } from './file-source.ts';
export { type Answering, type ListenerOptions, nodeListener, type RequestHandler } from './listener.ts';
export { nativeInflate, nativeSha256 } from './native.ts';
export { nativeGzip } from './native-gzip.ts';
export { type PatchOptions, patchInPlace } from './patch-in-place.ts';
export { recoverImage } from './recover.ts';
export { type CopyOptions, type CopyResult, writeCopy } from './write-copy.ts';
export { writeStream } from './write-stream.ts';
