export type { LayerFile } from './layers.ts';
export type { RegistryMirror } from './mirrors.ts';
export type { RegistryOptions } from './registry.ts';
export { type LiveIsoOptions, type Release, type ReleaseIso, type ReleaseOptions, readRelease } from './release.ts';
export type { RemoteOptions } from './remote-options.ts';
export {
  fetchStream,
  parseStream,
  pickStreamFile,
  type Stream,
  type StreamFile,
} from './stream.ts';
