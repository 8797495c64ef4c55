// Bonds and Linux bridges with the settings of their ports.
import type { BondInterface, BridgePortVlanConfig, LinuxBridgeInterface } from '../generated/types.ts';
import { bondConfig, bondOptions } from '../interfaces/bond.ts';
import { rangeText, trunkRange } from '../interfaces/bridge-vlan.ts';
import { filtersVlans, linuxBridgeOptions, linuxBridgePort, stpOptions } from '../interfaces/linux-bridge.ts';
import type { OpenProfile } from '../keyfile/open-profile.ts';
import { writeFields } from '../keyfile/write-fields.ts';
import { memoize } from '../memoize.ts';

/** The kernel's default, which nmstate leaves out. */
const DEFAULT_ARP_MISSED_MAX = 2;

export function writeBond(profile: OpenProfile, iface: BondInterface): void {
  const section = profile.section('bond');
  const config = iface['link-aggregation'];
  if (config === undefined) return;
  writeFields(section, bondConfig, config);
  const { options } = config;
  if (options === undefined) return;
  writeFields(section, bondOptions, options);
  section.set('ad_actor_system', options.ad_actor_system?.toUpperCase());
  section.set('ns_ip6_target', options.ns_ip6_target?.join(','));
  if (options.arp_missed_max !== DEFAULT_ARP_MISSED_MAX) section.set('arp_missed_max', options.arp_missed_max);
}

/** Writes the settings that a bond has for a port; a port that is not matched by name has none. */
export function writeBondPort(profile: OpenProfile, controller: BondInterface, name: string): void {
  const { priority = 0, 'queue-id': queue } = bondPorts(controller).get(name) ?? {};
  if (priority === 0 && (queue ?? 0) === 0) return;
  const section = profile.section('bond-port').set('queue-id', queue);
  if (priority !== 0) section.set('prio', priority);
}

/** The first of two entries with the same name counts. */
const bondPorts = memoize((controller: BondInterface) => {
  const configured = controller['link-aggregation']?.['ports-config'] ?? [];
  return new Map([...configured].reverse().map((port) => [port.name, port]));
});

export function writeLinuxBridge(profile: OpenProfile, iface: LinuxBridgeInterface): void {
  const section = profile.section('bridge');
  const { options, port } = iface.bridge ?? {};
  if (port !== undefined) section.set('vlan-filtering', filtersVlans(iface));
  if (options === undefined) return;
  writeFields(section, linuxBridgeOptions, options);
  if (options.stp !== undefined) writeFields(section, stpOptions, options.stp);
  section.set('group-forward-mask', options['group-forward-mask'] ?? options['group-fwd-mask']);
  section.set('group-address', decimalBytes(options['group-addr']));
  section.set('vlan-protocol', options['vlan-protocol']?.replace('q', 'Q'));
}

/** Writes the settings that a bridge has for a port. */
export function writeBridgePort(profile: OpenProfile, controller: LinuxBridgeInterface, name: string): void {
  const port = bridgePorts(controller).get(name);
  if (port === undefined) return;
  const section = profile.section('bridge-port');
  writeFields(section, linuxBridgePort, port);
  if (port.vlan !== undefined) section.set('vlans', vlansText(port.vlan));
}

/** The first of two entries with the same name counts. */
const bridgePorts = memoize((controller: LinuxBridgeInterface) => {
  return new Map([...(controller.bridge?.port ?? [])].reverse().map((port) => [port.name, port]));
});

function vlansText({ mode, tag, 'trunk-tags': tags = [] }: BridgePortVlanConfig): string {
  if (mode === undefined) return '';
  const entries = mode === 'trunk' ? tags.map((trunk) => ({ ...trunkRange(trunk), suffix: '' })) : [];
  if (tag !== undefined) entries.push({ min: tag, max: tag, suffix: ' pvid untagged' });
  return entries
    .sort((a, b) => a.min - b.min)
    .map((entry) => rangeText(entry) + entry.suffix)
    .join(',');
}

/** Converts `01:80:C2:00:00:04` to `1;128;194;0;0;4`; leaves out parts that are not hexadecimal bytes. */
function decimalBytes(mac: string | undefined): string | undefined {
  const bytes = mac?.split(':');
  if (bytes === undefined || !bytes.every((byte) => /^\+?0*[0-9a-fA-F]{1,2}$/.test(byte))) return undefined;
  return bytes.map((byte) => Number.parseInt(byte, 16)).join(';');
}
