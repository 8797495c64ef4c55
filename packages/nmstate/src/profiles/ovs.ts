import { compareBytes } from '@coreiso/peers/rust';
import type {
  OvsBridgeBondConfig,
  OvsBridgeInterface,
  OvsBridgePortConfig,
  OvsDbEntries,
  OvsInterface,
} from '../generated/types.ts';
import { rangeText, trunkRange } from '../interfaces/bridge-vlan.ts';
import { ovsBond, ovsDpdk } from '../interfaces/ovs.ts';
import { OpenProfile } from '../keyfile/open-profile.ts';
import { writeFields } from '../keyfile/write-fields.ts';
import { connectionSection } from './connection.ts';

interface OvsDb {
  readonly external_ids?: OvsDbEntries | undefined;
  readonly other_config?: OvsDbEntries | undefined;
}

/** Writes entries of the Open vSwitch database; leaves out empty sections. */
export function writeOvsDb(profile: OpenProfile, ovsDb: OvsDb | undefined): void {
  writeEntries(profile, 'ovs-external-ids', ovsDb?.external_ids);
  writeEntries(profile, 'ovs-other-config', ovsDb?.other_config);
}

function writeEntries(
  profile: OpenProfile,
  name: 'ovs-external-ids' | 'ovs-other-config',
  entries: OvsDbEntries = {},
): void {
  for (const [key, value] of Object.entries(entries)) {
    if (value !== null) profile.section(name).set(`data.${key}`, value);
  }
}

const BOND_MODES: Readonly<
  Record<NonNullable<OvsBridgeBondConfig['mode']>, { lacp: string; mode: string | undefined }>
> = {
  lacp: { lacp: 'active', mode: undefined },
  'active-backup': { lacp: 'off', mode: 'active-backup' },
  'balance-slb': { lacp: 'off', mode: 'balance-slb' },
  'balance-tcp': { lacp: 'active', mode: 'balance-tcp' },
};

export function writeOvsBridge(profile: OpenProfile, iface: OvsBridgeInterface): void {
  const options = iface.bridge?.options;
  const stp = options?.stp;
  profile
    .section('ovs-bridge')
    .set('stp-enable', typeof stp === 'object' ? stp.enabled : stp)
    .set('rstp-enable', options?.rstp)
    .set('mcast-snooping-enable', options?.['mcast-snooping-enable'])
    .set('fail-mode', options?.['fail-mode'])
    .set('datapath-type', options?.datapath);
}

/** The profiles of the bridge's ports. */
export function ovsPortProfiles(iface: OvsBridgeInterface): OpenProfile[] {
  const entries = [...(iface.bridge?.port ?? [])].sort((a, b) => compareBytes(a.name, b.name));
  return entries.map((port) => portProfile(iface, port));
}

function portProfile(bridge: OvsBridgeInterface, port: OvsBridgePortConfig): OpenProfile {
  const profile = new OpenProfile(`${port.name}-port`);
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

export function writeOvsInterface(profile: OpenProfile, { patch, dpdk }: OvsInterface): void {
  const section = profile.section('ovs-interface');
  if (patch !== undefined) {
    section.set('type', 'patch');
    profile.section('ovs-patch').set('peer', patch.peer);
  } else if (dpdk !== undefined && dpdk.devargs !== '') {
    section.set('type', 'dpdk');
    writeFields(profile.section('ovs-dpdk'), ovsDpdk, dpdk);
  } else {
    section.set('type', 'internal');
  }
}
