import {
  type Diagnostic,
  diagnostic,
  type Extent,
  type Node,
  parseYaml,
  type TextDocument,
} from '@coreiso/diagnostics';
import { type Finding, REFUSAL_CODES } from '../plan/report.ts';
import type { Misfit, Note, Spellings } from './findings.ts';
import type { NetworkState } from './generated/types.ts';
import { nodesOf, UnreadableValue } from './object-nodes.ts';
import { placeOf } from './places.ts';
import { isPolicy, readPolicy } from './policy.ts';
import { readState, type State, type StateReading } from './read-state.ts';

/** What was read, or why it was not. */
export type Input =
  | { readonly ok: true; readonly state: State; readonly notes: readonly Note[]; readonly places: Places }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Turns paths of findings into places of the text, if there is one. */
export class Places {
  readonly #root: Node | undefined;
  readonly #document: TextDocument | undefined;
  readonly #spellings: Spellings;

  constructor(root: Node | undefined, document: TextDocument | undefined, spellings: Spellings) {
    this.#root = root;
    this.#document = document;
    this.#spellings = spellings;
  }

  /** A finding about whatever its path leads to. */
  diagnostic(finding: Finding): Diagnostic {
    const place = finding.place ?? placeOf(this.#root, finding.path, this.#spellings);
    return diagnostic(finding, place && this.#document?.range(place));
  }

  /** A finding about a part of the text. */
  diagnosticAt(finding: Finding, place: Extent): Diagnostic {
    return diagnostic(finding, this.#document?.range(place));
  }
}

/** Reads text, or an object that a text could have been. */
export function readInput(state: string | NetworkState): Input {
  if (typeof state === 'string') return readText(state);
  const root = nodesOf(state);
  if (!(root instanceof UnreadableValue)) return readRoot(root, undefined);
  return { ok: false, diagnostics: [diagnostic({ code: 'nmstate/wrong-type', ...root })] };
}

function readText(text: string): Input {
  // nmstate reads a no-break space, which word processors put in, as a space.
  const outcomes = parseYaml(text.replaceAll('\u00a0', ' '));
  const [first, second] = outcomes;
  const broken = outcomes.find((outcome) => !outcome.ok);
  if (broken !== undefined || !first.ok) return { ok: false, diagnostics: (broken ?? first).diagnostics };
  const document = first.value;
  if (text.startsWith('\ufeff')) {
    const finding = {
      code: 'nmstate/byte-order-mark',
      message: 'nmstate takes a byte order mark for a document of its own',
      cure: 'Save the file as UTF-8 without a mark.',
    };
    return { ok: false, diagnostics: [diagnostic(finding, document.range({ start: 0, end: 1 }))] };
  }
  if (second?.ok) {
    const start = second.value.root?.start ?? text.length;
    const finding = {
      code: 'nmstate/several-documents',
      message: 'a state is one document, and here a second one begins',
      cure: 'Put each document into a file of its own.',
    };
    return { ok: false, diagnostics: [diagnostic(finding, document.range({ start, end: start }))] };
  }
  return readRoot(document.root, document);
}

function readRoot(root: Node | undefined, document: TextDocument | undefined): Input {
  const regime = document === undefined ? 'json' : 'yaml';
  const reading = readState(root, regime, []);
  if (reading.misfits.length === 0 || root === undefined || !isPolicy(root))
    return inputOf(reading, root, document, misfitFinding);
  const policy = readPolicy(root);
  if (policy.shape.length > 0)
    return inputOf({ ...policy.reading, misfits: policy.shape }, root, document, misfitFinding);
  return inputOf(policy.reading, root, document, refusalFinding);
}

function inputOf(
  { state, misfits, notes, spellings }: StateReading,
  root: Node | undefined,
  document: TextDocument | undefined,
  finding: (misfit: Misfit) => Finding,
): Input {
  const places = new Places(root, document, spellings);
  if (misfits.length === 0) return { ok: true, state, notes, places };
  return { ok: false, diagnostics: misfits.map((misfit) => places.diagnosticAt(finding(misfit), misfit.place)) };
}

function misfitFinding({ code, message, path, cure }: Misfit): Finding {
  return { severity: 'error', code, message, path, cure };
}

/** nmstate refuses what a policy wants with a kind, and in the words of its parser. */
function refusalFinding({ upstream, path, cure }: Misfit): Finding {
  return { severity: 'error', code: REFUSAL_CODES.InvalidArgument, message: upstream, path, cure };
}
