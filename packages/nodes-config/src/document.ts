// For packages that read other documents of the same family: text with positions against tables, in the words of Go's decoders,
// and the rules about hosts and their networks. Not for programs: names here change when the packages that use them need it.
export { type ClusterStep, checkEmbedded } from './cluster/check-facts.ts';
export { pullSecretFault, pullSecretProblem } from './cluster/pull-secret.ts';
export { trustBundleProblem } from './cluster/trust-bundle.ts';
export { type InstallConfig, readInstallConfig } from './document/install-config.ts';
export { METADATA, type MetadataValues } from './document/tables.ts';
export { architectureProblem, imageArchitecture, rpmName } from './rules/architecture.ts';
export { buildHost } from './rules/host.ts';
export {
  BMC,
  type BmcValues,
  type CheckedHost,
  HINTS,
  type HintValues,
  HOST,
  type HostValues,
  INTERFACE,
  type InterfaceValues,
} from './rules/host-fields.ts';
export { checkHostList, noteIgnoredDocuments } from './rules/host-list.ts';
export type { HostListContext } from './rules/host-rules.ts';
export { canonicalMac, macProblem } from './rules/mac.ts';
export { checkNetwork, type NetworkHost } from './rules/network-rules.ts';
export { type InterfaceView, type Mention, readAddresses, readInterfaces } from './rules/network-view.ts';
export { OwnRules } from './rules/own/own-rules.ts';
export { looksPublic, sshKeyProblem } from './rules/ssh-key.ts';
export { type Advice, type DecodeOptions, decodeDocument } from './text/decode.ts';
export { duplicate, forbidden, invalid, required, tooMany, unsupported } from './text/field-errors.ts';
export { Findings, type FindingsOptions, type Place, type Step } from './text/findings.ts';
export { entryOf, sourceOf } from './text/lookup.ts';
export { type ConfigSource, type ReadText, readAll, readFirst } from './text/read-text.ts';
export {
  anything,
  boolean,
  cidr,
  cidrList,
  exactText,
  type Field,
  type FieldType,
  integer,
  kept,
  labels,
  listOf,
  type NetworkText,
  nested,
  networkState,
  optionalBoolean,
  optionalInteger,
  optionalNested,
  type Section,
  section,
  text,
  textList,
} from './text/table.ts';
