export { type SampleKind, sampleKinds } from './kinds.ts';
export { sampleIso } from './sample-iso.ts';
