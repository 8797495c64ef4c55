import {
  type Diagnostic,
  documentOf,
  type Extent,
  type MappingNode,
  type Node,
  type Path,
  parseYaml,
  type TextDocument,
} from '@coreiso/diagnostics';
import type { NetworkState } from '../generated/types.ts';
import { type StateFinding, stateDiagnostic } from '../table/codes.ts';
import { type Finding, type Note, REFUSAL_CODES, type Spellings, type TableMismatch } from '../table/state-findings.ts';
import { isPolicy, readPolicy } from './policy.ts';
import { readState, type State, type StateReading } from './read-state.ts';

/** The input, or the findings that prevented reading it. */
type Input = ReadInput | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

interface ReadInput {
  readonly ok: true;
  readonly state: State;
  /** The path of the state in the document: the root, or a key of a policy. */
  readonly path: Path;
  readonly notes: readonly Note[];
  readonly places: Places;
}

/** Converts paths of findings to places in the text, if there is one. */
export class Places {
  readonly #root: Node | undefined;
  readonly #document: Pick<TextDocument, 'range'> | undefined;
  readonly #spellings: Spellings;

  constructor(root: Node | undefined, document: Pick<TextDocument, 'range'> | undefined, spellings: Spellings) {
    this.#root = root;
    this.#document = document;
    this.#spellings = spellings;
  }

