// Builds the image that adds the nodes of a nodes-config to a cluster, and first prints which machine becomes which node.
import { readFile } from 'node:fs/promises';
import { formatDiagnostics } from '@coreiso/diagnostics';
import { fileSource } from '@coreiso/iso/node';
import { parseNodesConfig, simulateBoot } from '@coreiso/nodes-config';
import { buildNodesImage, planNodes } from '@coreiso/openshift';
import { writeOutputs } from '@coreiso/openshift/node';

const text = await readFile('nodes-config.yaml', 'utf8');
const cluster = JSON.parse(await readFile('cluster.json', 'utf8'));
const config = parseNodesConfig(text, { cluster });
if (!config.ok) {
  console.error(formatDiagnostics(config.diagnostics, { text, file: 'nodes-config.yaml' }));
  process.exit(1);
}
const plan = planNodes(config.value, { cluster, join: 'direct' });
console.log(simulateBoot(plan, { nics: { eno1: '52:54:00:e7:05:72' } }).host?.hostname);

await using base = await fileSource('rhcos-live.iso');
const built = await buildNodesImage(base, plan, { grow: true });
await writeOutputs(built, '.'); // node.x86_64.iso, readable only by its owner
console.log(JSON.stringify(built.report));
