import type { Diagnostic, Extent, MappingEntry, Path } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import type { Rule, StateCode } from './codes.ts';

/**
 * nmstate converts everything under `interfaces` to JSON before it reads it (`json`): text that looks like a number must be
 * quoted, and the last of equal keys wins. Elsewhere (`yaml`) text is taken as written, and equal keys are refused.
 */
export type Regime = 'json' | 'yaml';

/** A key or value that does not match its table. */
export interface TableMismatch {
  readonly place: Extent;
  readonly path: Path;
  readonly code: StateCode;
  readonly message: string;
  readonly help: string | undefined;
  /** The message of nmstate's parser, without path and position. */
  readonly upstream: string;
  /** The position that nmstate reports in an expression of a policy. */
  readonly arguments?: Diagnostic['arguments'];
}

/** A key or value that nmstate accepts silently and ignores. */
export interface Note {
  readonly severity: 'error' | 'warning';
  readonly place: Extent;
  readonly path: Path;
  readonly code: StateCode;
  readonly message: string;
  readonly help: string | undefined;
}

/** Keys with another spelling: their map, their canonical name, and the entry. */
export type Spellings = Map<Extent, Map<string, MappingEntry>>;

/** The kinds of nmstate's errors that input can cause. */
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
 * The kind of an nmstate error; undefined for other diagnostics. The `message` of an nmstate error is nmstate's text.
 *
 * @example
 * const ours = outcome.diagnostics.filter((diagnostic) => refusalKind(diagnostic) === undefined);
 */
export function refusalKind(diagnostic: Diagnostic): RefusalKind | undefined {
  checkArgument('diagnostic', diagnostic, 'object');
  return REFUSAL_KINDS.find((kind) => REFUSAL_CODES[kind] === diagnostic.code);
}

/** A diagnostic before its path is converted to a place in the text. */
export interface Finding {
  readonly severity: Diagnostic['severity'];
  readonly code: StateCode;
  readonly message: string;
  readonly path: Path;
  readonly help: string | undefined;
  /** The place, if it is not that of the path. */
  readonly place?: Extent | undefined;
  readonly arguments?: Diagnostic['arguments'];
}

/** Collects findings about a place of the input, without stopping. */
export class Findings {
  readonly #collected: Finding[];
  /** The path in the document that it reports about. */
  readonly path: Path;
  readonly #place: Extent | undefined;

  constructor(collected: Finding[], path: Path = [], place?: Extent) {
    this.#collected = collected;
    this.path = path;
    this.#place = place;
  }

  /** The same collection for a path below this one. */
  at(...steps: Path): Findings {
    return new Findings(this.#collected, [...this.path, ...steps]);
  }

  from(path: Path, place?: Extent): Findings {
    return new Findings(this.#collected, path, place);
  }

  /** Whether there is already an error at exactly this place. */
  hasError(): boolean {
    const here = JSON.stringify(this.path);
    return this.#collected.some(({ severity, path }) => severity === 'error' && JSON.stringify(path) === here);
  }

  /** Adds a refusal with nmstate's message. */
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
