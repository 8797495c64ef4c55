import type { InterfaceType } from '../generated/types.ts';
import type { Fields } from '../table.ts';
import { bondFields } from './bond.ts';
import { ethernetFields } from './ethernet.ts';
import { hsrFields } from './hsr.ts';
import { infinibandFields } from './infiniband.ts';
import { ipTunnelFields } from './ip-tunnel.ts';
import { ipsecFields } from './ipsec.ts';
import { ipvlanFields } from './ipvlan.ts';
import { linuxBridgeFields } from './linux-bridge.ts';
import { macVlanFields, macVtapFields } from './mac-vlan.ts';
import { macsecFields } from './macsec.ts';
import { ovsBridgeFields } from './ovs-bridge.ts';
import { ovsInterfaceFields } from './ovs-interface.ts';
import { vlanFields } from './vlan.ts';
import { vrfFields } from './vrf.ts';
import { vxlanFields } from './vxlan.ts';

export interface InterfaceTable {
  /** The name of the TypeScript type. */
  readonly name: string;
  readonly doc: string;
  /** Keys beyond those of every interface. */
  readonly fields: Fields;
}

/** Every interface type. Any other word, and no word at all, counts as ethernet. `veth` is read as ethernet too. */
export const INTERFACE_TABLES: Readonly<Record<InterfaceType, InterfaceTable>> = {
  ethernet: {
    name: 'EthernetInterface',
    doc: 'A network card, or one end of a virtual cable.',
    fields: ethernetFields,
  },
  bond: { name: 'BondInterface', doc: 'Several interfaces joined to one.', fields: bondFields },
  'linux-bridge': { name: 'LinuxBridgeInterface', doc: 'A bridge of the kernel.', fields: linuxBridgeFields },
  dummy: { name: 'DummyInterface', doc: 'An interface without hardware.', fields: {} },
  hsr: { name: 'HsrInterface', doc: 'A redundant ring.', fields: hsrFields },
  loopback: { name: 'LoopbackInterface', doc: 'The loopback interface, `lo`.', fields: {} },
  'mac-vlan': {
    name: 'MacVlanInterface',
    doc: 'An interface with a MAC address of its own on top of another.',
    fields: macVlanFields,
  },
  'mac-vtap': { name: 'MacVtapInterface', doc: 'The same for virtual machines.', fields: macVtapFields },
  'ovs-bridge': { name: 'OvsBridgeInterface', doc: 'A bridge of Open vSwitch.', fields: ovsBridgeFields },
  'ovs-interface': {
    name: 'OvsInterface',
    doc: 'An internal, patch or DPDK port of Open vSwitch.',
    fields: ovsInterfaceFields,
  },
  vlan: { name: 'VlanInterface', doc: 'A VLAN on top of another interface.', fields: vlanFields },
  vrf: { name: 'VrfInterface', doc: 'A virtual routing and forwarding domain.', fields: vrfFields },
  vxlan: { name: 'VxlanInterface', doc: 'A VXLAN tunnel.', fields: vxlanFields },
  infiniband: { name: 'InfiniBandInterface', doc: 'IP over InfiniBand.', fields: infinibandFields },
  macsec: { name: 'MacSecInterface', doc: 'Encryption of a link.', fields: macsecFields },
  ipsec: { name: 'IpsecInterface', doc: 'An IPsec connection.', fields: ipsecFields },
  xfrm: { name: 'XfrmInterface', doc: 'A transform interface of the kernel.', fields: {} },
  ipvlan: {
    name: 'IpVlanInterface',
    doc: 'An interface that shares the MAC address of another.',
    fields: ipvlanFields,
  },
  'ip-tunnel': { name: 'IpTunnelInterface', doc: 'IP within IP.', fields: ipTunnelFields },
};
