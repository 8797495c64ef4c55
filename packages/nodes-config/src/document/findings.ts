import { type Diagnostic, diagnostic, type Finding, type Outcome, type Path, type Range } from '@coreiso/diagnostics';

/** `strict` refuses what upstream would take and regret; `compatible` takes whatever upstream takes and only warns. */
export type Mode = 'strict' | 'compatible';

/** A finding that says whose it is. */
export interface ConfigDiagnostic extends Diagnostic {
  /** Whether the real installer says exactly this about exactly this file; a rule of ours otherwise, or one that it would not reach. */
  readonly upstream: boolean;
}

/** Whether the real installer prints this message for this file. */
export function isUpstream(finding: Diagnostic): boolean {
  return 'upstream' in finding && finding.upstream === true;
}

/** The messages by origin: upstream's errors, distinct and in its order, and everything else worth saying. */
export function splitMessages(diagnostics: readonly Diagnostic[]): { upstream: string[]; extra: string[] } {
  const upstream = new Set<string>();
  const extra: string[] = [];
  for (const finding of diagnostics) {
    if (isUpstream(finding) && finding.severity === 'error') upstream.add(finding.message);
    else extra.push(finding.message);
  }
  return { upstream: [...upstream], extra };
}

/**
 * Upstream's steps in its order, for every kind of document. A step that fails ends the run, so that nothing of a later one is ever
 * printed.
 */
const STAGES = [
  'yaml',
  'decode',
  'version',
  'file',
  'cluster',
  'platform',
  'architecture',
  'install-hosts',
  'hosts',
  'replicas',
  'conflicts',
  'network',
  'labels',
  'facts',
] as const;

export type Stage = (typeof STAGES)[number];

/** Steps that end at their first error; the others collect all of theirs. */
const ENDS_AT_FIRST: ReadonlySet<Stage> = new Set([
  'yaml',
  'decode',
  'version',
  'cluster',
  'install-hosts',
  'replicas',
  'conflicts',
  'facts',
]);

/** Where a finding stands; by its path where nothing is said, and nowhere in this text if it is about another one. */
export type Place = Range | 'elsewhere';

type Locate = (path: Path) => Range | undefined;

interface Entry {
  readonly stage: Stage | undefined;
  readonly finding: Diagnostic;
}

/** Collects everything there is to say, and decides at the end what upstream would have said of it. */
export class Findings {
  readonly #entries: Entry[] = [];
  readonly #mode: Mode;
  readonly #locate: Locate;

  constructor(mode: Mode, locate: Locate) {
    this.#mode = mode;
    this.#locate = locate;
  }

  /** An error of upstream, in its words. */
  upstream(stage: Stage, finding: Omit<Finding, 'severity'>, range?: Place): void {
    this.#add(stage, { ...finding, severity: 'error' }, range);
  }

  /** Something upstream logs as a warning and goes on; `info` where we know it to be harmless. */
  upstreamWarning(stage: Stage, finding: Omit<Finding, 'severity'>, severity: 'warning' | 'info' = 'warning'): void {
    this.#add(stage, { ...finding, severity });
  }

  /** A rule of ours: an error in strict mode, a warning in compatible mode. */
  own(finding: Omit<Finding, 'severity'>, range?: Place): void {
    this.#add(undefined, { ...finding, severity: this.#mode === 'strict' ? 'error' : 'warning' }, range);
  }

  /** Something of ours that is no reason to refuse, or one in both modes. */
  note(severity: 'error' | 'warning' | 'info', finding: Omit<Finding, 'severity'>, range?: Place): void {
    this.#add(undefined, { ...finding, severity }, range);
  }

  /** Upstream's errors first, in its order; then the rest in the order of the text. */
  diagnostics(): ConfigDiagnostic[] {
    const failing = STAGES.find((stage) =>
      this.#entries.some((entry) => entry.stage === stage && entry.finding.severity === 'error'),
    );
    const reached = failing === undefined ? STAGES.length : STAGES.indexOf(failing);
    const printed: ConfigDiagnostic[] = [];
    const others: ConfigDiagnostic[] = [];
    let hasFirst = false;
    for (const { stage, finding } of this.#entries) {
      const isError = finding.severity === 'error';
      const isCutOff = isError && hasFirst && failing !== undefined && ENDS_AT_FIRST.has(failing);
      const upstream = stage !== undefined && STAGES.indexOf(stage) <= reached && !isCutOff;
      if (upstream && isError) hasFirst = true;
      (upstream && isError ? printed : others).push({ ...finding, upstream });
    }
    others.sort((a, b) => (a.range?.start.offset ?? -1) - (b.range?.start.offset ?? -1));
    return [...printed, ...others];
  }

  outcome<T>(value: T): Outcome<T> {
    const diagnostics = this.diagnostics();
    return diagnostics.some(({ severity }) => severity === 'error')
      ? { ok: false, diagnostics }
      : { ok: true, value, diagnostics };
  }

  #add(stage: Stage | undefined, finding: Finding, place?: Place): void {
    const range = place === 'elsewhere' ? undefined : (place ?? this.#locate(finding.path ?? []));
    this.#entries.push({ stage, finding: diagnostic(finding, range) });
  }
}
