import type { Interface, InterfaceType } from '../generated/types.ts';
import { bond } from './bond.ts';
import { ethernet } from './ethernet.ts';
import { hsr } from './hsr.ts';
import { ipsec } from './ipsec.ts';
import type { InterfaceKind, PortReference } from './kind.ts';
import { linuxBridge } from './linux-bridge.ts';
import { ipvlan, macVlan, macVtap } from './mac-vlan.ts';
import { macsec } from './macsec.ts';
import { ovsBridge, ovsInterface } from './ovs.ts';
import { dummy, infiniband, loopback } from './plain.ts';
import { ipTunnel, vxlan, xfrm } from './tunnels.ts';
import { vlan } from './vlan.ts';
import { vrf } from './vrf.ts';

/** Every interface type. An unknown or missing type counts as ethernet, and so does `veth`. */
export const KINDS: Readonly<Record<InterfaceType, InterfaceKind>> = {
  ethernet,
  bond,
  'linux-bridge': linuxBridge,
  dummy,
  hsr,
  loopback,
  'mac-vlan': macVlan,
  'mac-vtap': macVtap,
  'ovs-bridge': ovsBridge,
  'ovs-interface': ovsInterface,
  vlan,
  vrf,
  vxlan,
  infiniband,
  macsec,
  ipsec,
  xfrm,
  ipvlan,
  'ip-tunnel': ipTunnel,
};

/** Whether the network configuration creates interfaces of the type; false for unknown types. */
export function isVirtualType(type: string): boolean {
  return isInterfaceType(type) ? KINDS[type].isHardware === undefined : type === 'veth';
}

export function isInterfaceType(type: string): type is InterfaceType {
  return Object.hasOwn(KINDS, type);
}

/** The type of an interface; a virtual cable counts as ethernet. */
export function typeOf({ type }: Interface): InterfaceType {
  return type === undefined || type === 'veth' ? 'ethernet' : type;
}

export function kindOf(iface: Interface): InterfaceKind {
  return KINDS[typeOf(iface)];
}

/** The ports that an interface names; an absent one has none. */
export function portsOf(iface: Interface): readonly PortReference[] | undefined {
  const kind = kindOf(iface);
  if (iface.state !== 'absent') return kind.ports?.(iface);
  return kind.isController && typeOf(iface) !== 'hsr' ? [] : undefined;
}

export function parentOf(iface: Interface): string | undefined {
  return kindOf(iface).parent?.(iface);
}
