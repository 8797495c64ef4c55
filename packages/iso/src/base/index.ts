export type { RemoteOptions } from '../http/remote-options.ts';
export type { RegistryMirror } from './mirrors.ts';
export type { RegistryOptions } from './registry.ts';
export { type Release, type ReleaseIso, type ReleaseOptions, readRelease } from './release.ts';
export {
  fetchStream,
  parseStream,
  pickStreamFile,
  type Stream,
  type StreamFile,
} from './stream.ts';
