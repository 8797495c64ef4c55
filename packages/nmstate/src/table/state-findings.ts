import type { Diagnostic, Extent, MappingEntry, Path } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { Rule, StateCode } from './codes.ts';

/**
 * nmstate turns everything under `interfaces` into JSON before it looks at it (`json`): text must be quoted where it looks
 * like a number, and the last of two equal keys wins. Elsewhere (`yaml`) text is what was written, and equal keys are refused.
 */
export type Regime = 'json' | 'yaml';

/** Something that does not fit its table. */
export interface TableMismatch {
  readonly place: Extent;
  readonly path: Path;
  readonly code: StateCode;
  readonly message: string;
  readonly help: string | undefined;
  /** What nmstate's parser says about it, without path and position. */
  readonly upstream: string;
  /** Where nmstate points at within an expression of a policy. */
  readonly arguments?: Diagnostic['arguments'];
}

/** Something that nmstate takes without a word and without effect. */
export interface Note {
  readonly severity: 'error' | 'warning';
  readonly place: Extent;
  readonly path: Path;
  readonly code: StateCode;
  readonly message: string;
  readonly help: string | undefined;
}

/** Where a key was written by another spelling: its map, its canonical name, the entry. */
export type Spellings = Map<Extent, Map<string, MappingEntry>>;

/** nmstate's own kinds of refusal, as far as input can cause them. */
export type RefusalKind = 'InvalidArgument' | 'NotImplementedError' | 'NotSupportedError' | 'PolicyError';

const REFUSAL_KINDS: readonly RefusalKind[] = [
  'InvalidArgument',
  'NotImplementedError',
  'NotSupportedError',
  'PolicyError',
];

export const REFUSAL_CODES: Readonly<Record<RefusalKind, StateCode>> = {
  InvalidArgument: 'nmstate/invalid-argument',
  NotImplementedError: 'nmstate/not-implemented',
  NotSupportedError: 'nmstate/not-supported',
  PolicyError: 'nmstate/policy',
};

/**
 * nmstate's error kind, if a diagnostic is an error of nmstate; its `message` is then nmstate's text.
 *
 * @example
 * const ours = outcome.diagnostics.filter((diagnostic) => refusalKind(diagnostic) === undefined);
 */
export function refusalKind(diagnostic: Diagnostic): RefusalKind | undefined {
  checkArgument('diagnostic', diagnostic, 'object');
  return REFUSAL_KINDS.find((kind) => REFUSAL_CODES[kind] === diagnostic.code);
}

/** A diagnostic before its path is turned into a place in the text. */
export interface Finding {
  readonly severity: Diagnostic['severity'];
  readonly code: StateCode;
  readonly message: string;
  readonly path: Path;
  readonly help: string | undefined;
  /** Where it stands, if that is not where the path leads. */
  readonly place?: Extent | undefined;
  readonly arguments?: Diagnostic['arguments'];
}

/** Collects findings about one place of the input; work goes on after each. */
export class Findings {
  readonly #collected: Finding[];
  /** Where in the document it reports about. */
  readonly path: Path;
  readonly #place: Extent | undefined;

  constructor(collected: Finding[], path: Path = [], place?: Extent) {
    this.#collected = collected;
    this.path = path;
    this.#place = place;
  }

  /** The same findings, further down or somewhere else. */
  at(...steps: Path): Findings {
    return new Findings(this.#collected, [...this.path, ...steps]);
  }

  from(path: Path, place?: Extent): Findings {
    return new Findings(this.#collected, path, place);
  }

  /** Whether an error says something about exactly this place already. */
  hasError(): boolean {
    const here = JSON.stringify(this.path);
    return this.#collected.some(({ severity, path }) => severity === 'error' && JSON.stringify(path) === here);
  }

  /** Refuses with nmstate's text. */
  invalid(message: string, help?: string): void {
    this.#refuse('InvalidArgument', message, help);
  }

  notImplemented(message: string, help?: string): void {
    this.#refuse('NotImplementedError', message, help);
  }

  notSupported(message: string, help?: string): void {
    this.#refuse('NotSupportedError', message, help);
  }

  /** A finding of strict mode. */
  strict(severity: Diagnostic['severity'], rule: Rule, message: string, help: string): void {
    this.#collected.push({ severity, code: `nmstate/${rule}`, message, path: this.path, help });
  }

  #refuse(kind: RefusalKind, message: string, help: string | undefined): void {
    this.#collected.push({
      severity: 'error',
      code: REFUSAL_CODES[kind],
      message,
      path: this.path,
      help,
      place: this.#place,
    });
  }
}
