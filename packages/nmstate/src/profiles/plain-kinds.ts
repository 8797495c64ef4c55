// Types without a section of their own.
import type {
  DummyInterface,
  IpTunnelInterface,
  IpVlanInterface,
  LoopbackInterface,
  XfrmInterface,
} from '../state/generated/types.ts';
import type { InterfaceKind } from './kind.ts';

const MOST_FLOW_LABEL = 0xfffff;

export const dummy: InterfaceKind<DummyInterface> = { connectionType: 'dummy' };
export const xfrm: InterfaceKind<XfrmInterface> = { connectionType: 'xfrm' };

export const ipvlan: InterfaceKind<IpVlanInterface> = {
  connectionType: 'ipvlan',
  sanitise(iface, report) {
    if (iface.ipvlan?.private === true && iface.ipvlan.vepa === true) {
      report.at('ipvlan', 'vepa').invalid('Both private and VEPA flags cannot be enabled at the same time');
    }
    return iface;
  },
};

export const ipTunnel: InterfaceKind<IpTunnelInterface> = {
  connectionType: 'ip-tunnel',
  sanitise(iface, report) {
    if ((iface['ip-tunnel']?.['flow-label'] ?? 0) > MOST_FLOW_LABEL) {
      report.at('ip-tunnel', 'flow-label').invalid('Flow label must be less than 0xFFFFF');
    }
    return iface;
  },
};

export const loopback: InterfaceKind<LoopbackInterface> = {
  connectionType: 'loopback',
  sanitise(iface, report) {
    const { ipv4, ipv6 } = iface;
    if (ipv4 !== undefined && ipv4.enabled !== true)
      report.at('ipv4').invalid('Loopback interface cannot have IPv4 disabled');
    if (ipv4?.enabled === true && ipv4.dhcp === true) {
      report.at('ipv4', 'dhcp').invalid('Loopback interface cannot have IPv4 DHCP enabled');
    }
    if (ipv6?.enabled === true && (ipv6.dhcp === true || ipv6.autoconf === true)) {
      report.at('ipv6').invalid('Loopback interface cannot have IPv6 autoconf/DHCPv6 enabled');
    }
    return iface;
  },
};
