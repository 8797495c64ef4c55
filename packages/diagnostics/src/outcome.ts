import { checkArgument } from '@coreiso/peers/arguments';
import type { Diagnostic, Fix, Outcome, Path } from './diagnostic.ts';
import { DiagnosticsError } from './errors.ts';
import { NOWHERE, type Range } from './position.ts';

/** A diagnostic before it is tied to a place; `severity` defaults to `error` and `path` to the root. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly severity?: Diagnostic['severity'] | undefined;
  readonly path?: Path | undefined;
  readonly help?: string | undefined;
  readonly arguments?: Diagnostic['arguments'] | undefined;
  /** Undefined entries are dropped: some fixes are impossible. */
  readonly fixes?: readonly (Fix | undefined)[] | undefined;
}

/**
 * Makes a diagnostic. Members without a value are left out: `range`, `help`, `arguments` and `fixes` are never `undefined`.
 *
 * @example diagnostic({ code: 'mine/unknown', message: 'unknown key' }, document.range(entry.key))
 */
export function diagnostic(finding: Finding, range?: Range): Diagnostic {
  checkArgument('finding', finding, 'object');
  const { severity = 'error', code, message, path = [], help, arguments: named, fixes = [] } = finding;
  const ways = fixes.filter((fix) => fix !== undefined);
  return {
    severity,
    code,
    message,
    path,
    ...(range === undefined || range === NOWHERE ? {} : { range }),
    ...(help === undefined ? {} : { help }),
    ...(named === undefined ? {} : { arguments: named }),
    ...(ways.length === 0 ? {} : { fixes: ways }),
  };
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
 * Returns the value of an outcome, or throws its findings as a `DiagnosticsError`.
 *
 * @example const document = valueOrThrow(parseJson(text))
 */
export function valueOrThrow<T>(outcome: Outcome<T>): T {
  checkArgument('outcome', outcome, 'object');
  if (outcome.ok) return outcome.value;
  checkArgument('outcome.diagnostics', outcome.diagnostics, 'array');
  throw new DiagnosticsError(outcome.diagnostics);
}
