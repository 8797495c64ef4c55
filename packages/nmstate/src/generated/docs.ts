// Generated from the comments of the tables by scripts/generate.mjs; edit those instead.

/** What keys mean, by the name of their map. */
export const DOCS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Ieee8021XConfig": {
    "identity": "User name.",
    "eap-methods": "Methods, such as `tls` or `peap`.",
    "private-key": "Path of the private key.",
    "client-cert": "Path of the certificate.",
    "ca-cert": "Path of the authority.",
    "private-key-password": "Password of the private key. A secret.",
    "phase2-auth": "Inner authentication.",
    "password": "Password of the user. A secret."
  },
  "AltNameEntry": {
    "state": "`absent` takes the name away."
  },
  "LldpConfig": {
    "neighbors": "Read-only."
  },
  "MptcpConfig": {
    "address-flags": "Flags for every address of the interface; signal and fullmesh exclude each other."
  },
  "DispatchConfig": {
    "post-activation": "Called after the interface has started.",
    "post-deactivation": "Called after the interface has stopped."
  },
  "BaseInterface": {
    "profile-name": "Name of the connection profile, and of its file; the interface name by default.",
    "description": "A note; kept in the profile.",
    "state": "`up` by default. `down` writes a profile that is not started, `absent` and `ignore` write none.",
    "identifier": "What the profile matches: the name, or the card with that address.",
    "mac-address": "MAC address to set, or to match with `identifier: mac-address`.",
    "pci-address": "PCI address to match with `identifier: pci-address`.",
    "permanent-mac-address": "Read-only; a source of `copy-mac-from`.",
    "mtu": "Largest packet, in bytes.",
    "min-mtu": "Read-only.",
    "max-mtu": "Read-only.",
    "wait-ip": "Which addresses the profile waits for before it counts as started.",
    "ipv4": "IPv4.",
    "ipv6": "IPv6.",
    "mptcp": "Multipath TCP.",
    "controller": "The bond, bridge or VRF that the interface is a port of.",
    "accept-all-mac-addresses": "Promiscuous mode.",
    "copy-mac-from": "Interface whose MAC address is taken over; for bonds, Linux bridges and Open vSwitch.",
    "ovs-db": "Entries of the Open vSwitch database.",
    "802.1x": "Port-based authentication.",
    "lldp": "Link layer discovery.",
    "ethtool": "Settings of the network card.",
    "dispatch": "Scripts of a running host; refused when keyfiles are written.",
    "driver": "Read-only.",
    "alt-names": "Other names of the interface; checked, not written."
  },
  "BondOptions": {
    "ad_actor_sys_prio": "System priority in 802.3ad.",
    "ad_actor_system": "System MAC address in 802.3ad.",
    "ad_select": "How the active aggregator is chosen.",
    "ad_user_port_key": "Upper ten bits of the port key.",
    "all_slaves_active": "What happens to duplicate frames on inactive ports.",
    "arp_all_targets": "How many ARP targets must answer.",
    "arp_interval": "Milliseconds between ARP probes; 0 turns them off.",
    "arp_ip_target": "IPv4 addresses to probe, separated by commas.",
    "arp_validate": "On which ports ARP answers are validated.",
    "downdelay": "Milliseconds before a failed port is disabled.",
    "fail_over_mac": "Whose MAC address the bond takes.",
    "lacp_rate": "How often the partner sends LACPDUs.",
    "lp_interval": "Seconds between learning packets.",
    "miimon": "Milliseconds between link checks.",
    "min_links": "Ports that must be up for the bond to be up.",
    "num_grat_arp": "Gratuitous ARPs after a failover.",
    "num_unsol_na": "Unsolicited neighbour advertisements after a failover.",
    "packets_per_slave": "Packets sent through a port before the next one is used.",
    "primary": "The port to prefer.",
    "primary_reselect": "When the primary port becomes active again.",
    "resend_igmp": "IGMP reports after a failover.",
    "tlb_dynamic_lb": "Whether balance-tlb shuffles flows.",
    "updelay": "Milliseconds before a recovered port is used.",
    "use_carrier": "Whether the driver is asked for the carrier.",
    "xmit_hash_policy": "What decides the port of an outgoing packet.",
    "balance_slb": "Source load balancing; needs mode balance-xor and `xmit_hash_policy: vlan+srcmac`.",
    "arp_missed_max": "Failed ARP probes before a port counts as down.",
    "lacp_active": "Whether LACPDUs are sent without being asked.",
    "ns_ip6_target": "IPv6 addresses to probe."
  },
  "BondPortConfig": {
    "priority": "Which port takes over first; higher wins.",
    "queue-id": "Queue of the port."
  },
  "BondConfig": {
    "mode": "How traffic is spread over the ports.",
    "options": "Options of the bonding driver.",
    "port": "Names of the ports.",
    "ports-config": "Ports with settings of their own."
  },
  "BondInterface": {
    "link-aggregation": "What the bond joins, and how."
  },
  "BridgePortVlanRange": {},
  "BridgePortVlanConfig": {
    "enable-native": "Whether `tag` names the native VLAN of a trunk.",
    "mode": "Whether the port carries many VLANs or one.",
    "tag": "The VLAN of an access port, or the native VLAN of a trunk.",
    "trunk-tags": "The VLANs of a trunk: `id` or `id-range`."
  },
  "SrIovVfConfig": {
    "iface-name": "Read-only.",
    "mac-address": "MAC address of the function.",
    "spoof-check": "Whether frames with a foreign MAC address are dropped.",
    "trust": "Whether the function may change its MAC address and go promiscuous.",
    "min-tx-rate": "Guaranteed Mbit/s.",
    "max-tx-rate": "Highest Mbit/s.",
    "vlan-id": "VLAN of the function.",
    "qos": "Priority within that VLAN.",
    "vlan-proto": "Protocol of that VLAN."
  },
  "SrIovConfig": {
    "drivers-autoprobe": "Whether functions are bound to a driver.",
    "total-vfs": "How many functions to create.",
    "max-vfs": "Read-only.",
    "vfs": "Settings of single functions."
  },
  "EthernetConfig": {
    "sr-iov": "SR-IOV of a physical function.",
    "auto-negotiation": "Whether speed and duplex are negotiated.",
    "speed": "Mbit/s; only with `auto-negotiation: false`.",
    "duplex": "Only with `auto-negotiation: false`."
  },
  "EthernetInterface": {
    "ethernet": "Link settings.",
    "veth": "Makes the interface one end of a virtual cable."
  },
  "EthtoolPauseConfig": {
    "rx": "Whether pause frames are obeyed; only with `autoneg: false`.",
    "tx": "Whether pause frames are sent; only with `autoneg: false`.",
    "autoneg": "Whether flow control is negotiated."
  },
  "EthtoolCoalesceConfig": {
    "adaptive-rx": "Adaptive coalescing on receive.",
    "adaptive-tx": "Adaptive coalescing on transmit.",
    "pkt-rate-high": "Packets per second above which the `high` values are used.",
    "pkt-rate-low": "Packets per second below which the `low` values are used.",
    "rx-frames": "Received frames before an interrupt.",
    "rx-frames-high": "Received frames before an interrupt at a high rate.",
    "rx-frames-irq": "Received frames before an interrupt while one is served.",
    "rx-frames-low": "Received frames before an interrupt at a low rate.",
    "rx-usecs": "Microseconds before an interrupt on receive.",
    "rx-usecs-high": "Microseconds before an interrupt on receive at a high rate.",
    "rx-usecs-irq": "Microseconds before an interrupt on receive while one is served.",
    "rx-usecs-low": "Microseconds before an interrupt on receive at a low rate.",
    "sample-interval": "Not written by nmstate.",
    "stats-block-usecs": "Not written by nmstate.",
    "tx-frames": "Sent frames before an interrupt.",
    "tx-frames-high": "Sent frames before an interrupt at a high rate.",
    "tx-frames-irq": "Sent frames before an interrupt while one is served.",
    "tx-frames-low": "Sent frames before an interrupt at a low rate.",
    "tx-usecs": "Microseconds before an interrupt on transmit.",
    "tx-usecs-high": "Not written by nmstate.",
    "tx-usecs-irq": "Not written by nmstate.",
    "tx-usecs-low": "Not written by nmstate."
  },
  "EthtoolRingConfig": {
    "rx": "Receive ring.",
    "rx-max": "Read-only.",
    "rx-jumbo": "Receive ring for jumbo frames.",
    "rx-jumbo-max": "Read-only.",
    "rx-mini": "Receive ring for small frames.",
    "rx-mini-max": "Read-only.",
    "tx": "Transmit ring.",
    "tx-max": "Read-only."
  },
  "EthtoolFecConfig": {
    "auto": "Whether the mode is chosen by the driver.",
    "mode": "The mode, unless `auto`."
  },
  "EthtoolConfig": {
    "pause": "Flow control.",
    "feature": "Offload features by name, on or off.",
    "coalesce": "Interrupt coalescing.",
    "ring": "Sizes of the rings.",
    "fec": "Forward error correction."
  },
  "HsrConfig": {
    "interlink": "Interlink port; not with PRP.",
    "supervision-address": "Read-only."
  },
  "HsrInterface": {
    "hsr": "Ports and protocol."
  },
  "InterfaceIpAddr": {
    "mptcp-flags": "Read-only; set `mptcp` on the interface instead.",
    "valid-life-time": "An address with a lifetime other than `forever` counts as dynamic and is left out.",
    "preferred-life-time": "Read-only.",
    "protocol": "Who set the address: `lo`, `ra`, `kernel_ll` or a number. Numbers above 3 are left out."
  },
  "InterfaceIpv4": {
    "enabled": "Whether the family is used at all; no by default.",
    "dhcp": "Whether addresses come from DHCP.",
    "autoconf": "Whether addresses come from router advertisements; needs `dhcp: true` as well.",
    "dhcp-client-id": "Identity towards a DHCPv4 server.",
    "dhcp-duid": "Identity towards a DHCPv6 server.",
    "address": "Static addresses.",
    "auto-dns": "Whether received DNS servers are used; yes by default.",
    "auto-gateway": "Whether a received default route is used; yes by default.",
    "auto-routes": "Whether received routes are used; yes by default.",
    "auto-route-table-id": "Table of received routes.",
    "auto-route-metric": "Metric of received routes.",
    "addr-gen-mode": "How the interface part of an IPv6 address is made.",
    "allow-extra-address": "Only meant for applying a state to a running host.",
    "token": "Interface part of automatic IPv6 addresses.",
    "dhcp-send-hostname": "Whether the host name is sent to the server; yes by default.",
    "dhcp-custom-hostname": "The host name to send.",
    "forwarding": "Whether packets are forwarded; IPv4 only.",
    "prefix-route-metric": "Metric of the routes that come with addresses; IPv4 only."
  },
  "InterfaceIpv6": {
    "enabled": "Whether the family is used at all; no by default.",
    "dhcp": "Whether addresses come from DHCP.",
    "autoconf": "Whether addresses come from router advertisements; needs `dhcp: true` as well.",
    "dhcp-client-id": "Identity towards a DHCPv4 server.",
    "dhcp-duid": "Identity towards a DHCPv6 server.",
    "address": "Static addresses.",
    "auto-dns": "Whether received DNS servers are used; yes by default.",
    "auto-gateway": "Whether a received default route is used; yes by default.",
    "auto-routes": "Whether received routes are used; yes by default.",
    "auto-route-table-id": "Table of received routes.",
    "auto-route-metric": "Metric of received routes.",
    "addr-gen-mode": "How the interface part of an IPv6 address is made.",
    "allow-extra-address": "Only meant for applying a state to a running host.",
    "token": "Interface part of automatic IPv6 addresses.",
    "dhcp-send-hostname": "Whether the host name is sent to the server; yes by default.",
    "dhcp-custom-hostname": "The host name to send.",
    "forwarding": "Whether packets are forwarded; IPv4 only.",
    "prefix-route-metric": "Metric of the routes that come with addresses; IPv4 only."
  },
  "LibreswanConfig": {
    "nm-auto-defaults": "Whether NetworkManager adds its own defaults; yes by default.",
    "rightid": "Identity of the other side.",
    "rightrsasigkey": "RSA public key of the other side.",
    "rightcert": "Certificate of the other side.",
    "left": "Address of this side.",
    "leftid": "Identity of this side.",
    "leftrsasigkey": "RSA public key of this side.",
    "leftcert": "Certificate of this side.",
    "ikev2": "Whether IKEv2 is used.",
    "psk": "Pre-shared key. A secret.",
    "ikelifetime": "Lifetime of the keying channel.",
    "salifetime": "Lifetime of a security association.",
    "ike": "Algorithms of the keying channel.",
    "esp": "Algorithms of the traffic.",
    "dpddelay": "Seconds between dead peer probes.",
    "dpdtimeout": "Seconds until a silent peer counts as dead.",
    "dpdaction": "What happens when the peer is dead.",
    "ipsec-interface": "`yes`, `no` or the number of the interface.",
    "authby": "How the sides prove who they are.",
    "rightsubnet": "Network behind the other side.",
    "rightsubnets": "Networks behind the other side.",
    "leftsubnet": "Network behind this side.",
    "leftsubnets": "Networks behind this side.",
    "leftmodecfgclient": "Whether this side asks for an address.",
    "type": "What is protected.",
    "hostaddrfamily": "Address family of the sides.",
    "clientaddrfamily": "Address family of the networks.",
    "require-id-on-certificate": "Whether the identity must be in the certificate.",
    "leftsendcert": "When this side sends its certificate.",
    "rightca": "Authority of the other side.",
    "leftprotoport": "Protocol and port of this side.",
    "rightprotoport": "Protocol and port of the other side."
  },
  "IpsecInterface": {
    "libreswan": "The connection, in words of Libreswan."
  },
  "LinuxBridgeStpOptions": {
    "enabled": "Whether the bridge takes part in the spanning tree.",
    "forward-delay": "Seconds in the listening and learning states, 2 to 30.",
    "hello-time": "Seconds between hello packets, 1 to 10.",
    "max-age": "Seconds until a silent root is forgotten, 6 to 40.",
    "priority": "Lower values become root."
  },
  "LinuxBridgeOptions": {
    "gc-timer": "Read-only.",
    "group-addr": "Multicast MAC address of the bridge, for STP.",
    "group-forward-mask": "The same as `group-fwd-mask`.",
    "group-fwd-mask": "Link-local group addresses that are forwarded.",
    "hash-max": "Size of the multicast table.",
    "hello-timer": "Read-only.",
    "mac-ageing-time": "Seconds until a learned address is forgotten.",
    "multicast-last-member-count": "Queries before a group is left.",
    "multicast-last-member-interval": "Time between those queries, in hundredths of a second.",
    "multicast-membership-interval": "Time until a silent member is forgotten, in hundredths of a second.",
    "multicast-querier": "Whether the bridge asks for members itself.",
    "multicast-querier-interval": "Time until another querier counts as gone, in hundredths of a second.",
    "multicast-query-interval": "Time between queries, in hundredths of a second.",
    "multicast-query-response-interval": "Time to answer a query, in hundredths of a second.",
    "multicast-query-use-ifaddr": "Whether queries carry the address of the bridge.",
    "multicast-router": "Whether the bridge counts as multicast router.",
    "multicast-snooping": "Whether multicast goes to members only.",
    "multicast-startup-query-count": "Queries at start-up.",
    "multicast-startup-query-interval": "Time between those queries, in hundredths of a second.",
    "stp": "Spanning tree protocol.",
    "vlan-protocol": "Protocol of VLAN filtering.",
    "vlan-default-pvid": "VLAN of untagged frames."
  },
  "LinuxBridgePortConfig": {
    "stp-hairpin-mode": "Whether frames may leave through the port they came from.",
    "stp-path-cost": "Cost of the port in the spanning tree.",
    "stp-priority": "Priority of the port in the spanning tree.",
    "vlan": "VLANs of the port."
  },
  "LinuxBridgeConfig": {
    "allow-extra-ports": "Only meant for applying a state to a running host.",
    "options": "Options of the bridge.",
    "port": "Ports of the bridge."
  },
  "LinuxBridgeInterface": {
    "bridge": "Options and ports of the bridge."
  },
  "MacVlanConfig": {
    "promiscuous": "Whether the base is promiscuous; `false` only in passthru mode."
  },
  "MacVtapConfig": {
    "promiscuous": "Whether the base is promiscuous; `false` only in passthru mode."
  },
  "MacVlanInterface": {
    "mac-vlan": "What makes the MAC VLAN."
  },
  "MacVtapInterface": {
    "mac-vtap": "What makes the MAC VTAP."
  },
  "IpVlanConfig": {
    "base-iface": "The interface below.",
    "mode": "Layer at which packets are switched.",
    "private": "Whether siblings are kept apart.",
    "vepa": "Whether a switch outside sends packets back."
  },
  "IpVlanInterface": {
    "ipvlan": "What makes the IP VLAN."
  },
  "MacSecConfig": {
    "mka-cak": "Connectivity association key: 32 hexadecimal digits. A secret.",
    "mka-ckn": "Name of that key: 2 to 64 hexadecimal digits.",
    "offload": "Where the work is done."
  },
  "MacSecInterface": {
    "macsec": "What makes the MACsec interface."
  },
  "OvsDbGlobalConfig": {
    "external_ids": "External identifiers.",
    "other_config": "Other configuration."
  },
  "OvsBridgeBondConfig": {
    "mode": "How traffic is spread over the members.",
    "port": "Members of the bond.",
    "bond-downdelay": "Milliseconds before a failed member is disabled.",
    "bond-updelay": "Milliseconds before a recovered member is used.",
    "ovs-db": "Entries of the Open vSwitch database."
  },
  "OvsBridgeOptions": {
    "stp": "Spanning tree protocol: a boolean, or a map with `enabled`.",
    "rstp": "Rapid spanning tree protocol.",
    "mcast-snooping-enable": "Whether multicast goes to members only.",
    "fail-mode": "What happens without a controller: `secure` or `standalone`.",
    "datapath": "Datapath type, such as `netdev` or `system`."
  },
  "OvsBridgePortConfig": {
    "link-aggregation": "Makes the port a bond.",
    "vlan": "VLANs of the port."
  },
  "OvsBridgeConfig": {
    "allow-extra-patch-ports": "Only meant for applying a state to a running host.",
    "allow-extra-ports": "Only meant for applying a state to a running host.",
    "options": "Options of the bridge.",
    "port": "Ports of the bridge."
  },
  "OvsBridgeInterface": {
    "bridge": "Options and ports of the bridge."
  },
  "OvsDpdkConfig": {
    "rx-queue": "Receive queues.",
    "n_rxq_desc": "Receive descriptors: a power of two up to 4096.",
    "n_txq_desc": "Transmit descriptors: a power of two up to 4096.",
    "lsc-interrupt": "Whether link changes raise an interrupt."
  },
  "OvsInterface": {
    "patch": "Makes the interface one end of a patch.",
    "dpdk": "Makes the interface a DPDK port."
  },
  "InfiniBandConfig": {
    "base-iface": "The interface below."
  },
  "InfiniBandInterface": {
    "infiniband": "IP over InfiniBand."
  },
  "VxlanConfig": {
    "base-iface": "The interface below.",
    "learning": "Whether unknown addresses are learned.",
    "local": "Source address of the tunnel.",
    "remote": "Unicast or multicast destination.",
    "destination-port": "UDP port."
  },
  "VxlanInterface": {
    "vxlan": "What makes the VXLAN."
  },
  "IpTunnelConfig": {
    "mode": "What is carried in what.",
    "base-iface": "The interface below.",
    "local": "Source address of the tunnel.",
    "remote": "Destination address of the tunnel.",
    "ttl": "Time to live of outer packets.",
    "tos": "Type of service of outer packets.",
    "flow-label": "Flow label, up to 0xfffff.",
    "ip6tun-flags": "Flags of an IPv6 tunnel.",
    "pmtu-disc": "Path MTU discovery.",
    "encap-limit": "How deep tunnels may nest.",
    "fwmark": "Firewall mark of outer packets."
  },
  "IpTunnelInterface": {
    "ip-tunnel": "What makes the tunnel."
  },
  "VlanQosMapping": {},
  "VlanConfig": {
    "base-iface": "The interface below.",
    "protocol": "Tag protocol.",
    "registration-protocol": "Protocol that announces the VLAN.",
    "reorder-headers": "Whether the tag is taken out of received headers; yes by default.",
    "loose-binding": "Whether the VLAN stays up without its base.",
    "ingress-qos-map": "VLAN priority to internal priority.",
    "egress-qos-map": "Internal priority to VLAN priority."
  },
  "VlanInterface": {
    "vlan": "What makes the VLAN."
  },
  "VrfConfig": {
    "port": "Interfaces of the domain.",
    "route-table-id": "Route table of the domain; not 0."
  },
  "VrfInterface": {
    "vrf": "What makes the domain."
  },
  "RouteEntry": {
    "state": "Set on routes that are not to be written.",
    "destination": "Network, such as `198.51.100.0/24` or `::/0`.",
    "next-hop-interface": "The interface that packets leave through.",
    "next-hop-address": "The gateway.",
    "metric": "Lower is better; -1 for the default.",
    "table-id": "Route table; 0 for the main one.",
    "weight": "Share of the traffic over several IPv4 routes, 1 to 256.",
    "route-type": "A route that drops packets.",
    "cwnd": "Congestion window, locked.",
    "source": "Preferred source address.",
    "initcwnd": "Initial congestion window.",
    "initrwnd": "Initial receive window.",
    "mtu": "Largest packet on the route.",
    "quickack": "Whether acknowledgements are sent at once.",
    "advmss": "Segment size to advertise.",
    "lock-mtu": "Whether the MTU is fixed.",
    "vrf-name": "VRF whose route table is used."
  },
  "Routes": {
    "running": "Read-only.",
    "config": "The routes."
  },
  "RouteRuleEntry": {
    "family": "Needed where neither `ip-from` nor `ip-to` tells.",
    "state": "Set on rules that are not to be written.",
    "ip-from": "Source network.",
    "ip-to": "Destination network.",
    "priority": "Lower comes first; 30000 and up by default.",
    "route-table": "The table to look in; the main one by default.",
    "fwmark": "Firewall mark.",
    "fwmask": "Bits of the mark that count.",
    "action": "Drops packets instead.",
    "iif": "Incoming interface.",
    "suppress-prefix-length": "Routes with at most this prefix length are passed over."
  },
  "RouteRules": {
    "config": "The rules."
  },
  "DnsClientState": {
    "server": "Addresses of name servers; a link-local one needs its interface, as in `fe80::1%eth0`.",
    "search": "Domains to search.",
    "options": "Resolver options, such as `rotate` or `ndots:2`."
  },
  "DnsState": {
    "running": "Read-only.",
    "config": "The settings."
  },
  "HostNameState": {
    "running": "Read-only.",
    "config": "The name."
  },
  "OvnBridgeMapping": {
    "state": "`present` by default.",
    "bridge": "The Open vSwitch bridge."
  },
  "OvnConfiguration": {
    "bridge-mappings": "Physical networks and their bridges."
  },
  "NetworkState": {
    "description": "A note about the whole.",
    "hostname": "Name of the host.",
    "dns-resolver": "Name resolution.",
    "route-rules": "Rules that choose route tables.",
    "routes": "Static routes.",
    "interfaces": "The interfaces.",
    "ovs-db": "Global entries of the Open vSwitch database.",
    "ovn": "OVN."
  },
  "NetworkPolicy": {
    "capture": "Parts of the current state, by name.",
    "desired": "The state, with references to captures.",
    "current": "The state that captures look at."
  }
};
