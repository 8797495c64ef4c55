// Why the service on the machines refuses networks of a cluster that the installer accepts
// (internal/cluster/validations and internal/network of the service).
import { addressBits, type Cidr, cidrContains, formatCidr, type IpAddress, parseAddress } from '@coreiso/peers/ip';
import type { Refusal } from './registration.ts';

/** The networks that a cluster is registered with. */
export interface RegisteredNetworks {
  readonly machineNetworks: readonly Cidr[];
  readonly clusterNetworks: readonly Cidr[];
  readonly serviceNetworks: readonly Cidr[];
  readonly apiVips: readonly string[];
  readonly ingressVips: readonly string[];
  readonly hasOwnLoadBalancer: boolean;
}

/** The name of a list of networks. */
export type NetworkList = Exclude<keyof RegisteredNetworks, 'hasOwnLoadBalancer'>;

/** A refusal, and its entry; without an entry it is about the whole list. */
export interface NetworkRefusal extends Refusal {
  readonly list: NetworkList;
  readonly index?: number;
}

/** The service's names of the lists, in the order in which it checks their first entries. */
const NAMES = {
  machineNetworks: 'machine_networks',
  apiVips: 'api_vips',
  ingressVips: 'ingress_vips',
  serviceNetworks: 'service_networks',
  clusterNetworks: 'cluster_networks',
} as const satisfies Record<NetworkList, string>;

/** The first refusal: the service reports only one. */
export function networkRefusal(networks: RegisteredNetworks): NetworkRefusal | undefined {
  return countRefusal(networks) ?? stackRefusal(networks) ?? orderRefusal(networks) ?? placeRefusal(networks);
}

function countRefusal({ apiVips, ingressVips }: RegisteredNetworks): NetworkRefusal | undefined {
  if (apiVips.length === ingressVips.length) return undefined;
  return {
    list: apiVips.length < ingressVips.length ? 'apiVips' : 'ingressVips',
    text: `configuration must include the same number of apiVIPs (got ${apiVips.length}) and ingressVIPs (got ${ingressVips.length})`,
    help: 'Give as many addresses in the one list as in the other.',
  };
}

function stackRefusal(networks: RegisteredNetworks): NetworkRefusal | undefined {
  const { machineNetworks, hasOwnLoadBalancer } = networks;
  const lists = ['machineNetworks', 'serviceNetworks', 'clusterNetworks'] as const;
  if (!lists.some((list) => families(networks[list]).size === 2)) {
    if (machineNetworks.length < 2 || hasOwnLoadBalancer) return undefined;
    return {
      list: 'machineNetworks',
      index: 1,
      text: 'Single-stack cluster cannot contain multiple Machine Networks',
      help: 'Keep one machine network, wide enough for all machines of the control plane; others need none to be listed.',
    };
  }
  for (const list of lists) {
    const own = networks[list];
    const title = NAMES[list].replace('_', ' ');
    if (own.length === 0 || (list === 'machineNetworks' && hasOwnLoadBalancer)) continue;
    if (own.length !== 2)
      return { list, text: `Expected 2 ${title}, found ${own.length}`, help: 'Keep one network of each family.' };
    const lacking = [4, 6].find((version) => !families(own).has(version));
    if (lacking === undefined) continue;
    const text = `dual-stack ${title} must include exactly one IPv${lacking} subnet`;
    return { list, text, help: `Put an IPv${lacking} network in the place of one of them.` };
  }
  for (const list of ['apiVips', 'ingressVips'] as const) {
    const own = networks[list];
    const versions = new Set(own.map((text) => parseAddress(text)?.version));
    if (own.length !== 2 || versions.size === 2) continue;
    const lacking = versions.has(4) ? 6 : 4;
    const text = `dual-stack ${NAMES[list]} must include exactly one IPv${lacking} address`;
    return { list, text, help: `Put an IPv${lacking} address in the place of one of them.` };
  }
  return undefined;
}

function families(networks: readonly Cidr[]): ReadonlySet<number> {
  return new Set(networks.map(({ address }) => address.version));
}

/** All lists have to begin with the same family. */
function orderRefusal(networks: RegisteredNetworks): NetworkRefusal | undefined {
  let leader: { readonly list: NetworkList; readonly text: string; readonly version: number } | undefined;
  for (const list of Object.keys(NAMES) as NetworkList[]) {
    const [first] = networks[list];
    if (first === undefined) continue;
    const version = typeof first === 'string' ? parseAddress(first)?.version : first.address.version;
    if (version === undefined) continue;
    const text = typeof first === 'string' ? first : formatCidr(first);
    leader ??= { list, text, version };
    if (version === leader.version) continue;
    return {
      list,
      index: 0,
      text: `Inconsistent IP family order: ${NAMES[leader.list]} first IP is ${leader.text} but ${NAMES[list]} first IP is ${text}. All networks must have the same IP family first`,
      help: `Begin all lists with IPv${leader.version}, as the first of them does.`,
    };
  }
  return undefined;
}

/**
 * Each address has to be in the machine network at its own position, or in any network with the user's own load
 * balancer.
 */
function placeRefusal(networks: RegisteredNetworks): NetworkRefusal | undefined {
  const { machineNetworks, apiVips, ingressVips, hasOwnLoadBalancer } = networks;
  if (machineNetworks.length === 0) return undefined;
  for (const index of apiVips.keys()) {
    for (const [list, title, vip = ''] of [
      ['apiVips', 'api-vip', apiVips[index]],
      ['ingressVips', 'ingress-vip', ingressVips[index]],
    ] as const) {
      const places = hasOwnLoadBalancer ? machineNetworks : machineNetworks.slice(index, index + 1);
      const faults = places.map((network) => placeFault(title, vip, network));
      if (faults.length === 0 || faults.includes(undefined)) continue;
      const words = places.map(
        (network, at) => `machine network CIDR <${formatCidr(network)}> verification failed: ${faults[at]}`,
      );
      const text = hasOwnLoadBalancer
        ? `${title} '${vip}' failed verification: none of the machine networks is satisfying the requirements, description: ${words.join('; ')}`
        : (faults[0] ?? '');
      const help = hasOwnLoadBalancer
        ? `Take an address in ${places.map(formatCidr).join(' or ')}, or add the network of ${vip} to the machine networks.`
        : `Take an address in ${places.map(formatCidr).join('')} that is not its last.`;
      return { list, index, text, help };
    }
  }
  return undefined;
}

function placeFault(title: string, vip: string, network: Cidr): string | undefined {
  const address = parseAddress(vip);
  if (address === undefined) return undefined;
  const cidr = formatCidr(network);
  if (address.version !== network.address.version || !cidrContains(network, address))
    return `${title} <${vip}> does not belong to machine-network-cidr <${cidr}>`;
  return isBroadcast(address, network)
    ? `${title} <${vip}> is the broadcast address of machine-network-cidr <${cidr}>`
    : undefined;
}

/** Only IPv4 has broadcasts. */
function isBroadcast({ version, value }: IpAddress, { prefixLength }: Cidr): boolean {
  if (version !== 4) return false;
  const hosts = (1n << BigInt(addressBits(4) - prefixLength)) - 1n;
  return (value & hosts) === hosts;
}
