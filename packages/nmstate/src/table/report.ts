import type { Diagnostic, Extent, Path, Severity } from '@coreiso/diagnostics';
import { requireObject } from '@coreiso/diagnostics/arguments';

/** nmstate's own kinds of refusal, as far as input can cause them. */
export type RefusalKind = 'InvalidArgument' | 'NotImplementedError' | 'NotSupportedError';

const REFUSAL_KINDS: readonly RefusalKind[] = ['InvalidArgument', 'NotImplementedError', 'NotSupportedError'];

export const REFUSAL_CODES: Readonly<Record<RefusalKind, string>> = {
  InvalidArgument: 'nmstate/invalid-argument',
  NotImplementedError: 'nmstate/not-implemented',
  NotSupportedError: 'nmstate/not-supported',
};

/**
 * nmstate's kind, if a diagnostic is a refusal of nmstate's own; then `message` is nmstate's text.
 *
 * @example
 * const ours = outcome.diagnostics.filter((diagnostic) => refusalKind(diagnostic) === undefined);
 */
export function refusalKind(diagnostic: Diagnostic): RefusalKind | undefined {
  requireObject('diagnostic', diagnostic);
  return REFUSAL_KINDS.find((kind) => REFUSAL_CODES[kind] === diagnostic.code);
}

/** A diagnostic before its path is turned into a place in the text. */
export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly path: Path;
  readonly cure: string | undefined;
  /** Where it stands, if that is not where the path leads. */
  readonly place?: Extent | undefined;
}

/** Collects findings about one place of the input; work goes on after each. */
export class Report {
  readonly #findings: Finding[];
  /** Where in the document it reports about. */
  readonly path: Path;
  readonly #place: Extent | undefined;

  constructor(findings: Finding[], path: Path = [], place?: Extent) {
    this.#findings = findings;
    this.path = path;
    this.#place = place;
  }

  /** The same report, further down or somewhere else. */
  at(...steps: Path): Report {
    return new Report(this.#findings, [...this.path, ...steps]);
  }

  from(path: Path, place?: Extent): Report {
    return new Report(this.#findings, path, place);
  }

  /** Refuses with nmstate's text. */
  invalid(message: string, cure?: string): void {
    this.#refuse('InvalidArgument', message, cure);
  }

  notImplemented(message: string, cure?: string): void {
    this.#refuse('NotImplementedError', message, cure);
  }

  notSupported(message: string, cure?: string): void {
    this.#refuse('NotSupportedError', message, cure);
  }

  /** A finding of strict mode. */
  strict(severity: Severity, code: string, message: string, cure: string): void {
    this.#findings.push({ severity, code: `nmstate/${code}`, message, path: this.path, cure });
  }

  #refuse(kind: RefusalKind, message: string, cure: string | undefined): void {
    this.#findings.push({
      severity: 'error',
      code: REFUSAL_CODES[kind],
      message,
      path: this.path,
      cure,
      place: this.#place,
    });
  }
}
