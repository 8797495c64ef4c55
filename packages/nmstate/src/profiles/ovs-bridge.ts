import { compareText } from '../keyfile/order.ts';
import { writeFields } from '../keyfile/write-fields.ts';
import { remembered } from '../remembered.ts';
import type { OvsBridgeBondConfig, OvsBridgeInterface, OvsBridgePortConfig } from '../state/generated/types.ts';
import { ovsBond } from '../state/tables/ovs-bridge.ts';
import { checkPortVlan, rangeText, trunkRange } from './bridge-vlan.ts';
import { connectionSection } from './connection-section.ts';
import type { InterfaceKind, PortReference } from './kind.ts';
import { writeOvsDb } from './ovs-db.ts';
import { Profile } from './profile.ts';

const BOND_MODES: Readonly<
  Record<NonNullable<OvsBridgeBondConfig['mode']>, { lacp: string; mode: string | undefined }>
> = {
  lacp: { lacp: 'active', mode: undefined },
  'active-backup': { lacp: 'off', mode: 'active-backup' },
  'balance-slb': { lacp: 'off', mode: 'balance-slb' },
  'balance-tcp': { lacp: 'active', mode: 'balance-tcp' },
};

export const ovsBridge: InterfaceKind<OvsBridgeInterface> = {
  connectionType: 'ovs-bridge',
  isController: true,
  isUserspace: true,
  idSuffix: '-br',
  ports,
  withoutPorts(iface, names) {
    // Members of a bond stay.
    const port = iface.bridge?.port?.filter(({ name }) => !names.has(name));
    return port === undefined ? iface : { ...iface, bridge: { ...iface.bridge, port } };
  },
  sanitise(iface, report) {
    if (iface['mac-address']) {
      report
        .at('mac-address')
        .invalid(
          `OVS Bridge ${iface.name} can not hold MAC address, please set MAC address on OVS internal interface instead`,
        );
    }
    const entries = iface.bridge?.port ?? [];
    entries.forEach(({ vlan }, index) => {
      if (vlan !== undefined) checkPortVlan(vlan, report.at('bridge', 'port', index, 'vlan'), { asIds: false });
    });
    return { ...iface, mtu: undefined, ipv4: undefined, ipv6: undefined };
  },
  write(profile, iface) {
    const options = iface.bridge?.options;
    const stp = options?.stp;
    profile
      .section('ovs-bridge')
      .set('stp-enable', typeof stp === 'object' ? stp.enabled : stp)
      .set('rstp-enable', options?.rstp)
      .set('mcast-snooping-enable', options?.['mcast-snooping-enable'])
      .set('fail-mode', options?.['fail-mode'])
      .set('datapath-type', options?.datapath);
  },
  companions(iface) {
    const entries = [...(iface.bridge?.port ?? [])].sort((a, b) => compareText(a.name, b.name));
    return entries.map((port) => portProfile(iface, port));
  },
};

function ports(iface: OvsBridgeInterface): PortReference[] | undefined {
  return iface.bridge?.port?.flatMap((port, index): PortReference[] => {
    const bond = port['link-aggregation'];
    if (bond === undefined) return [{ name: port.name, at: ['bridge', 'port', index, 'name'] }];
    return (bond.port ?? []).map(({ name }, member) => ({
      name,
      at: ['bridge', 'port', index, 'link-aggregation', 'port', member, 'name'],
    }));
  });
}

/** The port of the bridge that holds an interface: a bond that lists it, or one of its own name. */
export function ovsPortOf(bridge: OvsBridgeInterface, name: string): string {
  return portsByMember(bridge).get(name) ?? name;
}

/** Of two ports that hold one interface the first counts. */
const portsByMember = remembered((bridge: OvsBridgeInterface) => {
  const ports = bridge.bridge?.port ?? [];
  const pairs = ports.flatMap((port): [string, string][] => {
    const bond = port['link-aggregation'];
    return bond === undefined ? [[port.name, port.name]] : (bond.port ?? []).map((member) => [member.name, port.name]);
  });
  return new Map(pairs.reverse());
});

function portProfile(bridge: OvsBridgeInterface, port: OvsBridgePortConfig): Profile {
  const profile = new Profile(`${port.name}-port`);
  connectionSection(profile, { type: 'ovs-port', connectionType: 'ovs-port', name: port.name, state: bridge.state })
    .set('interface-name', port.name)
    .set('autoconnect-slaves', 1)
    .set('master', bridge.name)
    .set('slave-type', 'ovs-bridge');
  const section = profile.section('ovs-port');
  const { vlan, 'link-aggregation': bond } = port;
  if (vlan !== undefined) {
    const trunks = [...(vlan['trunk-tags'] ?? [])].map(trunkRange).sort((a, b) => a.min - b.min);
    section.set('tag', vlan.tag).set('vlan-mode', vlan.mode).set('trunks', trunks.map(rangeText).join(','));
  }
  if (bond !== undefined) {
    writeFields(section, ovsBond, bond);
    if (bond.mode !== undefined)
      section.set('lacp', BOND_MODES[bond.mode].lacp).set('bond-mode', BOND_MODES[bond.mode].mode);
    writeOvsDb(profile, bond['ovs-db']);
  }
  return profile;
}
