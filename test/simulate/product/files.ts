export { overlay } from '../../../packages/iso/src/bytes/overlay.ts';
export { bytesSource } from '../../../packages/iso/src/bytes/source.ts';
export { baseCache } from '../../../packages/iso/src/node/base-cache.ts';
export { fileSource } from '../../../packages/iso/src/node/file-source.ts';
export { patchInPlace } from '../../../packages/iso/src/node/patch-in-place.ts';
export { recoverImage } from '../../../packages/iso/src/node/recover.ts';
export { writeCopy } from '../../../packages/iso/src/node/write-copy.ts';
