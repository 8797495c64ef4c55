// Management controllers of bare-metal hosts, and the network that machines are provisioned through.

import { goQuote } from '@coreiso/peers/go';
import { hideUsers } from '@coreiso/peers/hidden';
import {
  addressBits,
  type Cidr,
  cidrContains,
  formatAddress,
  formatCidr,
  type IpAddress,
  networkOf,
  parseAddressAsGo,
} from '@coreiso/peers/ip';
import { duplicate, invalid, required } from '../../text/field-errors.ts';
import type { BareMetalValues } from '../install-config-table.ts';
import { subdomainProblem } from './names.ts';
import { overlap } from './networks.ts';
import { isWithin } from './platforms.ts';
import type { RuleFindings } from './rule-findings.ts';

/**
 * Checks the requirements of machines with management controllers: complete access data for all, and a suitable
 * provisioning network.
 */
export function checkProvisioning(values: BareMetalValues, machines: readonly Cidr[], findings: RuleFindings): void {
  const path = ['platform', 'baremetal'];
  const { hosts, provisioningNetwork, clusterProvisioningIP } = values;
  if (hosts.every(({ bmc }) => bmc.address === '')) return;
  const cluster = [...path, 'clusterProvisioningIP'];
  if (provisioningNetwork === 'Disabled') {
    for (const [index, { bmc }] of hosts.entries()) {
      const problem = driverProblem(bmc.address);
      const where = [...path, 'hosts', index, 'bmc'];
      if (problem !== undefined)
        findings.error(
          'bmc',
          invalid(where, hideUsers(bmc.address), problem),
          where,
          'Take an address of virtual media, such as redfish-virtualmedia://.',
        );
    }
    if (clusterProvisioningIP !== '' && !isWithin(machines, parseAddressAsGo(clusterProvisioningIP))) {
      const list = machines.map(formatCidr).join(',');
      const detail = `provisioning network is disabled, IP expected to be in one of the machine networks: ${list}`;
      findings.error(
        'provisioning',
        invalid(cluster, clusterProvisioningIP, detail),
        cluster,
        `Take an address of ${list}.`,
      );
    }
  } else {
    checkProvisioningNetwork(values, machines, findings);
  }
  checkBmcs(values, findings);
}

function checkProvisioningNetwork(values: BareMetalValues, machines: readonly Cidr[], findings: RuleFindings): void {
  const {
    provisioningNetworkCIDR: network,
    clusterProvisioningIP,
    provisioningNetwork,
    provisioningDHCPRange,
  } = values;
  if (network === undefined) return;
  const at = (name: string) => ['platform', 'baremetal', name];
  const refuse = (name: string, value: string, detail: string, help: string): void =>
    findings.error('provisioning', invalid(at(name), value, detail), at(name), help);
  const text = formatCidr(network);
  if (provisioningNetwork === 'Managed' && network.address.version === 6 && network.prefixLength < 64) {
    const detail = 'provisioningNetworkCIDR mask must be greater than or equal to 64 for IPv6 networks';
    refuse('provisioningNetworkCIDR', text, detail, 'Take a longer prefix.');
  }
  const met = machines.find((machine) => overlap(machine, network));
  if (met !== undefined) {
    // Upstream's library checks whether the ends of one network are in the other.
    const [first, second] = endsOf(met).some((end) => cidrContains(network, end)) ? [met, network] : [network, met];
    const detail = `cannot overlap with machine network: ${formatCidr(first)} overlaps with ${formatCidr(second)}`;
    refuse('provisioningNetworkCIDR', text, detail, 'Choose another network.');
  }
  if (!isWithin([network], parseAddressAsGo(clusterProvisioningIP))) {
    const detail = `${goQuote(clusterProvisioningIP)} is not in the provisioning network`;
    refuse('clusterProvisioningIP', clusterProvisioningIP, detail, `Take an address of ${text}.`);
  }
  const start = networkOf(network.address, network.prefixLength);
  if (start.value !== network.address.value) {
    const expected = `${formatAddress(start)}/${network.prefixLength}`;
    refuse(
      'provisioningNetworkCIDR',
      text,
      `provisioningNetworkCIDR has host bits set, expected ${expected}`,
      `Write ${expected}.`,
    );
  }
  const { provisioningNetworkGateway: gateway } = values;
  if (gateway !== '' && parseAddressAsGo(gateway) === undefined) {
    const help = `Write an address of ${text}.`;
    refuse('provisioningNetworkGateway', gateway, `${goQuote(gateway)} is not a valid IP`, help);
  }
  for (const server of values.additionalNTPServers) {
    if (parseAddressAsGo(server) !== undefined || subdomainProblem(server.replace(/\.$/, '')) === undefined) continue;
    refuse(
      'additionalNTPServers',
      server,
      'NTP server is not a valid IP or domain name',
      'Write an address or a name.',
    );
  }
  const dhcp = dhcpRangeFault(provisioningDHCPRange, network);
  if (dhcp !== undefined)
    refuse(
      'provisioningDHCPRange',
      provisioningDHCPRange,
      dhcp,
      `Write two addresses of ${text} with a comma between.`,
    );
  const [low, high] = provisioningDHCPRange.split(',').map((end) => parseAddressAsGo(end)?.value);
  if (dhcp !== undefined || low === undefined || high === undefined) return;
  for (const name of ['clusterProvisioningIP', 'bootstrapProvisioningIP'] as const) {
    const value = parseAddressAsGo(values[name])?.value;
    if (value === undefined || value < low || value > high) continue;
    const detail = `${goQuote(values[name])} overlaps with the allocated DHCP range`;
    refuse(name, values[name], detail, 'Take one outside the range.');
  }
}

