import { writeFields } from '../keyfile/write-fields.ts';
import type { Report } from '../plan/report.ts';
import { remembered } from '../remembered.ts';
import type {
  BridgePortVlanConfig,
  LinuxBridgeInterface,
  LinuxBridgeOptions,
  LinuxBridgeStpOptions,
} from '../state/generated/types.ts';
import { linuxBridgeOptions, linuxBridgePort, stpOptions } from '../state/tables/linux-bridge.ts';
import { checkPortVlan, rangeText, trunkRange } from './bridge-vlan.ts';
import { type InterfaceKind, withoutFirst } from './kind.ts';
import type { Profile } from './profile.ts';

const STP_RANGES = [
  ['hello-time', 'hello time', 1, 10],
  ['max-age', 'max age', 6, 40],
  ['forward-delay', 'forward delay', 2, 30],
] as const;

export const linuxBridge: InterfaceKind<LinuxBridgeInterface> = {
  connectionType: 'bridge',
  isController: true,
  ports: (iface) => iface.bridge?.port?.map(({ name }, index) => ({ name, at: ['bridge', 'port', index, 'name'] })),
  withoutPorts(iface, names) {
    const port = iface.bridge?.port && withoutFirst(iface.bridge.port, names, ({ name }) => name);
    return port === undefined ? iface : { ...iface, bridge: { ...iface.bridge, port } };
  },
  sanitise(iface, report) {
    const options = iface.bridge?.options;
    const at = report.at('bridge', 'options');
    if (options !== undefined) {
      checkDefaultPvid(iface, at.at('vlan-default-pvid'));
      checkForwardMask(iface.name, options, at.at('group-fwd-mask'));
      if (options.stp !== undefined) checkStp(options.stp, at.at('stp'));
    }
    const ports = iface.bridge?.port ?? [];
    ports.forEach(({ vlan }, index) => {
      if (vlan !== undefined) checkPortVlan(vlan, report.at('bridge', 'port', index, 'vlan'), { asIds: true });
    });
    return iface;
  },
  write(profile, iface) {
    const section = profile.section('bridge');
    const { options, port } = iface.bridge ?? {};
    if (port !== undefined) section.set('vlan-filtering', filtersVlans(iface));
    if (options === undefined) return;
    writeFields(section, linuxBridgeOptions, options);
    if (options.stp !== undefined) writeFields(section, stpOptions, options.stp);
    section.set('group-forward-mask', options['group-forward-mask'] ?? options['group-fwd-mask']);
    section.set('group-address', decimalBytes(options['group-addr']));
    section.set('vlan-protocol', options['vlan-protocol']?.replace('q', 'Q'));
  },
};

/** The section of a port, as its bridge describes it. */
export function writeBridgePort(profile: Profile, controller: LinuxBridgeInterface, name: string): void {
  const port = portSettings(controller).get(name);
  if (port === undefined) return;
  const section = profile.section('bridge-port');
  writeFields(section, linuxBridgePort, port);
  if (port.vlan !== undefined) section.set('vlans', vlansText(port.vlan));
}

/** Of two entries of one name the first counts. */
const portSettings = remembered((controller: LinuxBridgeInterface) => {
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

function filtersVlans(iface: LinuxBridgeInterface): boolean {
  const ports = iface.bridge?.port ?? [];
  return ports.some(({ vlan }) => vlan !== undefined && Object.keys(vlan).length > 0);
}

function checkDefaultPvid(iface: LinuxBridgeInterface, report: Report): void {
  const pvid = iface.bridge?.options?.['vlan-default-pvid'];
  if (pvid === undefined || pvid === 1 || filtersVlans(iface)) return;
  report.invalid(
    `Linux bridge ${iface.name} has vlan-default-pvid different than 1 but VLAN filtering is not enabled.`,
    'Give a port a `vlan` map, which turns filtering on.',
  );
}

function checkForwardMask(name: string, options: LinuxBridgeOptions, report: Report): void {
  const { 'group-forward-mask': long, 'group-fwd-mask': short } = options;
  if (long === undefined || short === undefined || long === short) return;
  report.invalid(
    `Linux bridge ${name} has different group_forward_mask: ${long}, group_fwd_mask: ${short}, these two property is the same, hence conflicting`,
    'Keep one of the two.',
  );
}

function checkStp(stp: LinuxBridgeStpOptions, report: Report): void {
  for (const [key, words, lowest, highest] of STP_RANGES) {
    const value = stp[key];
    if (value !== undefined && (value < lowest || value > highest)) {
      report.at(key).invalid(`Desired STP ${words} ${value} is not in the range of [${lowest},${highest}]`);
    }
  }
}

/** `01:80:C2:00:00:04` becomes `1;128;194;0;0;4`; anything but bytes in hexadecimal is left out. */
function decimalBytes(mac: string | undefined): string | undefined {
  const bytes = mac?.split(':');
  if (bytes === undefined || !bytes.every((byte) => /^\+?0*[0-9a-fA-F]{1,2}$/.test(byte))) return undefined;
  return bytes.map((byte) => Number.parseInt(byte, 16)).join(';');
}
