import { type Diagnostic, type Outcome, succeed, valueOrThrow } from '@coreiso/diagnostics';
import { inUpOrder, planState } from './plan/plan.ts';
import { type Finding, Report } from './plan/report.ts';
import { interfaceProfiles } from './profiles/interface-profiles.ts';
import type { NetworkState } from './state/generated/types.ts';
import { readInput } from './state/input.ts';
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

/** The keyfiles that `nmstatectl gc` writes for a network state, given as YAML or JSON text or as an object. */
export function generateKeyfiles(state: string | NetworkState, options: GenerateOptions = {}): Outcome<Keyfile[]> {
  const { mode = 'compatible' } = options;
  if (mode !== 'compatible' && mode !== 'strict') {
    throw new RangeError(`mode must be compatible or strict, not ${mode}`);
  }
  const input = readInput(state);
  if (!input.ok) return input;

  const findings: Finding[] = [];
  const report = new Report(findings, input.path);
  const plan = planState(input.state, report);
  const profiles = inUpOrder(plan.interfaces).flatMap((planned) =>
    interfaceProfiles(planned, plan.interfaces, report).map((profile) => ({ planned, profile })),
  );
  const diagnostics: Diagnostic[] = [];
  if (mode === 'strict') {
    for (const note of input.notes) diagnostics.push(input.places.diagnosticAt(note, note.place));
    checkStrictly(input.state, plan, profiles, report);
  }
  for (const finding of findings) diagnostics.push(input.places.diagnostic(finding));
  if (mode === 'strict') diagnostics.sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0));
  if (diagnostics.some(({ severity }) => severity === 'error')) return { ok: false, diagnostics };
  return succeed(
    profiles.map(({ profile }) => ({ name: `${profile.id}.nmconnection`, content: profile.toString() })),
    diagnostics,
  );
}

/** The same, throwing a `DiagnosticsError` where the state is refused. */
export function generateKeyfilesOrThrow(state: string | NetworkState, options: GenerateOptions = {}): Keyfile[] {
  return valueOrThrow(generateKeyfiles(state, options));
}
