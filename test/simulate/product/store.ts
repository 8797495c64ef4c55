export { identified } from '../../../packages/iso/src/bytes/identity.ts';
export { overlay } from '../../../packages/iso/src/bytes/overlay.ts';
export { bytesSource } from '../../../packages/iso/src/bytes/source.ts';
export { s3Sink } from '../../../packages/openshift/src/s3/sink.ts';
