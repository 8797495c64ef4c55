import type { LinuxBridgeInterface, LinuxBridgeOptions, LinuxBridgeStpOptions } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import {
  bool,
  inside,
  listOf,
  oneOf,
  type Section,
  type SpecialType,
  strictBool,
  strictU16,
  strictU64,
  text,
  u8,
  u16,
  u32,
  u64,
} from '../table/table.ts';
import { checkPortVlan, portVlan } from './bridge-vlan.ts';
import { type InterfaceKind, withoutFirst } from './kind.ts';

const MULTICAST_ROUTER = ['disabled', 'auto', 'enabled'] as const;
const MULTICAST_ROUTER_WORDS = '0|1|2 or auto|disabled|enabled';

/** A number or a name, but not a number in quotes. */
const multicastRouter: SpecialType = {
  kind: 'special',
  typescript: "'disabled' | 'auto' | 'enabled'",
  schema: {
    anyOf: [
      { enum: [0, 1, 2] },
      { type: 'string', pattern: '^([aA][uU][tT][oO]|[dD][iI][sS][aA][bB][lL][eE][dD]|[eE][nN][aA][bB][lL][eE][dD])$' },
    ],
  },
  read(node, reader) {
    const value = reader.scalar(node);
    if (typeof value !== 'string' && (typeof value !== 'bigint' || value < 0n)) {
      return reader.wrongType(node, 'disabled, auto or enabled', `integer 0|1|2 or string auto|disabled|enabled`);
    }
    const chosen =
      typeof value === 'bigint'
        ? MULTICAST_ROUTER[Number(value)]
        : MULTICAST_ROUTER.find((word) => word === value.toLowerCase());
    if (chosen !== undefined) return chosen;
    const upstream = `InvalidArgument: Invalid linux bridge multicast_router type ${value}, expecting ${MULTICAST_ROUTER_WORDS}`;
    return reader.refuse(node, 'unknown-value', `\`${value}\` is not one of disabled, auto, enabled`, upstream);
  },
};

export const stpOptions: Section = {
  name: 'LinuxBridgeStpOptions',
  doc: 'Spanning tree protocol.',
  unknownKeys: 'refused',
  fields: {
    /** Whether the bridge takes part in the spanning tree. */
    enabled: { type: bool, key: 'stp' },
    /** Seconds in the listening and learning states, 2 to 30. */
    'forward-delay': { type: u8, key: 'forward-delay' },
    /** Seconds between hello packets, 1 to 10. */
    'hello-time': { type: u8, key: 'hello-time' },
    /** Seconds until a silent root is forgotten, 6 to 40. */
    'max-age': { type: u8, key: 'max-age' },
    /** Lower values become root. */
    priority: { type: u16, key: 'priority' },
  },
};

export const linuxBridgeOptions: Section = {
  name: 'LinuxBridgeOptions',
  doc: 'Options of a Linux bridge.',
  unknownKeys: 'refused',
  fields: {
    /** Read-only. */
    'gc-timer': { type: strictU64, unused: true },
    /** Multicast MAC address of the bridge, for STP. */
    'group-addr': { type: text },
    /** The same as `group-fwd-mask`. */
    'group-forward-mask': { type: u16 },
    /** Link-local group addresses that are forwarded. */
    'group-fwd-mask': { type: u16 },
    /** Size of the multicast table. */
    'hash-max': { type: u32, key: 'multicast-hash-max' },
    /** Read-only. */
    'hello-timer': { type: strictU64, unused: true },
    /** Seconds until a learned address is forgotten. */
    'mac-ageing-time': { type: u32, key: 'ageing-time' },
    /** Queries before a group is left. */
    'multicast-last-member-count': {
      type: u32,
      key: 'multicast-last-member-count',
    },
    /** Time between those queries, in hundredths of a second. */
    'multicast-last-member-interval': {
      type: u64,
      key: 'multicast-last-member-interval',
    },
    /** Time until a silent member is forgotten, in hundredths of a second. */
    'multicast-membership-interval': {
      type: u64,
      key: 'multicast-membership-interval',
    },
    /** Whether the bridge asks for members itself. */
    'multicast-querier': { type: bool, key: 'multicast-querier' },
    /** Time until another querier counts as gone, in hundredths of a second. */
    'multicast-querier-interval': {
      type: u64,
      key: 'multicast-querier-interval',
    },
    /** Time between queries, in hundredths of a second. */
    'multicast-query-interval': {
      type: u64,
      key: 'multicast-query-interval',
    },
    /** Time to answer a query, in hundredths of a second. */
    'multicast-query-response-interval': {
      type: u64,
      key: 'multicast-query-response-interval',
    },
    /** Whether queries carry the address of the bridge. */
    'multicast-query-use-ifaddr': {
      type: bool,
      key: 'multicast-query-use-ifaddr',
    },
    /** Whether the bridge counts as multicast router. */
    'multicast-router': {
      type: multicastRouter,
      nullable: false,
      key: 'multicast-router',
    },
    /** Whether multicast goes to members only. */
    'multicast-snooping': { type: bool, key: 'multicast-snooping' },
    /** Queries at start-up. */
    'multicast-startup-query-count': { type: u32, key: 'multicast-startup-query-count' },
    /** Time between those queries, in hundredths of a second. */
    'multicast-startup-query-interval': {
      type: u64,
      key: 'multicast-startup-query-interval',
    },
    /** Spanning tree protocol. */
    stp: { type: inside(stpOptions) },
    /** Protocol of VLAN filtering. */
    'vlan-protocol': { type: oneOf('802.1q', '802.1ad') },
    /** VLAN of untagged frames. */
    'vlan-default-pvid': { type: strictU16, key: 'vlan-default-pvid' },
  },
};

