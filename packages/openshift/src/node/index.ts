export { type DirectorySinkOptions, directorySink } from './directory-sink.ts';
export { type WriteOutputsOptions, writeOutputs } from './write-outputs.ts';
