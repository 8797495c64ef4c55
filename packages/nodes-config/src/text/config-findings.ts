import type { Diagnostic, Outcome, Path, Range } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { type ConfigFinding, configDiagnostic } from './codes.ts';

/** `strict` refuses configs that the installer accepts but that fail later; `compatible` accepts what the installer accepts, and only warns. */
export type Mode = 'strict' | 'compatible';

/** A finding with its origin. */
export interface ConfigDiagnostic extends Diagnostic {
  readonly upstream: boolean;
}

/** A finding with the path of its file, if several files are read together. */
export interface FileDiagnostic extends Diagnostic {
  readonly file: string;
  /**
   * Whether the real installer prints exactly this for this file; otherwise it comes from a rule of coreiso, or from
   * one that the installer would not reach.
   */
  readonly upstream: boolean;
}

/**
 * Whether the real installer prints this message for this file.
 *
 * @example parseNodesConfig(text).diagnostics.filter(isUpstream)
 */
export function isUpstream(finding: Diagnostic): boolean {
  checkArgument('finding', finding, 'object');
  return 'upstream' in finding && finding.upstream === true;
}

/**
 * The messages by origin: the installer's errors, distinct and in its order, and all others.
 *
 * @example const { upstream, extra } = splitMessages(parseNodesConfig(text).diagnostics)
 */
export function splitMessages(diagnostics: readonly Diagnostic[]): { upstream: string[]; extra: string[] } {
  checkArgument('diagnostics', diagnostics, 'array');
  const upstream = new Set<string>();
  const extra: string[] = [];
  for (const finding of diagnostics) {
    if (isUpstream(finding) && finding.severity === 'error') upstream.add(finding.message);
    else extra.push(finding.message);
  }
  return { upstream: [...upstream], extra };
}

/** One step of the upstream program. */
export interface Step<Name extends string> {
  readonly name: Name;
  /** Whether it ends at its first error; otherwise it collects all of its own. */
  readonly endsAtFirst?: boolean;
}

/** The steps of reading, which come before all others. */
const READING = ['yaml', 'decode'] as const;
type ReadingStep = (typeof READING)[number];

/** The place of a finding: by default that of its path, and none in this text if it is about another one. */
export type Place = Range | 'elsewhere';

type Locate = (path: Path) => Range | undefined;

interface Entry {
  readonly step: string | undefined;
  readonly finding: Diagnostic;
}

/** The places of findings, and the order in which upstream would report them. */
export interface FindingsOptions<Name extends string> {
  readonly mode: Mode;
  /** Locates the value at a path; without it findings have no place. */
  readonly locate?: Locate | undefined;
  /**
   * Upstream's steps after reading, in its order. A failed step ends the run, so findings of later steps are never
   * printed.
   */
  readonly steps?: readonly Step<Name>[] | undefined;
}

/**
 * Collects all findings, and decides at the end which of them upstream would have reported.
 *
 * @example const findings = new Findings({ mode: 'strict', locate: sourceOf(document).locate })
 */
export class Findings<Name extends string = never> {
  readonly #entries: Entry[] = [];
  readonly #mode: Mode;
  readonly #locate: Locate;
  readonly #steps: readonly string[];
  readonly #endsAtFirst: ReadonlySet<string>;

  constructor({ mode, locate = () => undefined, steps = [] }: FindingsOptions<Name>) {
    this.#mode = mode;
    this.#locate = locate;
    this.#steps = [...READING, ...steps.map(({ name }) => name)];
    this.#endsAtFirst = new Set([...READING, ...steps.filter((step) => step.endsAtFirst).map(({ name }) => name)]);
  }

  /** An error of upstream, in its words. */
  upstream(step: ReadingStep | Name, finding: Omit<ConfigFinding, 'severity'>, range?: Place): void {
    this.#add(step, { ...finding, severity: 'error' }, range);
  }

  /** A warning that upstream logs before it continues; an `info` if it is known to be harmless. */
  upstreamWarning(
    step: ReadingStep | Name,
    finding: Omit<ConfigFinding, 'severity'>,
    severity: 'warning' | 'info' = 'warning',
  ): void {
    this.#add(step, { ...finding, severity });
  }

  /** A rule of coreiso: an error in strict mode, a warning in compatible mode. */
  own(finding: Omit<ConfigFinding, 'severity'>, range?: Place): void {
    this.#add(undefined, { ...finding, severity: this.#mode === 'strict' ? 'error' : 'warning' }, range);
  }

  /** A finding of coreiso with the same severity in both modes. */
  note(severity: 'error' | 'warning' | 'info', finding: Omit<ConfigFinding, 'severity'>, range?: Place): void {
    this.#add(undefined, { ...finding, severity }, range);
  }

  /** Whether there is already an error at the path, or at one of its parents. */
  hasErrorAt(path: Path): boolean {
    return this.#entries.some(({ finding }) => {
      const isAround = finding.path.every((part, at) => part === path[at]);
      return finding.severity === 'error' && finding.path.length > 0 && isAround;
    });
  }

  /** The step at which upstream would stop; undefined if it continues. */
  failingStep(): string | undefined {
    return this.#steps.find((step) =>
      this.#entries.some((entry) => entry.step === step && entry.finding.severity === 'error'),
    );
  }

  /** Upstream's errors first, in its order; then the others in the order of the text. */
  diagnostics(): ConfigDiagnostic[] {
    const failing = this.failingStep();
    const reached = failing === undefined ? this.#steps.length : this.#steps.indexOf(failing);
    const printed: ConfigDiagnostic[] = [];
    const others: ConfigDiagnostic[] = [];
    let hasFirst = false;
    for (const { step, finding } of this.#entries) {
      const isError = finding.severity === 'error';
      const isCutOff = isError && hasFirst && failing !== undefined && this.#endsAtFirst.has(failing);
      const upstream = step !== undefined && this.#steps.indexOf(step) <= reached && !isCutOff;
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

  #add(step: string | undefined, finding: ConfigFinding, place?: Place): void {
    const range = place === 'elsewhere' ? undefined : (place ?? this.#locate(finding.path ?? []));
    this.#entries.push({ step, finding: configDiagnostic(finding, range) });
  }
}