  /** A finding at the place of its path. */
  diagnostic(finding: Finding): Diagnostic {
    const place = finding.place ?? placeOf(this.#root, finding.path, this.#spellings);
    return stateDiagnostic(finding, place && this.#document?.range(place));
  }

  /** A finding at a part of the text. */
  diagnosticAt(finding: Finding, place: Extent): Diagnostic {
    return stateDiagnostic(finding, this.#document?.range(place));
  }
}

/** A part of a document, for findings at their places in its text. */
export interface StateNode {
  readonly node: Node;
  readonly document: Pick<TextDocument, 'range'>;
}

/** Reads text, a part of a parsed document, or an object. */
export function readInput(state: AnyInput): Input {
  const tree = readTree(state);
  return tree.ok ? readRoot(tree.root, tree.document) : tree;
}

export type AnyInput = string | StateNode | NetworkState;

/** The nodes of an input, before it is read as a state or a policy. */
export type Tree =
  | { readonly ok: true; readonly root: Node | undefined; readonly document: Pick<TextDocument, 'range'> | undefined }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function readTree(state: AnyInput): Tree {
  if (typeof state === 'string') return readText(state);
  if (isStateNode(state)) return readNode(state);
  const values = documentOf(state);
  return values.ok ? { ok: true, root: values.value.root, document: undefined } : values;
}

/** nmstate reads this character, which word processors insert, as a space. */
const NO_BREAK_SPACE = '\u00a0';

function readText(text: string): Tree {
  const outcomes = parseYaml(text.replaceAll(NO_BREAK_SPACE, ' '));
  const [first, second] = outcomes;
  const broken = outcomes.find((outcome) => !outcome.ok);
  if (broken !== undefined || !first.ok) return { ok: false, diagnostics: (broken ?? first).diagnostics };
  const document = first.value;
  if (text.startsWith('\ufeff')) {
    const finding: StateFinding = {
      code: 'nmstate/byte-order-mark',
      message: 'nmstate reads a byte order mark as a document of its own',
      help: 'Save the file as UTF-8 without a mark.',
    };
    return { ok: false, diagnostics: [stateDiagnostic(finding, document.range({ start: 0, end: 1 }))] };
  }
  if (second?.ok) {
    const start = second.value.root?.start ?? text.length;
    const finding: StateFinding = {
      code: 'nmstate/several-documents',
      message: 'a state is one document, and here a second one begins',
      help: 'Put each document into a file of its own.',
    };
    return { ok: false, diagnostics: [stateDiagnostic(finding, document.range({ start, end: start }))] };
  }
  return { ok: true, root: document.root, document };
}

/** Whether the input is a node with a document; states have no such members. */
function isStateNode(state: StateNode | NetworkState): state is StateNode {
  return typeof state === 'object' && state !== null && 'node' in state && 'document' in state;
}

function readNode({ node, document }: StateNode): Tree {
  if (!hasNoBreakSpace(node)) return { ok: true, root: node, document };
  const misread: Node[] = [];
  const root = withSpaces(node, misread);
  if (misread.length === 0) return { ok: true, root, document };
  const finding: StateFinding = {
    code: 'nmstate/no-break-space',
    message: 'nmstate reads a no-break space as a space, and then this is no longer one value',
    help: 'Put the value in quotes.',
  };
  return { ok: false, diagnostics: misread.map((place) => stateDiagnostic(finding, document.range(place))) };
}

function hasNoBreakSpace(node: Node): boolean {
  if (node.kind === 'scalar') return node.text.includes(NO_BREAK_SPACE);
  if (node.kind === 'sequence') return node.items.some(hasNoBreakSpace);
  return node.entries.some(({ key, value }) => hasNoBreakSpace(key) || hasNoBreakSpace(value));
}

/** The nodes of the text with spaces instead of no-break spaces, which may change a plain scalar or make it invalid. */
function withSpaces(node: Node, misread: Node[]): Node {
  if (node.kind === 'sequence') return { ...node, items: node.items.map((item) => withSpaces(item, misread)) };
  if (node.kind === 'mapping') {
    const entries = node.entries.map(({ key, value }) => ({
      key: withSpaces(key, misread),
      value: withSpaces(value, misread),
    }));
    return { ...node, entries };
  }
  const text = node.text.replaceAll(NO_BREAK_SPACE, ' ');
  if (node.style !== 'plain' || text === node.text) return { ...node, text };
  const [outcome] = parseYaml(`- ${text}`);
  const read = outcome.ok && outcome.value.root?.kind === 'sequence' ? outcome.value.root.items[0] : undefined;
  if (read?.kind !== 'scalar') misread.push(node);
  return { ...node, text: read?.kind === 'scalar' ? read.text : text };
}

function readRoot(root: Node | undefined, document: Pick<TextDocument, 'range'> | undefined): Input {
  const reading = readState(root, document === undefined ? 'json' : 'yaml', []);
  const isState = reading.mismatches.length === 0 || root === undefined || !isPolicy(root);
  const {
    reading: chosen,
    path,
    describe,
  } = isState ? { reading, path: [], describe: ownFinding } : policyReading(root);
  const places = new Places(root, document, chosen.spellings);
  const { state, mismatches, notes } = chosen;
  if (mismatches.length === 0) return { ok: true, state, path, notes, places };
  return {
    ok: false,
    diagnostics: mismatches.map((mismatch) => places.diagnosticAt(describe(mismatch), mismatch.place)),
  };
}

interface ChosenReading {
  readonly reading: StateReading;
  readonly path: Path;
  /** Describes a mismatch: with nmstate's message for mistakes in a policy's state, else with our own. */
  readonly describe: (mismatch: TableMismatch) => Finding;
}

function policyReading(root: MappingNode): ChosenReading {
  const { shape, reading, path } = readPolicy(root);
  if (shape.length > 0) return { reading: { ...reading, mismatches: shape }, path, describe: ownFinding };
  return { reading, path, describe: upstreamFinding };
}

export function ownFinding({ code, message, path, help, arguments: named }: TableMismatch): Finding {
  return { severity: 'error', code, message, path, help, arguments: named };
}

export function upstreamFinding({ upstream, path, help }: TableMismatch): Finding {
  return { severity: 'error', code: REFUSAL_CODES.InvalidArgument, message: upstream, path, help };
}

/** The part of a document at a path, or the last part that exists along it. */
function placeOf(root: Node | undefined, path: Path, spellings: Spellings): Extent | undefined {
  let node = root;
  for (const step of path) {
    const next = node && child(node, step, spellings);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

function child(node: Node, step: string | number, spellings: Spellings): Node | undefined {
  if (node.kind === 'sequence') return typeof step === 'number' ? node.items[step] : undefined;
  if (node.kind !== 'mapping') return undefined;
  const entry = node.entries.findLast(({ key }) => key.kind === 'scalar' && key.text === step);
  return (entry ?? spellings.get(node)?.get(String(step)))?.value;
}
