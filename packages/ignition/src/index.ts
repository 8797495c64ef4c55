export { buildConfig, type ConfigParts, configSize } from './build/config.ts';
export {
  appended,
  certificateAuthority,
  directory,
  dropin,
  type FileOptions,
  file,
  kernelArguments,
  link,
  mergedConfig,
  type NodeOptions,
  proxy,
  unit,
  user,
} from './build/parts.ts';
export { type Content, type ContentOptions, decodeDataUrl, resource } from './codec/data-url.ts';
export { IgnitionError, type IgnitionErrorCode } from './errors.ts';
export { type Expiry, findExpiries } from './inspect/expiry.ts';
export { redact, redactText } from './inspect/redact.ts';
export {
  type ConfigSummary,
  type FileSummary,
  formatSummary,
  summarizeConfig,
  type UnitSummary,
} from './inspect/summary.ts';
export { merge } from './merge/merge.ts';
export type { Side, TranscriptEntry } from './merge/transcript.ts';
export type { ParseOptions } from './parse/load.ts';
export type { Mark } from './parse/marked-text.ts';
export { parseConfig, parseConfigOrThrow } from './parse/parse.ts';
export type { Report, ReportEntry } from './parse/report.ts';
export type {
  CertificateAuthority,
  Cex,
  Clevis,
  Config,
  ConfigReferences,
  CustomPin,
  Directory,
  Disk,
  Dropin,
  File,
  Filesystem,
  Group,
  HttpHeader,
  Ignition,
  Integer,
  KernelArguments,
  Link,
  Luks,
  MergeReference,
  Owner,
  Partition,
  Passwd,
  ProxySettings,
  Raid,
  ReplaceReference,
  Resource,
  Security,
  Storage,
  Systemd,
  Tang,
  Timeouts,
  Tls,
  Unit,
  User,
  Verification,
} from './spec/generated/types.ts';
export { stringifyConfig } from './spec/stringify.ts';
export { NEWEST_STABLE, SPEC_VERSIONS, type SpecVersion } from './spec/version.ts';
export { minimumVersion, type TranslateOptions, translate, translateOrThrow } from './translate/translate.ts';
export type { RaiseOptions } from './translate/up.ts';
export { formatReport } from './validate/format.ts';
export {
  type ValidateOptions,
  validate,
  validateConfig,
  validateOrThrow,
} from './validate/validate.ts';
