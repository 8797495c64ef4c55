import { checkArgument } from '@coreiso/peers/arguments';
import { compareBytes } from '@coreiso/peers/go';
import type { HostInterface, NetworkConfig } from '../rules/host.ts';

/** The values that decide a host's number. */
export interface NetworkedHost {
  readonly networkConfig: NetworkConfig;
  readonly interfaces: readonly HostInterface[];
}

/** The order in which upstream numbers `host<N>`: by the stored network state, then by the interface table, shorter tables first. */
export function inStoredOrder<T extends NetworkedHost>(hosts: readonly T[]): T[] {
  const keyed = hosts.map((host) => ({ host, table: host.interfaces.toSorted(compareInterfaces) }));
  keyed.sort((a, b) => {
    return compareBytes(a.host.networkConfig.text, b.host.networkConfig.text) || compareTables(a.table, b.table);
  });
  return keyed.map(({ host }) => host);
}

function compareTables(a: readonly HostInterface[], b: readonly HostInterface[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [position, left] of a.entries()) {
    const right = b[position];
    const order = right === undefined ? 0 : compareInterfaces(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

function compareInterfaces(a: HostInterface, b: HostInterface): number {
  return compareBytes(a.name, b.name) || compareBytes(a.macAddress, b.macAddress);
}

/**
 * The order in which a machine tries the hosts: those with a network by their directories, as a shell lists them (`host10` comes
 * before `host2`), then the others in the order of the document.
 *
 * @example hostsByPrecedence(plan.hosts).map(({ name }) => name)
 */
export function hostsByPrecedence<T extends { readonly network: { readonly directory: string } | undefined }>(
  hosts: readonly T[],
): T[] {
  checkArgument('hosts', hosts, 'array');
  const directory = ({ network }: T): string => network?.directory ?? '';
  const networked = hosts.filter(({ network }) => network !== undefined);
  networked.sort((a, b) => compareBytes(directory(a), directory(b)));
  return [...networked, ...hosts.filter(({ network }) => network === undefined)];
}
