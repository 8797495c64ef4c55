export { type SampleKind, sampleKinds } from './kinds.ts';
export { type SampleIsoOptions, sampleIso } from './sample-iso.ts';
