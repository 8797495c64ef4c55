import type { OvsBridgeInterface, OvsInterface } from '../generated/types.ts';
import { memoize } from '../memoize.ts';
import type { Findings } from '../table/state-findings.ts';
import {
  bool,
  inside,
  listOf,
  oneOf,
  type Section,
  type SpecialType,
  strictBool,
  strictU32,
  text,
  u32,
} from '../table/table.ts';
import { readBooleanWord } from '../table/values.ts';
import { checkPortVlan, portVlan } from './bridge-vlan.ts';
import type { InterfaceKind, PortReference } from './kind.ts';
import { stpOptions } from './linux-bridge.ts';
import { ovsDb } from './ovs-db.ts';

const STP_OPTIONS_KEYS = {
  type: 'object',
  properties: { enabled: { type: ['boolean', 'integer', 'string'] } },
} as const;

/** A boolean, a map, or text. Any text means true: `stp: no` and `stp: "false"` turn the protocol on. */
function ovsStp(options: Section): SpecialType {
  return {
    kind: 'special',
    typescript: `boolean | StateParts['${options.name}']`,
    schema: { anyOf: [{ type: 'boolean' }, { type: 'string' }, STP_OPTIONS_KEYS] },
    read(node, reader) {
      if (node.kind === 'mapping') return reader.section(options, node);
      const value = reader.scalar(node);
      if (typeof value === 'boolean') return value;
      if (typeof value === 'string') {
        const meant = readBooleanWord(value, node, reader);
        if (meant === false)
          reader.note(
            'error',
            node,
            'inverted-value',
            `nmstate reads \`stp: ${value}\` as true`,
            'Write `false`, without quotes.',
          );
        return meant === undefined ? undefined : true;
      }
      const upstream = 'Need to be boolean or map like {enabled: true}';
      return reader.refuse(node, 'wrong-type', 'expected true, false or a map with `enabled`', upstream);
    },
  };
}

const ovsBondPort: Section = {
  name: 'OvsBridgeBondPortConfig',
  doc: 'One member of an Open vSwitch bond.',
  unknownKeys: 'ignored',
  fields: { name: { type: text, required: true, names: 'port', doc: 'Name of the member.' } },
};

export const ovsBond: Section = {
  name: 'OvsBridgeBondConfig',
  doc: 'A bond that is one port of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    /** How traffic is spread over the members. */
    mode: {
      type: oneOf('active-backup', 'balance-slb', 'balance-tcp', 'lacp'),
    },
    /** Members of the bond. */
    port: { type: listOf(inside(ovsBondPort)), aliases: ['ports'] },
    /** Milliseconds before a failed member is disabled. */
    'bond-downdelay': { type: u32, key: 'bond-downdelay' },
    /** Milliseconds before a recovered member is used. */
    'bond-updelay': { type: u32, key: 'bond-updelay' },
    /** Entries of the Open vSwitch database. */
    'ovs-db': ovsDb,
  },
};

const ovsBridgeOptions: Section = {
  name: 'OvsBridgeOptions',
  doc: 'Options of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    /** Spanning tree protocol: a boolean, or a map with `enabled`. */
    stp: {
      type: ovsStp(stpOptions),
      nullable: false,
    },
    /** Rapid spanning tree protocol. */
    rstp: { type: bool },
    /** Whether multicast goes to members only. */
    'mcast-snooping-enable': { type: bool },
    /** What happens without a controller: `secure` or `standalone`. */
    'fail-mode': { type: text },
    /** Datapath type, such as `netdev` or `system`. */
    datapath: { type: text },
  },
};

const ovsBridgePort: Section = {
  name: 'OvsBridgePortConfig',
  doc: 'One port of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    name: { type: text, required: true, names: 'port', doc: 'Name of the port.' },
    /** Makes the port a bond. */
    'link-aggregation': { type: inside(ovsBond), aliases: ['bond'], names: 'members' },
    /** VLANs of the port. */
    vlan: portVlan,
  },
};

const ovsBridgeConfig: Section = {
  name: 'OvsBridgeConfig',
  doc: 'Options and ports of an Open vSwitch bridge.',
  unknownKeys: 'refused',
  fields: {
    /** Only meant for applying a state to a running host. */
    'allow-extra-patch-ports': {
      type: strictBool,
      unused: true,
    },
    /** Only meant for applying a state to a running host. */
    'allow-extra-ports': { type: strictBool, unused: true },
    /** Options of the bridge. */
    options: { type: inside(ovsBridgeOptions) },
    /** Ports of the bridge. */
    port: { type: listOf(inside(ovsBridgePort)), aliases: ['ports'] },
  },
};

