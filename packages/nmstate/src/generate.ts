import { type Diagnostic, type Outcome, succeed, valueOrThrow } from '@coreiso/diagnostics';
import { inUpOrder, planState } from './plan/plan.ts';
import { type Finding, Report } from './plan/report.ts';
import { interfaceProfiles } from './profiles/interface-profiles.ts';
import type { NetworkState } from './state/generated/types.ts';
import { readInput, type StateNode } from './state/input.ts';
import { checkStrictly } from './strict/strict.ts';

/** A connection profile for `/etc/NetworkManager/system-connections`; NetworkManager wants mode 0600. */
export interface Keyfile {
  readonly name: string;
  readonly content: string;
}

export interface GenerateOptions {
  /** `compatible` takes what nmstate takes; `strict` also reports what nmstate ignores or accepts without a word. */
  readonly mode?: 'compatible' | 'strict' | undefined;
}

/**
 * A network state: YAML or JSON text, an object, or a part of a document that has been read (a node with the document it is of),
 * so that findings stand at their places in the whole text.
 */
export type StateInput = string | NetworkState | StateNode;

/** The keyfiles that `nmstatectl gc` writes for a network state. */
export function generateKeyfiles(state: StateInput, options: GenerateOptions = {}): Outcome<Keyfile[]> {
  const { mode = 'compatible' } = options;
  if (mode !== 'compatible' && mode !== 'strict') {
    throw new RangeError(`mode must be compatible or strict, not ${mode}`);
  }
  return judge(state)[mode]();
}

/** The same, throwing a `DiagnosticsError` where the state is refused. */
export function generateKeyfilesOrThrow(state: StateInput, options: GenerateOptions = {}): Keyfile[] {
  return valueOrThrow(generateKeyfiles(state, options));
}

/** What both modes make of one state. */
export interface Verdicts {
  readonly compatible: Outcome<Keyfile[]>;
  readonly strict: Outcome<Keyfile[]>;
}

/** What `generateKeyfiles` gives in either mode, for the work of one. */
export function judgeState(state: StateInput): Verdicts {
  const { compatible, strict } = judge(state);
  return { compatible: compatible(), strict: strict() };
}

type Verdict = () => Outcome<Keyfile[]>;

function judge(state: StateInput): { readonly compatible: Verdict; readonly strict: Verdict } {
  const input = readInput(state);
  if (!input.ok) return { compatible: () => input, strict: () => input };
  const findings: Finding[] = [];
  const report = new Report(findings, input.path);
  const plan = planState(input.state, report);
  const profiles = inUpOrder(plan.interfaces).flatMap((planned) =>
    interfaceProfiles(planned, plan.interfaces, report).map((profile) => ({ planned, profile })),
  );
  const keyfiles = (): Keyfile[] =>
    profiles.map(({ profile }) => ({ name: `${profile.id}.nmconnection`, content: profile.toString() }));
  const conclude = (diagnostics: readonly Diagnostic[]): Outcome<Keyfile[]> =>
    diagnostics.some(({ severity }) => severity === 'error')
      ? { ok: false, diagnostics }
      : succeed(keyfiles(), diagnostics);
  const refusals = findings.map((finding) => input.places.diagnostic(finding));
  return {
    compatible: () => conclude(refusals),
    strict: () => {
      const own: Finding[] = [];
      checkStrictly(input.state, plan, profiles, new Report(own, input.path));
      const diagnostics = [
        ...input.notes.map((note) => input.places.diagnosticAt(note, note.place)),
        ...refusals,
        ...own.map((finding) => input.places.diagnostic(finding)),
      ];
      return conclude(diagnostics.sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0)));
    },
  };
}
