// The expected hosts, from a plan or from addresses that a person typed.

import type { HostPlan, HostPlans } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { canonicalAddress } from '@coreiso/peers/ip';
import type { PlannedNode } from '../csr/asked-names.ts';
import { type KubeObject, nameOf, objectsOf, textOf } from '../objects.ts';

/** A host that is expected to become a node. */
export interface ExpectedHost {
  /** The name in events. */
  readonly name: string;
  /** The exact name of the node, if known. */
  readonly nodeName?: string;
  /** Its own addresses, in canonical form. */
  readonly addresses: readonly string[];
  /** IP versions that the network assigns by DHCP or router advertisements; absent if none. */
  readonly dynamicVersions?: readonly (4 | 6)[];
  /** The address before it is a node, with its port unless it is the default; undefined if unknown. */
  readonly reachedAt?: string;
}

/**
 * The hosts of a plan. Addresses come from the profiles; a host with DHCP has none and is identified by its name.
 *
 * @example
 * const hosts = expectedHosts(planHosts(config), { 'worker-0': '127.0.0.1:18090' });
 */
export function expectedHosts(
  plan: HostPlans,
  reachedAt: Readonly<Record<string, string>> = {},
): readonly ExpectedHost[] {
  checkArgument('plan.hosts', plan?.hosts, 'array');
  checkArgument('reachedAt', reachedAt, 'object');
  const unknownHosts = Object.keys(reachedAt).filter((name) => !plan.hosts.some((host) => host.name === name));
  if (unknownHosts.length > 0)
    throw new RangeError(`reachedAt must name only planned hosts, not ${unknownHosts.join(', ')}`);
  return plan.hosts.map(({ name, hostname, network }) => {
    const profiles = network?.profiles ?? [];
    // The address of the default route is the one that is reachable.
    const addresses = [...profiles.filter(hasDefaultRoute), ...profiles.filter((one) => !hasDefaultRoute(one))].flatMap(
      staticAddresses,
    );
    const dynamicVersions = VERSIONS.filter((version) => profiles.some((one) => isDynamic(one, version)));
    const where = reachedAt[name] ?? addresses[0];
    // A kubelet names its node after the host name in lower case.
    const nodeName = hostname?.toLowerCase();
    return {
      name,
      ...(nodeName && { nodeName }),
      addresses,
      ...(dynamicVersions.length > 0 && { dynamicVersions }),
      ...(where && { reachedAt: where }),
    };
  });
}

/**
 * Hosts known only by their addresses; throws if a text is not an address.
 *
 * @example
 * for await (const event of monitorNodes(cluster, hostsAt(['192.0.2.20']))) console.log(event.stage);
 */
export function hostsAt(addresses: readonly string[]): readonly ExpectedHost[] {
  checkArgument('addresses', addresses, 'array');
  return addresses.map((text) => {
    checkArgument('addresses', text, 'text');
    const address = canonicalAddress(text);
    if (address === undefined) throw new RangeError(`addresses must be IP addresses, not ${text}`);
    return { name: text, addresses: [address], reachedAt: address };
  });
}

/** A connection profile of a planned host. */
type Profile = NonNullable<HostPlan['network']>['profiles'][number];

/** The address in `address1=192.0.2.5/24,192.0.2.1` of a profile. */
function staticAddresses({ sections }: Profile): string[] {
  return sections
    .flatMap(({ settings }) => settings)
    .filter(({ key }) => /^address\d*$/.test(key))
    .flatMap(({ value }) => canonicalAddress(/^[^/,;\s]*/.exec(value)?.[0] ?? '') ?? []);
}

const VERSIONS: readonly (4 | 6)[] = [4, 6];

/** Whether a profile leaves addresses to the network. */
function isDynamic({ sections }: Profile, version: 4 | 6): boolean {
  return sections.some(
    ({ name, settings }) =>
      name === `ipv${version}` && settings.some(({ key, value }) => key === 'method' && /^(?:auto|dhcp)$/.test(value)),
  );
}

/** Whether a profile has a default route. */
function hasDefaultRoute({ sections }: Profile): boolean {
  return sections.some(({ settings }) =>
    settings.some(
      ({ key, value }) => key === 'gateway' || (/^route\d*$/.test(key) && /^(?:0\.0\.0\.0|::)\/0\b/.test(value)),
    ),
  );
}

/** The planned node of a host, for the check of its requests; undefined if its name is unknown. */
export function plannedNode(host: ExpectedHost, nodes: readonly KubeObject[]): PlannedNode | undefined {
  const { nodeName, addresses, dynamicVersions } = host;
  if (nodeName !== undefined) return { name: nodeName, addresses, dynamicVersions };
  // Only the node itself claims to have the typed address.
  const node = nodes.find((one) => isNodeOf(host, one));
  return node && { name: nameOf(node), addresses: [] };
}

/** Whether a node is the host: by its exact name if that is known, else by an internal address. */
export function isNodeOf(host: ExpectedHost, node: KubeObject): boolean {
  if (host.nodeName !== undefined) return nameOf(node) === host.nodeName;
  return objectsOf(node, 'status', 'addresses').some((entry) => {
    const address = canonicalAddress(textOf(entry, 'address'));
    return textOf(entry, 'type') === 'InternalIP' && address !== undefined && host.addresses.includes(address);
  });
}
