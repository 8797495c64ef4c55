import type { Diagnostic } from './diagnostic.ts';

/** What the errors of all packages have in common: each package has a class of its own, and none is the parent of another. */
export interface CoreisoError extends Error {
  /** Says which failure it is, with the package in front: `CLUSTER_TIMEOUT`. */
  readonly code: string;
  /** The findings about a user's text that are the reason; absent or empty where something else is. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The way out, in the imperative, where there is one. */
  readonly help?: string | undefined;
}

/** What is in front of the codes of each package's errors. */
const CODE = /^(?:CLUSTER|DIAGNOSTICS|IGNITION|ISO|NODES|OPENSHIFT)_[A-Z\d_]+$/;

/**
 * Whether something that was thrown is a failure that one of the packages reports on purpose. It looks at the code and not
 * at the class, so that a second copy of a package in a bundle, or an error of another window, is recognised too.
 *
 * @example if (isCoreisoError(error) && error.code === 'CLUSTER_TIMEOUT') tryAgain()
 */
export function isCoreisoError(error: unknown): error is CoreisoError {
  return isError(error) && 'code' in error && typeof error.code === 'string' && CODE.test(error.code);
}

/** Whether it is an error of this or of another window. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type DiagnosticsErrorCode =
  /** A text was refused; `diagnostics` says why. */
  'DIAGNOSTICS_REFUSED';

/**
 * What every `…OrThrow` function throws; the findings are in `diagnostics`, the first error is the message.
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
      /** Instead of the first error. */
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
