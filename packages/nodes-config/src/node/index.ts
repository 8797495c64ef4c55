export { type WriteOutputsOptions, writeOutputs } from './write-outputs.ts';
