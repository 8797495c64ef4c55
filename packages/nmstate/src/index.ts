export {
  formatGcListing,
  type GenerateOptions,
  generateKeyfiles,
  generateKeyfilesOrThrow,
  judgeState,
  type StateInput,
  type Verdicts,
} from './generate.ts';
export type { Interface, InterfaceType, NetworkState, StateParts } from './generated/types.ts';
export {
  type Keyfile,
  keyfileOf,
  type Profile,
  type ProfileSection,
  type ProfileSetting,
  settingOf,
} from './keyfile/profile.ts';
export { sampleState } from './sample.ts';
export type { StateNode } from './state/input.ts';
export { type LinkEnd, linksOf, type NetworkLink } from './state/links.ts';
export { isInterfaceName } from './strict/interfaces.ts';
export { type RefusalKind, refusalKind } from './table/state-findings.ts';
