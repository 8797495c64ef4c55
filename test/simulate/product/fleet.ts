export { writeDirectory } from '../../../packages/cli/src/frame/write-directory.ts';
export { overlay } from '../../../packages/iso/src/bytes/overlay.ts';
export { fileSource } from '../../../packages/iso/src/node/file-source.ts';
export { directorySink } from '../../../packages/openshift/src/node/directory-sink.ts';
export { writeOutputs } from '../../../packages/openshift/src/node/write-outputs.ts';
