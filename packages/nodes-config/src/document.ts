// For packages that read other documents of the same family: text with positions against tables, in the words of Go's decoders,
// and the rules about hosts and their networks. Not for programs: names here change when the packages that use them need it.

export { mergedMirrors, registriesConf } from './cluster/mirrors.ts';
export { pullSecretFault } from './cluster/pull-secret.ts';
export { dividedImage, mirroredRegistries, releaseImageMirror } from './cluster/release.ts';
export { trustBundleProblem } from './cluster/trust-bundle.ts';
export {
  clusterImageSetManifest,
  infraEnvManifest,
  nmStateConfigManifests,
  pullSecretManifest,
} from './document/manifests.ts';
export { METADATA, type MetadataValues } from './document/tables.ts';
export { architectureProblem } from './rules/architecture.ts';
export {
  BMC,
  type BmcValues,
  HINTS,
  type HintValues,
  HOST,
  type HostValues,
  type InterfaceValues,
} from './rules/host-fields.ts';
export { checkHostList, noteIgnoredDocuments } from './rules/host-list.ts';
export { macProblem } from './rules/mac.ts';
export { readAddresses } from './rules/network-view.ts';
export { looksPublic, sshKeyProblem } from './rules/ssh-key.ts';
export { type Advice, decodeDocument } from './text/decode.ts';
export { duplicate, forbidden, invalid, required, tooMany, unsupported } from './text/field-errors.ts';
export { Findings, type Step } from './text/findings.ts';
export { sourceOf } from './text/lookup.ts';
export { readAll, readFirst } from './text/read-text.ts';
export {
  anything,
  boolean,
  cidr,
  cidrList,
  exactText,
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
  rawValue,
  type Section,
  section,
  text,
  textList,
} from './text/table.ts';
