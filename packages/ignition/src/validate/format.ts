import type { Outcome } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { trimSpace } from '@coreiso/peers/rust';
import { printPath } from '../parse/place.ts';
import type { ReportEntry } from '../parse/report.ts';
import type { Config } from '../spec/generated/types.ts';

/** Errors that occur before there is a report to print. */
const UNREPORTED: readonly string[] = ['empty', 'version-unreadable', 'version-unsupported'].map(
  (rule) => `ignition/${rule}`,
);

/**
 * Formats a report as ignition-validate prints it, but keeps percent signs, which ignition-validate mangles.
 *
 * @example process.stdout.write(formatReport(validate(bytes)).stdout)
 */
export function formatReport(report: Outcome<Config, ReportEntry>): {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 1;
} {
  checkArgument('report', report, 'object');
  checkArgument('report.diagnostics', report.diagnostics, 'array');
  const { ok, diagnostics } = report;
  const exitCode = ok ? 0 : 1;
  const [only] = diagnostics;
  const unreported = only !== undefined && only.path.length === 0 && UNREPORTED.includes(only.code);
  if (unreported) return { stdout: '', stderr: `couldn't parse config: ${only.message}\n`, exitCode };
  // ignition-validate stops at the first value of the wrong type.
  const printed = only?.code === 'ignition/type' ? [only] : diagnostics;
  const block = trimSpace(printed.map(formatEntry).join('\n'));
  return { stdout: block === '' ? '' : `${block}\n`, stderr: '', exitCode };
}

function formatEntry({ severity, path, mark, message }: ReportEntry): string {
  const where = [
    ...(path.length > 0 ? [printPath(path)] : []),
    ...(mark === undefined ? [] : [`line ${mark.line} col ${mark.column}`]),
  ].join(', ');
  return `${severity}${where === '' ? '' : ` at ${where}`}: ${message}`;
}