export const ovsBridge: InterfaceKind<OvsBridgeInterface> = {
  name: 'OvsBridgeInterface',
  doc: 'A bridge of Open vSwitch.',
  fields: {
    /** Options and ports of the bridge. */
    bridge: { type: inside(ovsBridgeConfig) },
  },
  connectionType: 'ovs-bridge',
  isController: true,
  isUserspace: true,
  idSuffix: '-br',
  ports: bridgePorts,
  withoutPorts(iface, names) {
    // nmstate does not remove members of a bond.
    const port = iface.bridge?.port?.filter(({ name }) => !names.has(name));
    return port === undefined ? iface : { ...iface, bridge: { ...iface.bridge, port } };
  },
  sanitise(iface, findings) {
    if (iface['mac-address']) {
      findings
        .at('mac-address')
        .invalid(
          `OVS Bridge ${iface.name} can not hold MAC address, please set MAC address on OVS internal interface instead`,
        );
    }
    const entries = iface.bridge?.port ?? [];
    entries.forEach(({ vlan }, index) => {
      if (vlan !== undefined) checkPortVlan(vlan, findings.at('bridge', 'port', index, 'vlan'), { asIds: false });
    });
    return { ...iface, mtu: undefined, ipv4: undefined, ipv6: undefined };
  },
};

function bridgePorts(iface: OvsBridgeInterface): PortReference[] | undefined {
  return iface.bridge?.port?.flatMap((port, index): PortReference[] => {
    const bond = port['link-aggregation'];
    if (bond === undefined) return [{ name: port.name, at: ['bridge', 'port', index, 'name'] }];
    return (bond.port ?? []).map(({ name }, member) => ({
      name,
      at: ['bridge', 'port', index, 'link-aggregation', 'port', member, 'name'],
    }));
  });
}

const ovsPatch: Section = {
  name: 'OvsPatchConfig',
  doc: 'Makes an Open vSwitch interface one end of a patch.',
  unknownKeys: 'refused',
  fields: { peer: { type: text, required: true, key: 'peer', names: 'peer', doc: 'Name of the other end.' } },
};

export const ovsDpdk: Section = {
  name: 'OvsDpdkConfig',
  doc: 'Makes an Open vSwitch interface a DPDK port.',
  unknownKeys: 'refused',
  fields: {
    devargs: { type: text, required: true, key: 'devargs', doc: 'Device arguments, such as a PCI address.' },
    /** Receive queues. */
    'rx-queue': { type: strictU32, aliases: ['n_rxq'], key: 'n-rxq' },
    /** Receive descriptors: a power of two up to 4096. */
    n_rxq_desc: { type: strictU32, key: 'n-rxq-desc' },
    /** Transmit descriptors: a power of two up to 4096. */
    n_txq_desc: { type: strictU32, key: 'n-txq-desc' },
    /** Whether link changes raise an interrupt. */
    'lsc-interrupt': {
      type: strictBool,
      aliases: ['dpdk-lsc-interrupt'],
      key: 'lsc-interrupt',
      as: 'digit',
    },
  },
};

const MOST_DESCRIPTORS = 4096;

export const ovsInterface: InterfaceKind<OvsInterface> = {
  name: 'OvsInterface',
  doc: 'An internal, patch or DPDK port of Open vSwitch.',
  fields: {
    /** Makes the interface one end of a patch. */
    patch: { type: inside(ovsPatch) },
    /** Makes the interface a DPDK port. */
    dpdk: { type: inside(ovsDpdk) },
  },
  connectionType: 'ovs-interface',
  idSuffix: '-if',
  // Its bridge counts as its parent.
  parent: (iface) => iface.controller,
  sanitise(iface, findings) {
    if (iface.patch !== undefined) {
      if (iface.mtu !== undefined) {
        findings
          .at('mtu')
          .invalid(`OVS patch interface is not allowed to hold MTU configuration, interface name ${iface.name}`);
      }
      if (iface.ipv4?.enabled === true || iface.ipv6?.enabled === true) {
        findings
          .at(iface.ipv4?.enabled === true ? 'ipv4' : 'ipv6')
          .invalid(`OVS patch interface is not allowed to hold IP configuration, interface name ${iface.name}`);
      }
    }
    checkDescriptors(iface, 'n_rxq_desc', findings);
    checkDescriptors(iface, 'n_txq_desc', findings);
    return iface;
  },
};

function checkDescriptors(iface: OvsInterface, key: 'n_rxq_desc' | 'n_txq_desc', findings: Findings): void {
  const count = iface.dpdk?.[key] ?? 0;
  if (count === 0 || (count <= MOST_DESCRIPTORS && Number.isInteger(Math.log2(count)))) return;
  findings
    .at('dpdk', key)
    .invalid(
      `OVS DPDK ${key} must power of 2 within range of 1 to 4096. Setting to 0 if you want to remove this setting from OVS database. But got ${count}`,
    );
}

/** The port of the bridge that holds an interface: a bond that lists it, or the port of the same name. */
export function ovsPortOf(bridge: OvsBridgeInterface, name: string): string {
  return portsByMember(bridge).get(name) ?? name;
}

/** Maps interfaces to their ports; the first of two ports counts. */
const portsByMember = memoize((bridge: OvsBridgeInterface) => {
  const ports = bridge.bridge?.port ?? [];
  const pairs = ports.flatMap((port): [string, string][] => {
    const bond = port['link-aggregation'];
    return bond === undefined ? [[port.name, port.name]] : (bond.port ?? []).map((member) => [member.name, port.name]);
  });
  return new Map(pairs.reverse());
});
