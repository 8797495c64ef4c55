import type { Diagnostic } from '@coreiso/diagnostics';

/** The weight of findings: an error counts as many warnings. */
export function weightOf(findings: readonly Diagnostic[]): number {
  return findings.reduce((sum, { severity }) => sum + (severity === 'error' ? 100 : severity === 'warning' ? 1 : 0), 0);
}