export const linuxBridgePort: Section = {
  name: 'LinuxBridgePortConfig',
  doc: 'One port of a Linux bridge.',
  unknownKeys: 'refused',
  fields: {
    name: { type: text, required: true, names: 'port', doc: 'Name of the port.' },
    /** Whether frames may leave through the port they came from. */
    'stp-hairpin-mode': {
      type: bool,
      key: 'hairpin-mode',
    },
    /** Cost of the port in the spanning tree. */
    'stp-path-cost': { type: u32, key: 'path-cost' },
    /** Priority of the port in the spanning tree. */
    'stp-priority': { type: u16, key: 'priority' },
    /** VLANs of the port. */
    vlan: portVlan,
  },
};

const linuxBridgeConfig: Section = {
  name: 'LinuxBridgeConfig',
  doc: 'Options and ports of a Linux bridge.',
  unknownKeys: 'refused',
  fields: {
    /** Only meant for applying a state to a running host. */
    'allow-extra-ports': { type: strictBool, unused: true },
    /** Options of the bridge. */
    options: { type: inside(linuxBridgeOptions) },
    /** Ports of the bridge. */
    port: { type: listOf(inside(linuxBridgePort)), aliases: ['ports'] },
  },
};

const STP_RANGES = [
  ['hello-time', 'hello time', 1, 10],
  ['max-age', 'max age', 6, 40],
  ['forward-delay', 'forward delay', 2, 30],
] as const;

export const linuxBridge: InterfaceKind<LinuxBridgeInterface> = {
  name: 'LinuxBridgeInterface',
  doc: 'A bridge of the kernel.',
  fields: {
    /** Options and ports of the bridge. */
    bridge: { type: inside(linuxBridgeConfig) },
  },
  connectionType: 'bridge',
  isController: true,
  ports: (iface) => iface.bridge?.port?.map(({ name }, index) => ({ name, at: ['bridge', 'port', index, 'name'] })),
  withoutPorts(iface, names) {
    const port = iface.bridge?.port && withoutFirst(iface.bridge.port, names, ({ name }) => name);
    return port === undefined ? iface : { ...iface, bridge: { ...iface.bridge, port } };
  },
  sanitise(iface, findings) {
    const options = iface.bridge?.options;
    const at = findings.at('bridge', 'options');
    if (options !== undefined) {
      checkDefaultPvid(iface, at.at('vlan-default-pvid'));
      checkForwardMask(iface.name, options, at.at('group-fwd-mask'));
      if (options.stp !== undefined) checkStp(options.stp, at.at('stp'));
    }
    const ports = iface.bridge?.port ?? [];
    ports.forEach(({ vlan }, index) => {
      if (vlan !== undefined) checkPortVlan(vlan, findings.at('bridge', 'port', index, 'vlan'), { asIds: true });
    });
    return iface;
  },
};

/** Whether a port has VLAN settings, which turn filtering on. */
export function filtersVlans(iface: LinuxBridgeInterface): boolean {
  const ports = iface.bridge?.port ?? [];
  return ports.some(({ vlan }) => vlan !== undefined && Object.keys(vlan).length > 0);
}

function checkDefaultPvid(iface: LinuxBridgeInterface, findings: Findings): void {
  const pvid = iface.bridge?.options?.['vlan-default-pvid'];
  if (pvid === undefined || pvid === 1 || filtersVlans(iface)) return;
  findings.invalid(
    `Linux bridge ${iface.name} has vlan-default-pvid different than 1 but VLAN filtering is not enabled.`,
    'Give a port a `vlan` map, which turns filtering on.',
  );
}

function checkForwardMask(name: string, options: LinuxBridgeOptions, findings: Findings): void {
  const { 'group-forward-mask': long, 'group-fwd-mask': short } = options;
  if (long === undefined || short === undefined || long === short) return;
  findings.invalid(
    `Linux bridge ${name} has different group_forward_mask: ${long}, group_fwd_mask: ${short}, these two property is the same, hence conflicting`,
    'Keep one of the two.',
  );
}

function checkStp(stp: LinuxBridgeStpOptions, findings: Findings): void {
  for (const [key, words, lowest, highest] of STP_RANGES) {
    const value = stp[key];
    if (value !== undefined && (value < lowest || value > highest)) {
      findings.at(key).invalid(`Desired STP ${words} ${value} is not in the range of [${lowest},${highest}]`);
    }
  }
}
