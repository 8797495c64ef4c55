import { fail, type Outcome } from '@coreiso/diagnostics';
import { type ClusterNetworks, networksFromObjects } from '@coreiso/nodes-config';
import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import type { ClusterReader } from '../reader/port.ts';
import { readOne, refusalsOf } from './read-cluster.ts';
import { INSTALL_CONFIG, NETWORKS } from './resources.ts';

/**
 * Reads the used addresses and names of a cluster, and its networks, for `judgeRequests`. A missing permission comes with a role
 * that grants it. If the platform object has no machine networks, they are read from the stored install config, if that is
 * readable.
 *
 * @example
 * const networks = await readNetworks(cluster);
 * if (networks.ok) console.log(networks.value.machineNetworks);
 */
export async function readNetworks(
  cluster: ClusterReader,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Outcome<ClusterNetworks>> {
  checkMethods('cluster', cluster, ['get', 'list']);
  checkArgument('options', options, 'object');
  const [installConfig, ...needed] = await Promise.all(
    [INSTALL_CONFIG, ...NETWORKS].map((resource) => readOne(cluster, resource, options.signal)),
  );
  const refused = refusalsOf(needed);
  if (refused.length > 0) return fail(...refused);
  return networksFromObjects([...needed, ...(installConfig ? [installConfig] : [])].flatMap(({ objects }) => objects));
}
