import type { Diagnostic } from './diagnostic.ts';

/** The members that the errors of all packages share. Each package has its own class; none inherits from another. */
export interface CoreisoError extends Error {
  /** Identifies the failure, with the package in front: `CLUSTER_TIMEOUT`. */
  readonly code: string;
  /** Findings about the user's text, if they are the cause; otherwise absent or empty. */
  readonly diagnostics?: readonly Diagnostic[];
  /** What to do, in the imperative, if anything helps. */
  readonly help?: string | undefined;
}

/** The prefix of each package's error codes. */
const CODE = /^(?:CLUSTER|DIAGNOSTICS|IGNITION|ISO|NODES|OPENSHIFT)_[A-Z\d_]+$/;

/**
 * Whether a thrown value is an expected failure of one of the packages. It checks the code, not the class, so it also recognises
 * errors of a second copy of a package or of another window.
 *
 * @example if (isCoreisoError(error) && error.code === 'CLUSTER_TIMEOUT') tryAgain()
 */
export function isCoreisoError(error: unknown): error is CoreisoError {
  return isError(error) && 'code' in error && typeof error.code === 'string' && CODE.test(error.code);
}

/** Whether a value is an error of this window or of another one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type DiagnosticsErrorCode =
  /** A text was refused; `diagnostics` says why. */
  'DIAGNOSTICS_REFUSED';

/**
 * Thrown by every `…OrThrow` function. `diagnostics` has the findings; the message is the first error.
 *
 * @example if (error instanceof DiagnosticsError) console.error(formatDiagnostics(error.diagnostics, { text }))
 */
export class DiagnosticsError extends Error {
  override readonly name: string = 'DiagnosticsError';
  readonly code: DiagnosticsErrorCode = 'DIAGNOSTICS_REFUSED';
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    diagnostics: readonly Diagnostic[],
    options: ErrorOptions & {
      /** Replaces the message, which is otherwise the first error. */
      readonly message?: string | undefined;
    } = {},
  ) {
    super(options.message ?? summarise(diagnostics), options);
    this.diagnostics = diagnostics;
  }
}

function summarise(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0] ?? diagnostics[0];
  if (first === undefined) return 'the text was refused';
  const place = first.range === undefined ? '' : `${first.range.start.line}:${first.range.start.column}: `;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${place}${first.message}${more}`;
}
