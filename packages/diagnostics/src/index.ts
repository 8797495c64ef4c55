export { HIDDEN } from '@coreiso/peers/hidden';
export { closest } from './closest.ts';
export { decodeText } from './decode.ts';
export { describeError } from './describe-error.ts';
export type { Diagnostic, Outcome, Path, Severity } from './diagnostic.ts';
export { documentOf } from './document.ts';
export {
  type CoreisoError,
  DiagnosticsError,
  type DiagnosticsErrorCode,
  isCoreisoError,
} from './errors.ts';
export { showControls, showLine } from './excerpt.ts';
export { type FormatOptions, formatDiagnostics, formatPath } from './format.ts';
export type { JsonReport } from './json/lexer.ts';
export { type JsonDiagnostic, type JsonOutcome, parseJson } from './json/parse-json.ts';
export type { Limits } from './limits.ts';
export { indexedMembers, type KeyReader, type MemberFinder, member, nodeAt, type Plain, toPlain } from './lookup.ts';
export type {
  Extent,
  MappingEntry,
  MappingNode,
  Node,
  Resolver,
  ScalarNode,
  ScalarStyle,
  ScalarValue,
  SequenceNode,
  TextDocument,
} from './node.ts';
export {
  diagnostic,
  diagnosticAt,
  type Finding,
  fail,
  succeed,
  valueOrThrow,
} from './outcome.ts';
export { NOWHERE, type Position, type Range } from './position.ts';
export { goKey, goText } from './resolve/go-text.ts';
export { goYaml } from './resolve/go-yaml.ts';
export { json } from './resolve/json.ts';
export { readAsGo } from './resolve/read-as-go.ts';
export { serdeYaml } from './resolve/serde-yaml.ts';
export { hideUsers, isSecretPath } from './secrets.ts';
export { TextIndex } from './text-index.ts';
export { fileNameFault, lineFault } from './write/file-name.ts';
export { asGoWrites } from './write/go-yaml-nodes.ts';
export { writeGoYaml } from './write/go-yaml-text.ts';
export { serdeYamlString } from './write/serde-yaml-string.ts';
export { withoutSecrets } from './write/without-secrets.ts';
export {
  goYamlMessage,
  type LibyamlMark,
  type LibyamlReport,
  type YamlDiagnostic,
} from './yaml/libyaml-report.ts';
export { parseYaml, type YamlOutcomes } from './yaml/parse-yaml.ts';
export type { YamlFlavour } from './yaml/scalars.ts';
