// Writes the sections of each type. Types with at most one section are in this file.
import type {
  Ieee8021XConfig,
  InfiniBandInterface,
  Interface,
  IpsecInterface,
  MacSecInterface,
  MacVlanConfig,
  MacVlanInterface,
  MacVtapInterface,
  VlanConfig,
  VlanInterface,
  VlanQosMapping,
  VrfInterface,
  VxlanInterface,
} from '../generated/types.ts';
import { ieee8021x } from '../interfaces/base.ts';
import { libreswan } from '../interfaces/ipsec.ts';
import { macVlanConfig } from '../interfaces/mac-vlan.ts';
import { macsecConfig } from '../interfaces/macsec.ts';
import { infinibandConfig } from '../interfaces/plain.ts';
import { vxlanConfig } from '../interfaces/tunnels.ts';
import { byPair, vlanConfig } from '../interfaces/vlan.ts';
import { vrfConfig } from '../interfaces/vrf.ts';
import type { OpenProfile, OpenSection } from '../keyfile/open-profile.ts';
import { writeFields } from '../keyfile/write-fields.ts';
import { writeBond, writeLinuxBridge } from './controllers.ts';
import { writeEthernet } from './ethernet.ts';
import { writeOvsBridge, writeOvsInterface } from './ovs.ts';

/** Writes the sections of the interface's type. */
export function writeSettings(profile: OpenProfile, iface: Interface): void {
  switch (iface.type) {
    case 'bond':
      writeBond(profile, iface);
      break;
    case 'linux-bridge':
      writeLinuxBridge(profile, iface);
      break;
    case 'ovs-bridge':
      writeOvsBridge(profile, iface);
      break;
    case 'ovs-interface':
      writeOvsInterface(profile, iface);
      break;
    case 'vlan':
      writeVlan(profile, iface);
      break;
    case 'vxlan':
      writeVxlan(profile, iface);
      break;
    case 'mac-vlan':
      writeMacVlan(profile, iface);
      break;
    case 'mac-vtap':
      writeMacVtap(profile, iface);
      break;
    case 'vrf':
      writeVrf(profile, iface);
      break;
    case 'infiniband':
      writeInfiniband(profile, iface);
      break;
    case 'macsec':
      writeMacsec(profile, iface);
      break;
    case 'ipsec':
      writeIpsec(profile, iface);
      break;
    case undefined:
    case 'ethernet':
    case 'veth':
      writeEthernet(profile, iface);
      break;
    // nmstate writes no section for these.
    case 'dummy':
    case 'hsr':
    case 'loopback':
    case 'xfrm':
    case 'ipvlan':
    case 'ip-tunnel':
      break;
    default:
      iface satisfies never;
  }
}

const FLAG = { reorderHeaders: 1, gvrp: 2, looseBinding: 4, mvrp: 8 } as const;

function writeVlan(profile: OpenProfile, iface: VlanInterface): void {
  const config = iface.vlan;
  if (config === undefined) return;
  const section = profile.section('vlan');
  writeFields(section, vlanConfig, config);
  section
    .set('parent', config['base-iface'])
    .set('protocol', config.protocol?.replace('q', 'Q'))
    .set('flags', vlanFlags(config))
    .setList('ingress-priority-map', pairs(config['ingress-qos-map']))
    .setList('egress-priority-map', pairs(config['egress-qos-map']));
}

function vlanFlags({
  'reorder-headers': reorder = true,
  'registration-protocol': protocol,
  'loose-binding': loose,
}: VlanConfig): number {
  let bits = reorder ? FLAG.reorderHeaders : 0;
  if (protocol === 'gvrp') bits |= FLAG.gvrp;
  if (protocol === 'mvrp') bits |= FLAG.mvrp;
  if (loose === true) bits |= FLAG.looseBinding;
  return bits;
}

function pairs(map: readonly VlanQosMapping[] = []): string[] {
  return [...map].sort(byPair).map(({ from, to }) => `${from}:${to}`);
}

function writeVxlan(profile: OpenProfile, { vxlan: config }: VxlanInterface): void {
  if (config === undefined) return;
  const section = profile.section('vxlan').set('parent', config['base-iface']);
  writeFields(section, vxlanConfig, config);
}

/** NetworkManager's numbers of modes. */
const MAC_VLAN_MODES = { unknown: 0, vepa: 1, bridge: 2, private: 3, passthru: 4, source: 5 } as const;

function writeMacVlan(profile: OpenProfile, { 'mac-vlan': config }: MacVlanInterface): void {
  if (config !== undefined) macVlanSection(profile, config).set('tap', false);
}

function writeMacVtap(profile: OpenProfile, { 'mac-vtap': config }: MacVtapInterface): void {
  if (config !== undefined) macVlanSection(profile, config).set('tap', true);
}

function macVlanSection(profile: OpenProfile, config: MacVlanConfig): OpenSection {
  const section = profile
    .section('macvlan')
    .set('parent', config['base-iface'])
    .set('mode', MAC_VLAN_MODES[config.mode]);
  writeFields(section, macVlanConfig, config);
  return section;
}

function writeVrf(profile: OpenProfile, { vrf: config }: VrfInterface): void {
  if (config !== undefined) writeFields(profile.section('vrf'), vrfConfig, config);
}

/** The default partition key, which is not written. */
const DEFAULT_KEY = 0xffff;

function writeInfiniband(profile: OpenProfile, { infiniband: config, mtu }: InfiniBandInterface): void {
  const section = profile.section('infiniband').set('mtu', mtu);
  if (config === undefined) return;
  writeFields(section, infinibandConfig, config);
  section.set('parent', config['base-iface']);
  if (config.pkey !== DEFAULT_KEY) section.set('p-key', config.pkey);
}

/** The text that nmstate shows instead of a secret; it is not a secret itself. */
const HIDDEN_SECRET = '<_password_hid_by_nmstate>';

export function write8021x(profile: OpenProfile, config: Ieee8021XConfig | undefined): void {
  if (config === undefined) return;
  const section = profile.section('802-1x');
  writeFields(section, ieee8021x, config);
  // This is the only list that ends with its separator.
  section.set('eap', config['eap-methods']?.map((method) => `${method};`).join(''));
  for (const key of ['password', 'private-key-password'] as const) {
    if (config[key] !== HIDDEN_SECRET) section.set(key, config[key]);
  }
}

const I32_MAX = 0x7fff_ffff;

function writeMacsec(profile: OpenProfile, { macsec: config }: MacSecInterface): void {
  const section = profile.section('macsec');
  if (config === undefined) return;
  writeFields(section, macsecConfig, config);
  section.set('parent', config['base-iface']);
  if (config.port > 0 && config.port <= I32_MAX) section.set('port', config.port);
}

function writeIpsec(profile: OpenProfile, { libreswan: config }: IpsecInterface): void {
  if (config === undefined) return;
  const section = profile.section('vpn').set('service-type', 'org.freedesktop.NetworkManager.libreswan');
  writeFields(section, libreswan, config);
  if (config['nm-auto-defaults'] === false) section.set('nm-auto-defaults', 'no');
  if (config.psk !== undefined && config.psk !== HIDDEN_SECRET)
    profile.section('vpn-secrets').set('pskvalue', config.psk);
}
