export { closest } from './closest.ts';
export { decodeText } from './decode.ts';
export { describeError } from './describe-error.ts';
export type { Diagnostic, Fix, Outcome, Path, TextEdit } from './diagnostic.ts';
export { documentOf } from './document.ts';
export { applyEdits } from './edit/apply-edits.ts';
export { type Change, editsFor } from './edit/edits-for.ts';
export {
  type CoreisoError,
  DiagnosticsError,
  type DiagnosticsErrorCode,
  isCoreisoError,
} from './errors.ts';
export { formatDiagnostics, formatPath } from './format.ts';
export type { JsonDiagnostic } from './json/json-diagnostic.ts';
export { parseJson } from './json/parse-json.ts';
export type { Limits } from './limits.ts';
export { member, nodeAt, type Plain, toPlain } from './lookup.ts';
export type {
  Extent,
  MappingEntry,
  MappingNode,
  Node,
  Resolver,
  ScalarNode,
  ScalarValue,
  SequenceNode,
  TextDocument,
} from './node.ts';
export {
  diagnostic,
  type Finding,
  fail,
  succeed,
  valueOrThrow,
} from './outcome.ts';
export { NOWHERE, type Position, type Range } from './position.ts';
export { goYaml } from './resolve/go-yaml.ts';
export { json } from './resolve/json.ts';
export { readAsGo } from './resolve/read-as-go.ts';
export { serdeYaml } from './resolve/serde-yaml.ts';
export { asGoWrites } from './write/go-yaml-nodes.ts';
export { writeGoYaml } from './write/go-yaml-text.ts';
export { serdeYamlString } from './write/serde-yaml-string.ts';
export { withoutSecrets } from './write/without-secrets.ts';
export type { YamlDiagnostic } from './yaml/libyaml-report.ts';
export { parseYaml } from './yaml/parse-yaml.ts';
