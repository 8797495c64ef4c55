import type { BaseInterface, Interface, InterfaceIpv4, InterfaceIpv6 } from '../generated/types.ts';
import type { OpenProfile, OpenSection } from '../keyfile/open-profile.ts';
import { isAutomatic } from '../plan/ip.ts';
import type { Family, PlannedDns, PlannedInterface } from '../plan/planned-interfaces.ts';
import type { Findings } from '../table/state-findings.ts';
import { writeRouteRules, writeRoutes } from './routes.ts';

/** NetworkManager's value for no time-out: a machine that boots before its network must not give up on DHCP. */
const FOREVER = 2_147_483_647;

/** Disables both families, as on the other end of a virtual cable. */
export function writeDisabledIp(profile: OpenProfile): void {
  profile.section('ipv4').set('dhcp-timeout', FOREVER).set('method', 'disabled');
  profile.section('ipv6').set('addr-gen-mode', 0).set('dhcp-timeout', FOREVER).set('method', 'disabled');
}

const CLIENT_IDS: ReadonlyMap<string, string> = new Map([
  ['ll', 'mac'],
  ['iaid+duid', 'duid'],
]);
const ADDRESS_MODES: ReadonlyMap<string, number> = new Map([
  ['eui64', 0],
  ['stable-privacy', 1],
]);

export function writeIp(profile: OpenProfile, iface: Interface, planned: PlannedInterface, findings: Findings): void {
  const ipv4 = profile.section('ipv4').set('dhcp-timeout', FOREVER);
  const ipv6 = profile.section('ipv6').set('dhcp-timeout', FOREVER);
  if (iface.ipv4 === undefined) ipv4.set('method', 'disabled');
  else writeIpv4(ipv4, iface.ipv4, planned, findings);
  if (iface.ipv6 === undefined) ipv6.set('method', 'disabled');
  else writeIpv6(ipv6, iface.ipv6, planned, findings);
  writeWaitIp(ipv4, ipv6, iface['wait-ip']);
}

function writeIpv4(section: OpenSection, ip: InterfaceIpv4, planned: PlannedInterface, findings: Findings): void {
  const isAuto = isAutomatic('ipv4', ip);
  const hasRoutes = ip.enabled === true && writeRoutes(section, planned.routes, 'ipv4') > 0;
  const addresses = writeAddresses(section, ip);
  if (isAuto) section.set('method', 'auto');
  else section.set('method', ip.enabled === true && (addresses > 0 || hasRoutes) ? 'manual' : 'disabled');
  section.setDigit('forwarding', ip.forwarding).set('route-metric', ip['prefix-route-metric']);
  if (isAuto) {
    writeAutomatic(section, ip);
    const clientId = ip['dhcp-client-id'] ?? 'll';
    section.set('dhcp-client-id', CLIENT_IDS.get(clientId) ?? clientId);
    const hostname = ip['dhcp-custom-hostname'];
    section.set(hostname?.includes('.') ? 'dhcp-fqdn' : 'dhcp-hostname', hostname);
  }
  writeAssigned(section, planned, 'ipv4', findings);
}

function writeIpv6(section: OpenSection, ip: InterfaceIpv6, planned: PlannedInterface, findings: Findings): void {
  const isAuto = isAutomatic('ipv6', ip);
  const hasRoutes = ip.enabled === true && writeRoutes(section, planned.routes, 'ipv6') > 0;
  const addresses = writeAddresses(section, ip);
  const mode = ip['addr-gen-mode'] ?? 'eui64';
  section.set('method', ipv6Method(ip, planned, addresses > 0 || hasRoutes, findings));
  section.set('addr-gen-mode', ADDRESS_MODES.get(mode) ?? decimal(mode));
  if (isAuto) {
    writeAutomatic(section, ip);
    section
      .set('ra-timeout', FOREVER)
      .set('dhcp-duid', ip['dhcp-duid'] ?? 'll')
      .set('dhcp-iaid', 'mac');
    section.set('dhcp-hostname', ip['dhcp-custom-hostname']);
    if (ip.token !== '::') section.set('token', ip.token);
  }
  writeAssigned(section, planned, 'ipv6', findings);
}

function ipv6Method(ip: InterfaceIpv6, { merged }: PlannedInterface, isStatic: boolean, findings: Findings): string {
  // As in NetworkManager's own loopback profile; a disabled family binds no address.
  if (ip.enabled !== true) return merged.type === 'loopback' ? 'auto' : 'disabled';
  if (ip.dhcp === true) return ip.autoconf === true ? 'auto' : 'dhcp';
  if (ip.autoconf === true)
    findings.at('ipv6', 'autoconf').notImplemented('Autoconf without DHCP is not supported yet', 'Add `dhcp: true`.');
  return isStatic ? 'manual' : 'link-local';
}

function writeAddresses(section: OpenSection, { address = [] }: InterfaceIpv4 | InterfaceIpv6): number {
  address.forEach((entry, index) => {
    section.set(`address${index}`, `${entry.ip}/${entry['prefix-length']}`);
  });
  return address.length;
}

function writeAutomatic(section: OpenSection, ip: InterfaceIpv4 | InterfaceIpv6): void {
  section
    .set('ignore-auto-dns', ip['auto-dns'] === false)
    .set('ignore-auto-routes', ip['auto-routes'] === false)
    .set('never-default', ip['auto-gateway'] === false)
    .set('route-table', ip['auto-route-table-id'])
    .set('route-metric', ip['auto-route-metric'])
    .set('dhcp-send-hostname', ip['dhcp-send-hostname'] !== false);
}

/** Writes the rules and the DNS that the plan assigned to the interface. */
function writeAssigned(section: OpenSection, planned: PlannedInterface, family: Family, findings: Findings): void {
  writeRouteRules(section, planned.rules[family], family, findings);
  writeDns(section, planned.dns[family]);
}

function writeDns(section: OpenSection, dns: PlannedDns | undefined): void {
  if (dns === undefined) return;
  section
    .setList('dns', dns.servers)
    .setList('dns-search', dns.searches)
    .setList('dns-options', dns.options)
    .set('dns-priority', dns.priority);
}

function writeWaitIp(ipv4: OpenSection, ipv6: OpenSection, wait: BaseInterface['wait-ip']): void {
  if (wait === undefined) return;
  ipv4.set('may-fail', wait === 'any' || wait === 'ipv6');
  ipv6.set('may-fail', wait === 'any' || wait === 'ipv4');
}

function decimal(text: string): number {
  return /^[+-]?[0-9]{1,10}$/.test(text) && Math.abs(Number(text)) <= FOREVER ? Number(text) : 0;
}
