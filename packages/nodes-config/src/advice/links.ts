// Compares links of new hosts with those of the cluster: packet sizes, VLANs, address families.
import { cidrContains, parseAddress, parseCidr } from '@coreiso/peers/ip';
import type { NodeNetwork } from '../facts/facts.ts';
import type { HostAddress } from '../rules/host-network.ts';
import type { Finding } from './advice.ts';
import type { HostView } from './host-view.ts';
import { joinNames, type Surroundings } from './surroundings.ts';

/** Bytes that the tunnel between nodes adds to a packet between pods: Geneve over UDP. */
const OVERHEAD: Readonly<Record<string, number>> = { OVNKubernetes: 100, OpenShiftSDN: 50 };
const ETHERNET_MTU = 1500;

export function adviseLinks(around: Surroundings): Finding[] {
  const networks = (around.facts.nodes ?? []).flatMap((node) => node.networks ?? []);
  return around.hosts.flatMap((host) => [
    ...smallPackets(host, around),
    ...host.addresses.flatMap((address) => otherLink(host, address, networks)),
    ...missingFamilies(host, around),
  ]);
}

/** The link that carries the traffic between nodes: the one in the machine network, or the only one. */
function nodeLink({ addresses }: HostView, { facts }: Surroundings): HostAddress | undefined {
  const networks = (facts.machineNetworks ?? []).map(parseCidr);
  const local = addresses.find(({ address }) => networks.some((network) => network && cidrContains(network, address)));
  return local ?? (new Set(addresses.map(({ link }) => link)).size === 1 ? addresses[0] : undefined);
}

function smallPackets(host: HostView, around: Surroundings): Finding[] {
  const { clusterNetworkMtu, networkType = '' } = around.facts;
  const overhead = OVERHEAD[networkType];
  const link = nodeLink(host, around);
  if (clusterNetworkMtu === undefined || overhead === undefined || link === undefined) return [];
  const needed = clusterNetworkMtu + overhead;
  const { mtu = ETHERNET_MTU } = link;
  if (mtu >= needed) return [];
  return [
    {
      severity: 'warning',
      code: 'small-mtu',
      message: `${link.link} of ${host.name} has an MTU of ${mtu}, and pods of this cluster send up to ${clusterNetworkMtu} + ${overhead} bytes: large packets to and from ${host.name} are lost`,
      path: link.path.slice(0, -4),
      help: `Set its mtu, and that of the interfaces below it, to ${needed}; the path to the other nodes has to carry that, too.`,
      manifests: [],
    },
  ];
}

/** The nodes' links in the same network. */
function otherLink({ name }: HostView, own: HostAddress, networks: readonly NodeNetwork[]): Finding[] {
  const peers = networks.filter(({ address }) => {
    const network = parseCidr(address);
    return network !== undefined && cidrContains(network, own.address);
  });
  const path = own.path.slice(0, -4);
  const found: Finding[] = [];
  const vlans = new Set(peers.flatMap(({ vlan }) => (vlan === undefined ? [] : [vlan])));
  if (vlans.size > 0 && !vlans.has(own.vlan)) {
    const [theirs = 0] = vlans;
    found.push({
      severity: 'warning',
      code: 'other-vlan',
      message: `${name} has ${own.text} ${vlanText(own.vlan)}, and nodes in the same network are ${vlanText(theirs)}`,
      path,
      help:
        theirs === 0
          ? 'Give the address to the interface below the VLAN, unless its switch port removes tags.'
          : `Give the address to a VLAN interface with id ${theirs}, unless its switch port adds tags.`,
      manifests: [],
    });
  }
  const mtus = new Set(peers.flatMap(({ mtu }) => (mtu === undefined ? [] : [mtu])));
  const mtu = own.mtu ?? ETHERNET_MTU;
  if (mtus.size > 0 && !mtus.has(mtu)) {
    found.push({
      severity: 'warning',
      code: 'other-mtu',
      message: `${own.link} of ${name} has an MTU of ${mtu}, and nodes in the same network have ${joinNames([...mtus].map(String))}`,
      path,
      help: `Set its mtu to ${joinNames([...mtus].map(String))}.`,
      manifests: [],
    });
  }
  return found;
}

function vlanText(id: number): string {
  return id === 0 ? 'without a VLAN' : `on VLAN ${id}`;
}

/** Reports missing families: nodes of one cluster need addresses of the same families. */
function missingFamilies({ name, networkPath, addresses, dynamic }: HostView, around: Surroundings): Finding[] {
  if (addresses.length === 0) return [];
  const { nodes = [] } = around.facts;
  const wanted = new Set(around.addressesOf(nodes).flatMap((text) => parseAddress(text)?.version ?? []));
  const own = new Set([...addresses.map(({ address }) => address.version), ...dynamic]);
  return [...wanted]
    .filter((version) => !own.has(version))
    .map((version) => ({
      severity: 'warning',
      code: 'missing-family',
      message: `the nodes of the cluster have IPv${version} addresses, and ${name} has none`,
      path: networkPath,
      help: `Give it an IPv${version} address in its networkConfig.`,
      manifests: [],
    }));
}
