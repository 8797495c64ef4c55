// Checks networks of the cluster: each one alone, against each other, and by family.

import { type Cidr, cidrContains, formatAddress, formatCidr, networkOf } from '@coreiso/peers/ip';
import type { InstallConfigValues } from '../../generated/values.ts';
import { invalid } from '../../text/field-errors.ts';
import { fixedNetwork } from '../defaults.ts';
import { activePlatform, type NetworkingValues } from '../install-config-table.ts';
import type { RuleFindings } from './rule-findings.ts';

type Family = 4 | 6;

/** The families in each list of networks, in the order of the lists' names. */
export interface Families {
  readonly isDual: boolean;
  readonly lists: readonly { readonly name: string; readonly networks: readonly Cidr[] }[];
}

type Path = readonly (string | number)[];

export function familiesOf(networking: NetworkingValues): Families {
  const services = networking.serviceNetwork.map(({ address }) => address.version);
  return {
    isDual: services.includes(4) && services.includes(6),
    lists: [
      { name: 'clusterNetwork', networks: networking.clusterNetwork.flatMap(({ cidr }) => cidr ?? []) },
      { name: 'machineNetwork', networks: networking.machineNetwork.flatMap(({ cidr }) => cidr ?? []) },
      { name: 'serviceNetwork', networks: networking.serviceNetwork },
    ],
  };
}

export function overlap(a: Cidr, b: Cidr): boolean {
  return cidrContains(a, b.address) || cidrContains(b, a.address);
}

const DOCKER_BRIDGE = fixedNetwork('172.17.0.0/16');

/** Networks that OVN-Kubernetes reserves. */
const OVN_SUBNETS = (['4', '6'] as const).map((family) => ({
  family: Number(family),
  join: fixedNetwork(family === '4' ? '100.64.0.0/16' : 'fd98::/64'),
  transit: fixedNetwork(family === '4' ? '100.88.0.0/16' : 'fd97::/64'),
  masquerade: fixedNetwork(family === '4' ? '169.254.0.0/17' : 'fd69::/112'),
}));

/** Plugins that give every machine a part of the cluster network. */
const USING_HOST_PREFIX: ReadonlySet<string> = new Set(['OVNKubernetes']);

export class NetworkRules {
  readonly #networking: NetworkingValues;
  readonly #findings: RuleFindings;

  constructor(networking: NetworkingValues, findings: RuleFindings) {
    this.#networking = networking;
    this.#findings = findings;
  }

  check(config: InstallConfigValues): void {
    this.#checkType();
    this.#checkMachineNetworks();
    this.#checkServiceNetworks();
    this.#checkClusterNetworks();
    this.#checkFamilies(config);
    const { clusterNetworkMTU } = this.#networking;
    if (clusterNetworkMTU !== 0 && activePlatform(config.platform) !== 'aws') {
      const detail = 'cluster network MTU is allowed only in AWS deployments';
      this.#refuse(['clusterNetworkMTU'], clusterNetworkMTU, detail, 'Remove it.');
    }
  }

