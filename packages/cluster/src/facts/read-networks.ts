import { fail, type Outcome } from '@coreiso/diagnostics';
import { type ClusterNetworks, networksFromObjects } from '@coreiso/nodes-config';
import { checkArgument, checkMethods } from '@coreiso/peers/arguments';
import type { ClusterReader } from '../reader/port.ts';
import { readOne, refusalsOf } from './read-cluster.ts';
import { INSTALL_CONFIG, NETWORKS } from './resources.ts';

/**
 * Which addresses and names are taken in a cluster, and where its nodes lie, for `judgeRequests`. Permissions that are missing come
 * with a role that grants them; the install config that the cluster keeps is welcome where the platform has no machine networks.
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
