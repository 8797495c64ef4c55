import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseClusterFactsOrThrow, parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { type NodesPlan, planNodes } from '@coreiso/openshift';

/**
 * The plan of a mounted Secret: `nodes-config.yaml`, `valid-until` and, if machines install themselves, `cluster.json`.
 * The images depend on nothing else, so every replica makes the same ones. `undefined` if there is no such Secret.
 */
export async function readPlan(folder: string): Promise<NodesPlan | undefined> {
  const config = await readIfThere(join(folder, 'nodes-config.yaml'));
  if (config === undefined) return undefined;
  const facts = await readIfThere(join(folder, 'cluster.json'));
  const cluster = facts === undefined ? undefined : parseClusterFactsOrThrow(facts);
  const until = (await readIfThere(join(folder, 'valid-until')))?.trim();
  if (until === undefined || Number.isNaN(Date.parse(until))) {
    throw new Error(
      `${join(folder, 'valid-until')}: a time such as 2030-01-31T12:00:00Z is needed, the same for all replicas`,
    );
  }
  return planNodes(parseNodesConfigOrThrow(config, { cluster }), { cluster, expires: new Date(until) });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