  #refuse(path: Path, value: string | number, detail: string, help: string): void {
    const whole = ['networking', ...path];
    this.#findings.error('network', invalid(whole, value, detail), whole, help);
  }

  #checkType(): void {
    const { networkType } = this.#networking;
    const path = ['networkType'];
    const help = 'Write OVNKubernetes.';
    const type = networkType.toLowerCase();
    if (type === 'kuryr') {
      this.#refuse(path, networkType, 'networkType Kuryr is not supported on OpenShift later than 4.14', help);
    } else if (type === 'openshiftsdn') {
      const detail = 'networkType OpenShiftSDN is not supported, please use OVNKubernetes';
      this.#refuse(path, networkType, detail, help);
    }
  }

  #checkMachineNetworks(): void {
    const networks = this.#networking.machineNetwork.map(({ cidr }) => cidr);
    for (const [index, network] of networks.entries()) {
      const path = ['machineNetwork', index];
      if (network === undefined || !this.#checkAddress(network, path, path)) continue;
      this.#checkReserved(network, path);
      this.#checkEarlier(network, networks.slice(0, index), path, 'machine');
    }
  }

  #checkServiceNetworks(): void {
    const { serviceNetwork } = this.#networking;
    for (const [index, network] of serviceNetwork.entries()) {
      const path = ['serviceNetwork', index];
      if (!this.#checkAddress(network, path, path)) continue;
      const size = serviceSizeProblem(network);
      if (size !== undefined) {
        this.#refuse(path, formatCidr(network), size, 'Take a longer prefix.');
        continue;
      }
      this.#checkReserved(network, path);
      this.#checkMachines(network, path, 'service');
      this.#checkEarlier(network, serviceNetwork.slice(0, index), path, 'service');
    }
  }

  #checkClusterNetworks(): void {
    const { clusterNetwork, serviceNetwork, networkType } = this.#networking;
    for (const [index, { cidr: network, hostPrefix }] of clusterNetwork.entries()) {
      const path = ['clusterNetwork', index, 'cidr'];
      // Upstream names the entry twice in this warning.
      if (network === undefined || !this.#checkAddress(network, path, ['clusterNetwork', index, index])) continue;
      this.#checkReserved(network, path);
      this.#checkMachines(network, path, 'cluster');
      for (const [other, service] of serviceNetwork.entries()) {
        if (!overlap(network, service)) continue;
        const detail = `cluster network must not overlap with service network ${other}`;
        this.#refuse(path, formatCidr(network), detail, 'Choose another network.');
      }
      const before = clusterNetwork.slice(0, index);
      this.#checkEarlier(
        network,
        before.map(({ cidr }) => cidr),
        path,
        'cluster',
      );
      if (USING_HOST_PREFIX.has(networkType) || hostPrefix !== 0) this.#checkHostPrefix(index, network, hostPrefix);
    }
  }

  #checkHostPrefix(index: number, network: Cidr, hostPrefix: number): void {
    const refuse = (detail: string, help: string): void =>
      this.#refuse(['clusterNetwork', index, 'hostPrefix'], hostPrefix, detail, help);
    const isIpv4 = network.address.version === 4;
    const before = this.#networking.clusterNetwork.slice(0, index);
    if (hostPrefix < 0) refuse('hostPrefix must be positive', 'Write 23.');
    else if (hostPrefix < network.prefixLength) {
      const detail = `cluster network host subnetwork prefix must not be larger size than CIDR ${formatCidr(network)}`;
      const help = `Write a number from ${network.prefixLength} to ${isIpv4 ? 25 : 64}: each machine gets a part of the network.`;
      refuse(detail, help);
    } else if (isIpv4) {
      if (before.some(({ cidr, hostPrefix: other }) => cidr?.address.version === 4 && other !== hostPrefix)) {
        const detail = 'cluster network host subnetwork prefix must be the same value for IPv4 networks';
        refuse(detail, 'Write the same number for all.');
      }
    } else if (hostPrefix !== 64) {
      refuse('cluster network host subnetwork prefix must be 64 for IPv6 networks', 'Write 64.');
    }
  }

  /** Whether the network has no host bits; a network with host bits gets no other finding. */
  #checkAddress(network: Cidr, path: Path, warningPath: Path): boolean {
    const text = formatCidr(network);
    const fault = addressFault(network);
    if (fault !== undefined) {
      this.#refuse(path, text, fault.detail, fault.help);
      return false;
    }
    if (overlap(network, DOCKER_BRIDGE)) {
      const where = warningPath.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
      const message = `networking${where}: ${text} overlaps with default Docker Bridge subnet`;
      this.#findings.warning('network', message, ['networking', ...path], 'Choose another network if you can.');
    }
    return true;
  }

  #checkReserved(network: Cidr, path: Path): void {
    const { networkType, ovnKubernetesConfig } = this.#networking;
    if (networkType.toLowerCase() !== 'ovnkubernetes') return;
    const subnets = OVN_SUBNETS.find(({ family }) => family === network.address.version);
    if (subnets === undefined) return;
    const isIpv4 = network.address.version === 4;
    const ownJoin = isIpv4 && ovnKubernetesConfig?.ipv4?.internalJoinSubnet !== undefined;
    const explain = `: please run 'openshift-install explain installconfig.networking.ovnKubernetesConfig.ipv${subnets.family}' for further documentation`;
    const reserved = [
      ...(ownJoin ? [] : [{ title: 'internal', subnet: subnets.join, hint: explain }]),
      { title: 'transit', subnet: subnets.transit, hint: '' },
      { title: 'masquerade', subnet: subnets.masquerade, hint: '' },
    ];
    for (const { title, subnet, hint } of reserved) {
      if (!overlap(network, subnet)) continue;
      const detail = `must not overlap with OVNKubernetes default ${title} subnet ${formatCidr(subnet)}${hint}`;
      const help =
        title === 'internal' && isIpv4
          ? 'Choose another network, or set `ovnKubernetesConfig.ipv4.internalJoinSubnet`.'
          : 'Choose another network.';
      this.#refuse(path, formatCidr(network), detail, help);
    }
  }

  #checkMachines(network: Cidr, path: Path, kind: string): void {
    for (const { cidr } of this.#networking.machineNetwork) {
      if (cidr === undefined || !overlap(network, cidr)) continue;
      const detail = `${kind} network must not overlap with any of the machine networks`;
      this.#refuse(path, formatCidr(network), detail, 'Choose another network.');
    }
  }

  #checkEarlier(network: Cidr, earlier: readonly (Cidr | undefined)[], path: Path, kind: string): void {
    for (const [index, other] of earlier.entries()) {
      if (other === undefined || !overlap(network, other)) continue;
      const detail = `${kind} network must not overlap with ${kind} network ${index}`;
      this.#refuse(path, formatCidr(network), detail, 'Remove one of them.');
    }
  }

  #checkFamilies({ platform }: InstallConfigValues): void {
    const { isDual, lists } = familiesOf(this.#networking);
    const services = this.#networking.serviceNetwork;
    const written = (networks: readonly Cidr[]): string => networks.map(formatCidr).join(', ');
    const active = activePlatform(platform);
    const knowsIpv6 = ['baremetal', 'vsphere', 'openstack', 'ovirt', 'nutanix', 'none', 'external'].includes(active);
    if (!isDual) {
      const isIpv6 = services.some(({ address }) => address.version === 6);
      if (isIpv6 && !knowsIpv6) {
        this.#refuse([], 'IPv6', 'single-stack IPv6 is not supported for this platform', 'Take IPv4 networks.');
      } else if (!isIpv6 && services.length > 1) {
        const detail = 'only one service network can be specified';
        this.#refuse(['serviceNetwork'], written(services), detail, 'Remove all but the first.');
      }
      return;
    }
    if (services.length !== 2) {
      const detail =
        'when installing dual-stack IPv4/IPv6 you must provide two service networks, one for each IP address type';
      this.#refuse(['serviceNetwork'], written(services), detail, 'Keep one of each family.');
    }
    if (!knowsIpv6) {
      const detail = 'dual-stack IPv4/IPv6 is not supported for this platform, specify only one type of address';
      this.#refuse([], 'DualStack', detail, 'Take networks of one family.');
    }
    const { baremetal, vsphere, openstack, ovirt, nutanix, none, external } = platform;
    const mayBeIpv6First = baremetal ?? vsphere ?? openstack ?? (ovirt || nutanix ? undefined : (none ?? external));
    for (const { name, networks } of lists) {
      const has = (family: Family): boolean => networks.some(({ address }) => address.version === family);
      for (const family of [6, 4] as const) {
        if (networks.length === 0 || has(family)) continue;
        const detail = `dual-stack IPv4/IPv6 requires an IPv${family} network in this list`;
        this.#refuse([name], written(networks), detail, `Add an IPv${family} network.`);
      }
      if (!mayBeIpv6First && has(4) && has(6) && networks[0]?.address.version === 6) {
        const detail = 'IPv4 addresses must be listed before IPv6 addresses';
        this.#refuse([name], written(networks), detail, 'Put the IPv4 network first.');
      }
    }
  }
}

function serviceSizeProblem({ address, prefixLength }: Cidr): string | undefined {
  if (address.version === 4)
    return prefixLength < 12
      ? 'subnet size for IPv4 service network must be /12 or greater (/16 is recommended)'
      : undefined;
  return prefixLength < 108 ? 'subnet size for IPv6 service network should be /112' : undefined;
}

/** Why a single network is invalid: it is missing, or has host bits. */
export function addressFault(network: Cidr): { readonly detail: string; readonly help: string } | undefined {
  const { address, prefixLength } = network;
  const start = networkOf(address, prefixLength);
  if (address.value === 0n) return { detail: 'address must be specified', help: 'Write the address of the network.' };
  if (start.value === address.value) return undefined;
  const expected = `${formatAddress(start)}/${prefixLength}`;
  return {
    detail: `invalid network address. got ${formatCidr(network)}, expecting ${expected}`,
    help: `Write ${expected}.`,
  };
}
