import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import type { Diagnostic, Outcome, Path, Severity } from './diagnostic.ts';
import type { Extent, TextDocument } from './node.ts';
import { NOWHERE, type Range } from './position.ts';

/** A diagnostic before it is tied to a place; `severity` defaults to `error` and `path` to the root. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly severity?: Severity | undefined;
  readonly path?: Path | undefined;
  readonly help?: string | undefined;
}

/**
 * Makes a diagnostic, leaving absent what is not known: `range` and `help` never appear as `undefined`.
 *
 * @example diagnostic({ code: 'mine/missing', message: 'name is missing', path: ['hosts', 0] })
 */
export function diagnostic(finding: Finding, range?: Range): Diagnostic {
  checkArgument('finding', finding, 'object');
  const { severity = 'error', code, message, path = [], help } = finding;
  return {
    severity,
    code,
    message,
    path,
    ...(range === undefined || range === NOWHERE ? {} : { range }),
    ...(help === undefined ? {} : { help }),
  };
}

/**
 * The same, pointing at a node, a key or any other stretch of the document's text.
 *
 * @example diagnosticAt(document, entry.key, { code: 'mine/unknown', message: 'unknown key' })
 */
export function diagnosticAt(document: TextDocument, place: Extent, finding: Finding): Diagnostic {
  checkMethods('document', document, ['range']);
  return diagnostic(finding, document.range(place));
}

/**
 * An outcome with a value, and perhaps warnings.
 *
 * @example return succeed(hosts, warnings)
 */
export function succeed<T>(value: T, diagnostics: readonly Diagnostic[] = []): Outcome<T> {
  return { ok: true, value, diagnostics };
}

/**
 * An outcome without a value.
 *
 * @example return fail(diagnostic({ code: 'mine/missing', message: 'name is missing' }))
 */
export function fail(...diagnostics: readonly Diagnostic[]): Outcome<never> {
  return { ok: false, diagnostics };
}

/** More about a `DiagnosticsError`. */
export interface DiagnosticsErrorOptions extends ErrorOptions {
  /** Instead of the first error. */
  readonly message?: string | undefined;
}

/**
 * What every `…OrThrow` function throws; the findings are in `diagnostics`, the first error is the message.
 *
 * @example if (error instanceof DiagnosticsError) console.error(formatDiagnostics(error.diagnostics))
 */
export class DiagnosticsError extends Error {
  override readonly name: string = 'DiagnosticsError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options: DiagnosticsErrorOptions = {}) {
    super(options.message ?? summarise(diagnostics), options);
    this.diagnostics = diagnostics;
  }
}

/**
 * Turns a function that returns an outcome into its throwing twin.
 *
 * @example const document = valueOrThrow(parseJson(text))
 */
export function valueOrThrow<T>(outcome: Outcome<T>): T {
  checkArgument('outcome', outcome, 'object');
  if (outcome.ok) return outcome.value;
  checkArgument('outcome.diagnostics', outcome.diagnostics, 'array');
  throw new DiagnosticsError(outcome.diagnostics);
}

function summarise(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0] ?? diagnostics[0];
  if (first === undefined) return 'the text was refused';
  const place = first.range === undefined ? '' : `${first.range.start.line}:${first.range.start.column}: `;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${place}${first.message}${more}`;
}
