import { type Diagnostic, type Outcome, serdeYamlString, succeed, valueOrThrow } from '@coreiso/diagnostics';
import { checkArgument, checkMethods, checkWord } from '@coreiso/peers/arguments';
import type { NetworkState } from './generated/types.ts';
import { type Keyfile, keyfileOf, type Profile } from './keyfile/profile.ts';
import { inUpOrder, planState } from './plan/plan-state.ts';
import { interfaceProfiles } from './profiles/interface-profiles.ts';
import { readInput, type StateNode } from './state/input.ts';
import { checkStrictly } from './strict/strict.ts';
import { type Finding, Findings } from './table/state-findings.ts';

/** Options of checking a network state. */
export interface GenerateOptions {
  /** `compatible` accepts what nmstate accepts; `strict`, the default, also reports mistakes that nmstate silently ignores. */
  readonly mode?: 'compatible' | 'strict' | undefined;
}

/**
 * A network state: YAML or JSON text, an object, or a part of a parsed document (a node with its document), so that findings are
 * at their places in the whole text.
 */
export type StateInput = string | NetworkState | StateNode;

/**
 * Makes the keyfiles that `nmstatectl gc` writes for a network state.
 *
 * @example
 * const outcome = generateKeyfiles('interfaces: [{ name: eno1, type: ethernet, ipv4: { enabled: true, dhcp: true } }]');
 * if (outcome.ok) for (const { name, content } of outcome.value) console.log(name, content);
 */
export function generateKeyfiles(state: StateInput, options: GenerateOptions = {}): Outcome<Keyfile[]> {
  const mode = modeOf(options);
  const profiles = judge(state)[mode]();
  return profiles.ok ? succeed(profiles.value.map(keyfileOf), profiles.diagnostics) : profiles;
}

/**
 * Like `generateKeyfiles`, but throws a `DiagnosticsError` if the state is refused.
 *
 * @example
 * const keyfiles = generateKeyfilesOrThrow({ interfaces: [{ name: 'dummy0', type: 'dummy' }] });
 */
export function generateKeyfilesOrThrow(state: StateInput, options: GenerateOptions = {}): Keyfile[] {
  return valueOrThrow(generateKeyfiles(state, options));
}

function modeOf(options: GenerateOptions): 'compatible' | 'strict' {
  checkArgument('options', options, 'object');
  const { mode = 'strict' } = options;
  checkWord('mode', mode, ['strict', 'compatible']);
  return mode;
}

/** Throws a `TypeError` that names what a caller without types passed. */
function checkState(state: StateInput): void {
  if (typeof state === 'string') return;
  checkArgument('state', state, 'state');
  if (!('node' in state) && !('document' in state)) return;
  const { node, document } = state as Partial<StateNode>;
  checkArgument('state.node', node, 'object');
  checkArgument('state.node.kind', node?.kind, 'text');
  checkMethods('state.document', document, ['range']);
}

/** The results of both modes for one state, with profiles as data. */
export interface Verdicts {
  readonly compatible: Outcome<readonly Profile[]>;
  readonly strict: Outcome<readonly Profile[]>;
}

/**
 * Checks a network state in both modes at once, and returns profiles as data; `keyfileOf` makes a file of a profile.
 *
 * @example
 * const { compatible, strict } = judgeState(text);
 * if (compatible.ok && !strict.ok) console.log('nmstate would take it', strict.diagnostics);
 */
export function judgeState(state: StateInput): Verdicts {
  const { compatible, strict } = judge(state);
  return { compatible: compatible(), strict: strict() };
}

type Verdict = () => Outcome<readonly Profile[]>;

function judge(state: StateInput): { readonly compatible: Verdict; readonly strict: Verdict } {
  checkState(state);
  const input = readInput(state);
  if (!input.ok) return { compatible: () => input, strict: () => input };
  const collected: Finding[] = [];
  const findings = new Findings(collected, input.path);
  const plan = planState(input.state, findings);
  const profiles = inUpOrder(plan.interfaces).flatMap((planned) =>
    interfaceProfiles(planned, plan.interfaces, findings).map((profile) => ({ planned, profile: profile.close() })),
  );
  const conclude = (diagnostics: readonly Diagnostic[]): Outcome<readonly Profile[]> =>
    diagnostics.some(({ severity }) => severity === 'error')
      ? { ok: false, diagnostics }
      : succeed(
          profiles.map(({ profile }) => profile),
          diagnostics,
        );
  const refusals = collected.map((finding) => input.places.diagnostic(finding));
  return {
    compatible: () => conclude(refusals),
    strict: () => {
      const own: Finding[] = [];
      checkStrictly(input.state, plan, profiles, new Findings(own, input.path));
      const diagnostics = [
        ...input.notes.map((note) => input.places.diagnosticAt(note, note.place)),
        ...refusals,
        ...own.map((finding) => input.places.diagnostic(finding)),
      ];
      return conclude(diagnostics.sort((a, b) => (a.range?.start.offset ?? 0) - (b.range?.start.offset ?? 0)));
    },
  };
}

/** The indentation of file texts in the listing. */
const INDENT = 4;

/**
 * Formats keyfiles exactly as `nmstatectl gc` prints them, even if its YAML is broken, as with a backslash before an n.
 *
 * @example
 * process.stdout.write(formatGcListing(generateKeyfilesOrThrow(text, { mode: 'compatible' })));
 */
export function formatGcListing(keyfiles: readonly Keyfile[]): string {
  checkArgument('keyfiles', keyfiles, 'array');
  for (const [index, keyfile] of keyfiles.entries()) checkArgument(`keyfiles[${index}]`, keyfile, 'object');
  const pairs = keyfiles.map(
    ({ name, content }) => `- - ${serdeYamlString(name, INDENT)}\n  - ${serdeYamlString(content, INDENT)}\n`,
  );
  const yaml = pairs.length === 0 ? 'NetworkManager: []\n' : `NetworkManager:\n${pairs.join('')}`;
  // The tool does this to make line ends of double-quoted scalars readable.
  return `${yaml.replaceAll('\\n', '\n\n')}\n`;
}
