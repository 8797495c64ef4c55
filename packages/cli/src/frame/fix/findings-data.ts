// Findings for `--json`, with fixes that a program can apply.
import type { Diagnostic } from '@coreiso/diagnostics';
import type { Source } from '@coreiso/language';
import { mendedData } from '../show-findings.ts';

/**
 * Returns findings about a text as plain data, each with the values in its message and its fixes; loads the code for fixes
 * on use.
 */
export async function findingsData<One extends Diagnostic>(
  findings: readonly One[],
  source: Source,
  data: (finding: One) => object,
): Promise<readonly object[]> {
  if (findings.length === 0) return [];
  const { findingsWithFixes } = await import('@coreiso/language');
  const mended = findingsWithFixes(source, findings);
  return findings.map((finding, index) => mendedData({ ...finding, ...mended[index] }, source.text, data));
}