function endsOf({ address, prefixLength }: Cidr): IpAddress[] {
  const first = networkOf(address, prefixLength);
  const size = 1n << BigInt(addressBits(address.version) - prefixLength);
  return [first, { version: first.version, value: first.value + size - 1n }];
}

function dhcpRangeFault(range: string, network: Cidr): string | undefined {
  if (range === '') return undefined;
  const ends = range.split(',');
  if (ends.length !== 2) return 'provisioning DHCP range should be in format: start_ip,end_ip';
  for (const end of ends) {
    const address = parseAddressAsGo(end);
    if (address === undefined) return `${end}: ${goQuote(end)} is not a valid IP`;
    if (!cidrContains(network, address)) return `${goQuote(end)} is not in the provisioning network`;
  }
  return undefined;
}

/**
 * The driver for each scheme of a management controller's address, and whether it needs a network of its own to boot
 * machines.
 */
const DRIVERS: Readonly<Record<string, { readonly driver: string; readonly boots: 'by network' | 'by media' }>> = {
  ipmi: { driver: 'ipmi', boots: 'by network' },
  libvirt: { driver: 'ipmi', boots: 'by network' },
  redfish: { driver: 'redfish', boots: 'by network' },
  'redfish-uefihttp': { driver: 'redfish', boots: 'by media' },
  'redfish-virtualmedia': { driver: 'redfish', boots: 'by media' },
  idrac: { driver: 'idrac', boots: 'by network' },
  'idrac-redfish': { driver: 'idrac', boots: 'by network' },
  'idrac-virtualmedia': { driver: 'idrac', boots: 'by media' },
  ilo4: { driver: 'ilo', boots: 'by network' },
  'ilo4-virtualmedia': { driver: 'ilo', boots: 'by media' },
  ilo5: { driver: 'ilo5', boots: 'by network' },
  'ilo5-redfish': { driver: 'redfish', boots: 'by network' },
  'ilo5-virtualmedia': { driver: 'redfish', boots: 'by media' },
  irmc: { driver: 'irmc', boots: 'by network' },
};

const HOST_NAME =
  /^(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9])\.)*(?:[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** Upstream's complaint about a controller that cannot boot its machine without a provisioning network. */
export function driverProblem(address: string): string | undefined {
  if (address === '') return 'missing BMC address';
  const [, scheme = 'ipmi', rest = address] = /^([A-Za-z][\w+.-]*):(?:\/\/)?(.*)$/s.exec(asUrl(address)) ?? [];
  const [, bracketed, plain = ''] = /^(?:[^/?#]*@)?(?:\[([^\]]*)\]|([^/?#:]*))/.exec(rest) ?? [];
  const host = bracketed ?? plain;
  if (host !== '' && parseAddressAsGo(host) === undefined && !HOST_NAME.test(host))
    return `failed to parse BMC address information: BMC address hostname/IP : [${host}] is invalid`;
  const known = DRIVERS[scheme.toLowerCase().replace(/\+https?$/, '')];
  if (known === undefined) return `Unknown BMC type '${scheme.toLowerCase()}' for address ${hideUsers(address)}`;
  return known.boots === 'by media' ? undefined : `driver ${known.driver} requires provisioning network`;
}

/** An address without a scheme means IPMI. */
function asUrl(address: string): string {
  return /^(?:[\d.]+|\[[^\]]*\])(?::\d+)?$/.test(address) || !address.includes(':') ? `ipmi://${address}` : address;
}

function checkBmcs({ hosts }: BareMetalValues, findings: RuleFindings): void {
  const seen = new Set<string>();
  for (const [index, { bmc }] of hosts.entries()) {
    for (const name of ['username', 'password', 'address'] as const) {
      const path = ['platform', 'baremetal', 'hosts', index, 'bmc', name];
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      if (bmc[name] === '')
        findings.error(
          'bmc',
          required(path, `missing ${title}`),
          path,
          'Give every host a complete `bmc`, or none of them.',
        );
      else if (name === 'address' && seen.has(bmc.address))
        findings.error('bmc', duplicate(path, hideUsers(bmc.address)), path, 'Every host has a controller of its own.');
    }
    if (bmc.address !== '') seen.add(bmc.address);
  }
}
