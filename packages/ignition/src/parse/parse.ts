import type { Diagnostic, Outcome } from '@coreiso/diagnostics';
import { IgnitionError } from '../errors.ts';
import type { Config } from '../spec/generated/types.ts';
import { asConfig } from '../spec/values.ts';
import { load, type ParseOptions } from './load.ts';
import type { ReportEntry } from './report.ts';

/**
 * Reads a config without applying the rules: checks only JSON, version and types. Drops unknown members.
 *
 * @example const report = parseConfig('{"ignition":{"version":"3.4.0"}}')
 */
export function parseConfig(input: Uint8Array | string, options: ParseOptions = {}): Outcome<Config, ReportEntry> {
  const outcome = load(input, options);
  if (outcome.loaded === undefined) return outcome.report;
  return { ok: true, value: asConfig(outcome.loaded.values), diagnostics: [] };
}

/**
 * `parseConfig` that throws an error instead of returning one.
 *
 * @example const config = parseConfigOrThrow(await readFile('worker.ign'))
 */
export function parseConfigOrThrow(input: Uint8Array | string, options: ParseOptions = {}): Config {
  return valueOrThrow(parseConfig(input, options));
}

/** The value of a report. Throws its errors if it has no value. */
export function valueOrThrow(report: Outcome<Config, ReportEntry>): Config {
  if (report.ok) return report.value;
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  throw new IgnitionError('IGNITION_INVALID', summarise(errors), { diagnostics: report.diagnostics });
}

function summarise(errors: readonly Diagnostic[]): string {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `config is not valid: ${first?.message ?? ''}${more}`;
}
