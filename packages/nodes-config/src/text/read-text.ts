import {
  type Diagnostic,
  decodeText,
  documentOf,
  type Node,
  parseYaml,
  type Range,
  readAsGo,
  type TextDocument,
} from '@coreiso/diagnostics';
import { codeOf } from './codes.ts';
import { Findings, type Mode } from './config-findings.ts';
import { goYamlMessage } from './go-yaml-message.ts';

type YamlOutcomes = ReturnType<typeof parseYaml>;

/** Text, or the bytes of a file: UTF-8, or UTF-16 with a byte order mark. */
export type ConfigText = string | Uint8Array;

/** Text, bytes, or the parsed data as an object; findings about an object have paths but no ranges. */
export type ConfigSource = string | Uint8Array | object;

/** Ten thousand hosts need some ten million characters. */
const LONGEST = 32 * 1024 * 1024;

/** Findings about coreiso's own limits: upstream has other limits, or none. */
const LIMIT_CODES: ReadonlySet<string> = new Set([
  'diagnostics/too-long',
  'diagnostics/too-deep',
  'diagnostics/too-many-nodes',
]);

/** Documents, each as Go reads it, or the reasons why the text cannot be read. */
export type ReadText =
  | {
      readonly ok: true;
      readonly documents: readonly [TextDocument, ...TextDocument[]];
      /** Where the first document that was not read begins. */
      readonly ignored: Range | undefined;
    }
  | { readonly ok: false; readonly findings: Findings };

/**
 * The first document as Go reads it. Upstream stops reading there and does not notice errors in later ones; `ignored`
 * is the place of the next document.
 *
 * @example const read = readFirst(text, 'failed to unmarshal install-config.yaml: ', 'strict')
 */
export function readFirst(source: ConfigSource, prefix: string, mode: Mode): ReadText {
  return read(source, prefix, mode, (outcomes) => outcomes.slice(0, 1));
}

/**
 * All documents; the text is refused at the first one that cannot be read.
 *
 * @example const read = readAll(text, 'could not decode YAML for nmstateconfig.yaml: ', 'strict')
 */
export function readAll(source: ConfigSource, prefix: string, mode: Mode): ReadText {
  return read(source, prefix, mode, (outcomes) => outcomes);
}

function read(
  source: ConfigSource,
  prefix: string,
  mode: Mode,
  select: (outcomes: YamlOutcomes) => readonly YamlOutcomes[number][],
): ReadText {
  const refuse = (diagnostics: readonly Diagnostic[], message: (one: Diagnostic) => string): ReadText => {
    const findings = new Findings({ mode });
    for (const one of diagnostics) addSyntax(findings, one, `${prefix}error converting YAML to JSON: ${message(one)}`);
    return { ok: false, findings };
  };
  checkArguments(source, mode);
  if (typeof source === 'object' && !(source instanceof Uint8Array)) {
    const values = documentOf(source);
    if (!values.ok) return refuse(values.diagnostics, ({ message }) => message);
    return { ok: true, documents: [values.value], ignored: undefined };
  }
  const decoded = typeof source === 'string' ? undefined : decodeText(source);
  if (decoded?.ok === false) return refuse(decoded.diagnostics, ({ message }) => `yaml: ${message}`);
  const text = typeof source === 'string' ? source : (decoded?.value.text ?? '');
  const outcomes = parseYaml(text, { flavour: 'go', length: LONGEST });
  const documents: TextDocument[] = [];
  for (const outcome of select(outcomes)) {
    if (!outcome.ok) return refuse(outcome.diagnostics, goYamlMessage);
    const go = readAsGo(outcome.value);
    if (!go.ok) return refuse(go.diagnostics, goYamlMessage);
    documents.push(go.value);
    if (text.includes('*') && isExcessive(go.value.root)) return tooManyAliases(prefix, mode);
  }
  const [first, ...rest] = documents;
  if (first === undefined) throw new Error('a text has at least one document');
  return { ok: true, documents: [first, ...rest], ignored: placeOf(outcomes[documents.length], first) };
}

/** All texts enter here, and callers may not have a type checker. */
function checkArguments(source: ConfigSource, mode: Mode): void {
  if (typeof source !== 'string' && (typeof source !== 'object' || source === null)) {
    throw new TypeError(`source must be text, bytes or an object, not ${String(source)}`);
  }
  if (mode !== 'strict' && mode !== 'compatible') {
    throw new RangeError(`mode must be strict or compatible, not ${String(mode)}`);
  }
}

/** An empty document, as after a final `---`, does not count. */
function placeOf(outcome: YamlOutcomes[number] | undefined, first: TextDocument): Range | undefined {
  if (outcome === undefined) return undefined;
  if (!outcome.ok) return outcome.diagnostics[0]?.range;
  const root = outcome.value.root;
  return root && first.range({ start: root.start, end: root.start });
}

function addSyntax(findings: Findings, found: Diagnostic, message: string): void {
  const { help, path, range } = found;
  const code = codeOf(found);
  if (LIMIT_CODES.has(code)) findings.note('error', { code, message: found.message, help, path }, range);
  else findings.upstream('yaml', { code, message, help, path }, range);
}

function tooManyAliases(prefix: string, mode: Mode): ReadText {
  const findings = new Findings({ mode });
  findings.upstream('yaml', {
    code: 'nodes-config/excessive-aliasing',
    message: `${prefix}error converting YAML to JSON: yaml: document contains excessive aliasing`,
    help: 'Write out what the aliases stand for.',
  });
  return { ok: false, findings };
}

/** Up to this number, go-yaml does not limit aliases. */
const FREE_ALIASED = 100;
const FREE_VALUES = 1000;
const SMALL = 400_000;
const LARGE = 4_000_000;

/** Whether go-yaml refuses a document as a bomb: too many of its values come from aliases. */
function isExcessive(root: Node | undefined): boolean {
  if (root === undefined) return false;
  const sizes = new Map<Node, number>();
  const values = sizeOf(root, sizes);
  // A node that is visited again was reached through an alias.
  const aliased = values - sizes.size;
  return aliased > FREE_ALIASED && values > FREE_VALUES && aliased / values > allowedShare(values);
}

/** From 99 % for small documents down to 10 % for huge ones. */
function allowedShare(values: number): number {
  const progress = Math.min(Math.max((values - SMALL) / (LARGE - SMALL), 0), 1);
  return 0.99 - 0.89 * progress;
}

/** The number of values of a node with all aliases expanded; each node is counted once. The parser limits the depth. */
function sizeOf(node: Node, sizes: Map<Node, number>): number {
  const known = sizes.get(node);
  if (known !== undefined) return known;
  let size = 1;
  if (node.kind === 'sequence') for (const item of node.items) size += sizeOf(item, sizes);
  if (node.kind === 'mapping')
    for (const { key, value } of node.entries) size += sizeOf(key, sizes) + sizeOf(value, sizes);
  sizes.set(node, size);
  return size;
}
