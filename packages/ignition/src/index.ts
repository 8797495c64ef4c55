export { buildConfig, type ConfigParts, configSize } from './build/config.ts';
export {
  directory,
  type FileOptions,
  file,
  link,
  unit,
  user,
} from './build/parts.ts';
export { decodeDataUrl, resource } from './codec/data-url.ts';
export { IgnitionError, type IgnitionErrorCode } from './errors.ts';
export { contentsOf } from './inspect/contents.ts';
export { type Expiry, findExpiries } from './inspect/expiry.ts';
export { redact } from './inspect/redact.ts';
export {
  type ConfigSummary,
  formatSummary,
  summarizeConfig,
} from './inspect/summary.ts';
export { merge } from './merge/merge.ts';
export type { TranscriptEntry } from './merge/transcript.ts';
export type { ParseOptions } from './parse/load.ts';
export { parseConfig, parseConfigOrThrow } from './parse/parse.ts';
export type { ReportEntry } from './parse/report.ts';
export type {
  Config,
  Directory,
  Disk,
  File,
  Filesystem,
  Group,
  Link,
  Luks,
  Raid,
  Resource,
  Unit,
  User,
} from './spec/generated/types.ts';
export { stringifyConfig } from './spec/stringify.ts';
export { SPEC_VERSIONS, type SpecVersion } from './spec/version.ts';
export { minimumVersion, translate, translateOrThrow } from './translate/translate.ts';
export type { TranslateOptions } from './translate/up.ts';
export { formatReport } from './validate/format.ts';
export {
  validate,
  validateConfig,
  validateOrThrow,
} from './validate/validate.ts';
