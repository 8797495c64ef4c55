import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import type { Diagnostic, Outcome, Path, Severity } from './diagnostic.ts';
import { DiagnosticsError } from './errors.ts';
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
