// Progress of one host that the service adds to a cluster: the status of the cluster itself stays the same, whatever happens to its hosts.
import { canonicalAddress } from '@coreiso/peers/ip';
import { isObject, type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';
import { inline } from '../service/texts.ts';
import type { ExpectedHost } from './hosts.ts';

/** The state of a host in the service. */
export interface Installation {
  readonly stage: 'live' | 'installing' | 'rebooting' | 'failed';
  /** The current step, or the reason of the failure. */
  readonly doing: string;
  readonly percentage: number | undefined;
}

/** States that a host leaves only by a restart. */
const FAILED: ReadonlySet<string> = new Set(['error', 'cancelled']);
const INSTALLING: ReadonlySet<string> = new Set([
  'installing',
  'installing-in-progress',
  'installing-pending-user-action',
]);

/** Reads the service's data of a host; undefined if it does not know the host. */
export function readInstallation(cluster: KubeObject, expected: ExpectedHost): Installation | undefined {
  const host = hostOf(cluster, expected);
  if (host === undefined) return undefined;
  const status = textOf(host, 'status');
  const info = inline(textOf(host, 'status_info')).replace(/[:;]$/, '');
  const percentage = memberOf(host, 'progress', 'installation_percentage');
  const progress = typeof percentage === 'number' ? percentage : undefined;
  if (FAILED.has(status)) return { stage: 'failed', doing: info || status, percentage: progress };
  if (status === 'added-to-existing-cluster' || status === 'installed') {
    return { stage: 'rebooting', doing: 'its kubelet', percentage: progress };
  }
  if (INSTALLING.has(status)) {
    const doing = status === 'installing-pending-user-action' ? info : textOf(host, 'progress', 'current_stage');
    return { stage: 'installing', doing: doing || info, percentage: progress };
  }
  return {
    stage: 'live',
    doing: status === 'known' ? 'the installation' : info || 'its checks',
    percentage: undefined,
  };
}

/** The host itself: the only one, else by name or address. */
export function hostOf(cluster: KubeObject, expected: ExpectedHost): KubeObject | undefined {
  const hosts = objectsOf(cluster, 'hosts');
  return hosts.length === 1 ? hosts[0] : hosts.find((host) => isHost(host, expected));
}

function isHost(host: KubeObject, { name, nodeName, addresses }: ExpectedHost): boolean {
  const called = textOf(host, 'requested_hostname').toLowerCase();
  if (called === nodeName || called === name.toLowerCase()) return true;
  return objectsOf(inventoryOf(host), 'interfaces').some((one) =>
    ['ipv4_addresses', 'ipv6_addresses'].some((member) => {
      const own = memberOf(one, member);
      return Array.isArray(own) && own.some((address) => addresses.includes(plain(address)));
    }),
  );
}

function plain(address: unknown): string {
  return (typeof address === 'string' && canonicalAddress(address.replace(/\/\d+$/, ''))) || '';
}

function inventoryOf(host: KubeObject): KubeObject {
  try {
    const inventory: unknown = JSON.parse(textOf(host, 'inventory'));
    return isObject(inventory) ? inventory : {};
  } catch {
    return {};
  }
}
