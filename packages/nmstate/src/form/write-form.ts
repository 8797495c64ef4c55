import {
  applyEdits,
  type Change,
  type Diagnostic,
  diagnostic,
  editsFor,
  fail,
  nodeAt,
  type Outcome,
  type Path,
  type Plain,
  parseYaml,
  succeed,
  type TextDocument,
} from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { type StateFinding, stateDiagnostic } from '../table/codes.ts';
import { formFindings } from './checks.ts';
import { find } from './fields.ts';
import { formChanges } from './form-changes.ts';
import { readForm } from './read-form.ts';
import { stateOf } from './state-of.ts';
import type { NetworkForm } from './types.ts';

/** Options of writing a form into a text. */
export interface FormOptions {
  /** Path of the state in the text, such as `['hosts', 0, 'networkConfig']` (default: the whole text). */
  readonly at?: Path | undefined;
  /** Checks the whole text, including parts outside the form: `(text) => generateKeyfiles(text, { mode: 'compatible' })`. */
  readonly judge?: ((text: string) => Outcome<unknown>) | undefined;
}

/**
 * Writes the fields of a form into a text. Everything else stays: other keys, order, quotes and comments. A field that nmstate
 * would refuse is a finding with its path, unless the text had that finding before.
 *
 * @example
 * const next = fromForm(form, text);
 * if (next.ok) console.log(next.value);
 */
export function fromForm(form: NetworkForm, text: string, options: FormOptions = {}): Outcome<string> {
  checkArgument('form', form, 'object');
  checkArgument('text', text, 'text');
  checkArgument('options', options, 'object');
  const { at = [], judge } = options;
  checkArgument('options.at', at, 'array');
  const [read] = parseYaml(text);
  if (!read.ok) return read;
  const before = readForm(stateIn(read.value, at));
  const findings = newFindings(form, before);
  if (findings.length > 0) return fail(...findings.map((finding) => stateDiagnostic(finding)));
  const written = write(form, before, text, read.value, at);
  const judged = written.ok && judge !== undefined ? judge(written.value) : written;
  return judged.ok ? written : { ok: false, diagnostics: judged.diagnostics };
}

function stateIn(document: TextDocument, at: Path): TextDocument['root'] {
  const { root } = document;
  if (root === undefined) return undefined;
  const parent = nodeAt(root, at.slice(0, -1));
  const step = at.at(-1);
  if (step === undefined) return root;
  if (parent.kind === 'sequence') return typeof step === 'number' ? parent.items[step] : undefined;
  return parent.kind === 'mapping' && typeof step === 'string' ? find(parent, step)?.value : undefined;
}

/** The findings that the text did not have before, at any place. */
function newFindings(form: NetworkForm, before: NetworkForm): StateFinding[] {
  const known = formFindings(before).map(({ message }) => message);
  return formFindings(form).filter(({ message }) => {
    const index = known.indexOf(message);
    if (index !== -1) known.splice(index, 1);
    return index === -1;
  });
}

function write(
  form: NetworkForm,
  before: NetworkForm,
  text: string,
  document: TextDocument,
  at: Path,
): Outcome<string> {
  let read = document;
  const changes: Iterable<Change> =
    stateIn(document, at) === undefined
      ? [{ do: 'set', path: at, value: stateOf(form) as Plain }]
      : everyTime(formChanges(before, form, at), () => read);
  let current = text;
  for (const change of changes) {
    const edits = editsFor(read, change, find);
    if (!edits.ok) return edits;
    current = applyEdits(current, edits.value);
    const [outcome] = parseYaml(current);
    if (!outcome.ok) return unreadable(outcome.diagnostics);
    read = outcome.value;
  }
  return isSameForm(readForm(stateIn(read, at)), form) ? succeed(current) : fail(sharedValueFinding());
}

/** The finding for a value with an anchor and aliases: changing one would change them all. */
function sharedValueFinding(): Diagnostic {
  const message = 'several parts of the text share this value, so it cannot be changed for one of them';
  const help = 'Write the value out where the text has an alias (`*NAME`).';
  return diagnostic({ code: 'diagnostics/not-editable', message, help });
}

/** Whether two forms are equal: empty lists count as absent, and interfaces without a state are up. */
function isSameForm(one: NetworkForm, other: NetworkForm): boolean {
  const plain = (form: NetworkForm): string =>
    JSON.stringify(
      { ...form, interfaces: form.interfaces.map((iface) => sorted({ state: 'up', ...iface })) },
      (_, value) => (isEmptyValue(value) ? undefined : isRecord(value) ? sorted(value) : value),
    );
  return plain(one) === plain(other);
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: object): object {
  const entries = Object.entries(value).filter(([, inner]) => !isEmptyValue(inner));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Repeats the removal of a repeated key, because otherwise the first one would count again. */
function* everyTime(changes: Iterable<Change>, documentOf: () => TextDocument): Generator<Change> {
  for (const change of changes) {
    yield change;
    if (change.do !== 'remove' || typeof change.path.at(-1) !== 'string') continue;
    while (stateIn(documentOf(), change.path) !== undefined) yield change;
  }
}

/** The result if an edit would make the text unreadable: the text stays unchanged. */
function unreadable(diagnostics: readonly Diagnostic[]): Outcome<string> {
  return { ok: false, diagnostics };
}
