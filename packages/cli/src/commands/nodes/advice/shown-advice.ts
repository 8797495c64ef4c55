import { adviseNodes, type ClusterFacts, type NodesConfig, planHosts, skippedChecks } from '@coreiso/nodes-config';
import type { Terminal } from '../../../frame/terminal.ts';
import { type ConfigFile, showConfigFindings } from '../config-file.ts';

/**
 * Shows the findings of `nodes advise` while an image is made. The image is correct without them, so none is an error. Only
 * `nodes advise` prints the recommended manifests.
 */
export function showAdvice(
  config: NodesConfig,
  facts: ClusterFacts | undefined,
  file: ConfigFile,
  terminal: Terminal,
): void {
  if (facts === undefined) return;
  const advice = adviseNodes(planHosts(config), facts, { locate: config.source.locate });
  if (advice.length === 0) return;
  showConfigFindings(
    terminal,
    file,
    advice.map((one) => (one.severity === 'error' ? { ...one, severity: 'warning' as const } : one)),
  );
  const skipped = skippedChecks(facts).map(({ check }) => check);
  const note = skipped.length === 0 ? '' : ` (skipped: ${skipped.join(', ')})`;
  terminal.say(`run nodes advise for solutions${note}`);
}
