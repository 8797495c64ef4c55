// Generated from the tables of inputs by scripts/generate.mjs; edit those instead.

/** Every map that a network state is made of, by its name: `StateParts['BondOptions']`. */
export interface StateParts {
  /** The network of a host. */
  NetworkState: {
    /** A note about the whole. */
    readonly description?: string | undefined;
    /** Name of the host. */
    readonly hostname?: StateParts['HostNameState'] | undefined;
    /** Name resolution. */
    readonly 'dns-resolver'?: StateParts['DnsState'] | undefined;
    /** Rules that choose route tables. */
    readonly 'route-rules'?: StateParts['RouteRules'] | undefined;
    /** Static routes. */
    readonly routes?: StateParts['Routes'] | undefined;
    /** The interfaces. */
    readonly interfaces?: readonly Interface[] | undefined;
    /** Global entries of the Open vSwitch database. */
    readonly 'ovs-db'?: StateParts['OvsDbGlobalConfig'] | undefined;
    /** OVN. */
    readonly ovn?: StateParts['OvnConfiguration'] | undefined;
  };
  /** What an interface of any type may have. */
  BaseInterface: {
    /** Name of the interface. */
    readonly name: string;
    /** Name of the connection profile, and of its file; the interface name by default. */
    readonly 'profile-name'?: string | undefined;
    /** A note; kept in the profile. */
    readonly description?: string | undefined;
    /** `up` by default. `down` writes a profile that is not started, `absent` and `ignore` write none. */
    readonly state?: 'up' | 'down' | 'absent' | 'unknown' | 'ignore' | undefined;
    /** What the profile matches: the name, or the card with that address. */
    readonly identifier?: 'name' | 'mac-address' | 'pci-address' | undefined;
    /** MAC address to set, or to match with `identifier: mac-address`. */
    readonly 'mac-address'?: string | undefined;
    /** PCI address to match with `identifier: pci-address`. */
    readonly 'pci-address'?: string | undefined;
    /** Read-only; a source of `copy-mac-from`. */
    readonly 'permanent-mac-address'?: string | undefined;
    /** Largest packet, in bytes. */
    readonly mtu?: number | bigint | undefined;
    /** Read-only. */
    readonly 'min-mtu'?: number | bigint | undefined;
    /** Read-only. */
    readonly 'max-mtu'?: number | bigint | undefined;
    /** Which addresses the profile waits for before it counts as started. */
    readonly 'wait-ip'?: 'any' | 'ipv4' | 'ipv6' | 'ipv4+ipv6' | undefined;
    /** IPv4. */
    readonly ipv4?: StateParts['InterfaceIpv4'] | undefined;
    /** IPv6. */
    readonly ipv6?: StateParts['InterfaceIpv6'] | undefined;
    /** Multipath TCP. */
    readonly mptcp?: StateParts['MptcpConfig'] | undefined;
    /** The bond, bridge or VRF that the interface is a port of. */
    readonly controller?: string | undefined;
    /** Promiscuous mode. */
    readonly 'accept-all-mac-addresses'?: boolean | undefined;
    /** Interface whose MAC address is taken over; for bonds, Linux bridges and Open vSwitch. */
    readonly 'copy-mac-from'?: string | undefined;
    /** Entries of the Open vSwitch database. */
    readonly 'ovs-db'?: { readonly external_ids?: StateParts['OvsDbEntries'] | undefined; readonly other_config?: StateParts['OvsDbEntries'] | undefined } | undefined;
    /** Port-based authentication. */
    readonly '802.1x'?: StateParts['Ieee8021XConfig'] | undefined;
    /** Link layer discovery. */
    readonly lldp?: StateParts['LldpConfig'] | undefined;
    /** Settings of the network card. */
    readonly ethtool?: StateParts['EthtoolConfig'] | undefined;
    /** Scripts of a running host; refused when keyfiles are written. */
    readonly dispatch?: StateParts['DispatchConfig'] | undefined;
    /** Read-only. */
    readonly driver?: string | undefined;
    /** Other names of the interface; checked, not written. */
    readonly 'alt-names'?: readonly StateParts['AltNameEntry'][] | undefined;
  };
  /** A network card, or one end of a virtual cable. */
  EthernetInterface: StateParts['BaseInterface'] & {
    readonly type?: 'ethernet' | 'veth' | undefined;
    /** Link settings. */
    readonly ethernet?: StateParts['EthernetConfig'] | undefined;
    /** Makes the interface one end of a virtual cable. */
    readonly veth?: StateParts['VethConfig'] | undefined;
  };
  /** Several interfaces joined to one. */
  BondInterface: StateParts['BaseInterface'] & {
    readonly type: 'bond';
    /** What the bond joins, and how. */
    readonly 'link-aggregation'?: StateParts['BondConfig'] | undefined;
  };
  /** A bridge of the kernel. */
  LinuxBridgeInterface: StateParts['BaseInterface'] & {
    readonly type: 'linux-bridge';
    /** Options and ports of the bridge. */
    readonly bridge?: StateParts['LinuxBridgeConfig'] | undefined;
  };
  /** An interface without hardware. */
  DummyInterface: StateParts['BaseInterface'] & {
    readonly type: 'dummy';
  };
  /** A redundant ring. */
  HsrInterface: StateParts['BaseInterface'] & {
    readonly type: 'hsr';
    /** Ports and protocol. */
    readonly hsr?: StateParts['HsrConfig'] | undefined;
  };
  /** The loopback interface, `lo`. */
  LoopbackInterface: StateParts['BaseInterface'] & {
    readonly type: 'loopback';
  };
  /** An interface with a MAC address of its own on top of another. */
  MacVlanInterface: StateParts['BaseInterface'] & {
    readonly type: 'mac-vlan';
    /** What makes the MAC VLAN. */
    readonly 'mac-vlan'?: StateParts['MacVlanConfig'] | undefined;
  };
  /** The same for virtual machines. */
  MacVtapInterface: StateParts['BaseInterface'] & {
    readonly type: 'mac-vtap';
    /** What makes the MAC VTAP. */
    readonly 'mac-vtap'?: StateParts['MacVtapConfig'] | undefined;
  };
  /** A bridge of Open vSwitch. */
  OvsBridgeInterface: StateParts['BaseInterface'] & {
    readonly type: 'ovs-bridge';
    /** Options and ports of the bridge. */
    readonly bridge?: StateParts['OvsBridgeConfig'] | undefined;
  };
  /** An internal, patch or DPDK port of Open vSwitch. */
  OvsInterface: StateParts['BaseInterface'] & {
    readonly type: 'ovs-interface';
    /** Makes the interface one end of a patch. */
    readonly patch?: StateParts['OvsPatchConfig'] | undefined;
    /** Makes the interface a DPDK port. */
    readonly dpdk?: StateParts['OvsDpdkConfig'] | undefined;
  };
  /** A VLAN on top of another interface. */
  VlanInterface: StateParts['BaseInterface'] & {
    readonly type: 'vlan';
    /** What makes the VLAN. */
    readonly vlan?: StateParts['VlanConfig'] | undefined;
  };
  /** A virtual routing and forwarding domain. */
  VrfInterface: StateParts['BaseInterface'] & {
    readonly type: 'vrf';
    /** What makes the domain. */
    readonly vrf?: StateParts['VrfConfig'] | undefined;
  };
  /** A VXLAN tunnel. */
  VxlanInterface: StateParts['BaseInterface'] & {
    readonly type: 'vxlan';
    /** What makes the VXLAN. */
    readonly vxlan?: StateParts['VxlanConfig'] | undefined;
  };
  /** IP over InfiniBand. */
  InfiniBandInterface: StateParts['BaseInterface'] & {
    readonly type: 'infiniband';
    /** IP over InfiniBand. */
    readonly infiniband?: StateParts['InfiniBandConfig'] | undefined;
  };
  /** Encryption of a link. */
  MacSecInterface: StateParts['BaseInterface'] & {
    readonly type: 'macsec';
    /** What makes the MACsec interface. */
    readonly macsec?: StateParts['MacSecConfig'] | undefined;
  };
  /** An IPsec connection. */
  IpsecInterface: StateParts['BaseInterface'] & {
    readonly type: 'ipsec';
    /** The connection, in words of Libreswan. */
    readonly libreswan?: StateParts['LibreswanConfig'] | undefined;
  };
  /** A transform interface of the kernel. */
  XfrmInterface: StateParts['BaseInterface'] & {
    readonly type: 'xfrm';
  };
  /** An interface that shares the MAC address of another. */
  IpVlanInterface: StateParts['BaseInterface'] & {
    readonly type: 'ipvlan';
    /** What makes the IP VLAN. */
    readonly ipvlan?: StateParts['IpVlanConfig'] | undefined;
  };
  /** IP within IP. */
  IpTunnelInterface: StateParts['BaseInterface'] & {
    readonly type: 'ip-tunnel';
    /** What makes the tunnel. */
    readonly 'ip-tunnel'?: StateParts['IpTunnelConfig'] | undefined;
  };
  /** Entries of the Open vSwitch database; null drops one. */
  OvsDbEntries: { readonly [key: string]: string | number | bigint | boolean | null };
  /** Name of the host; a keyfile cannot hold it. */
  HostNameState: {
    /** Read-only. */
    readonly running?: string | undefined;
    /** The name. */
    readonly config?: string | undefined;
  };
  /** Name resolution. */
  DnsState: {
    /** Read-only. */
    readonly running?: StateParts['DnsClientState'] | undefined;
    /** The settings. */
    readonly config?: StateParts['DnsClientState'] | undefined;
  };
  /** Settings of the resolver. */
  DnsClientState: {
    /** Addresses of name servers; a link-local one needs its interface, as in `fe80::1%eth0`. */
    readonly server?: readonly string[] | undefined;
    /** Domains to search. */
    readonly search?: readonly string[] | undefined;
    /** Resolver options, such as `rotate` or `ndots:2`. */
    readonly options?: readonly string[] | undefined;
  };
  /** Rules that choose route tables. */
  RouteRules: {
    /** The rules. */
    readonly config?: readonly StateParts['RouteRuleEntry'][] | undefined;
  };
  /** One rule that chooses a route table. */
  RouteRuleEntry: {
    /** Needed where neither `ip-from` nor `ip-to` tells. */
    readonly family?: 'ipv4' | 'ipv6' | 'unknown' | undefined;
    /** Set on rules that are not to be written. */
    readonly state?: 'absent' | undefined;
    /** Source network. */
    readonly 'ip-from'?: string | undefined;
    /** Destination network. */
    readonly 'ip-to'?: string | undefined;
    /** Lower comes first; 30000 and up by default. */
    readonly priority?: number | bigint | undefined;
    /** The table to look in; the main one by default. */
    readonly 'route-table'?: number | undefined;
    /** Firewall mark. */
    readonly fwmark?: number | undefined;
    /** Bits of the mark that count. */
    readonly fwmask?: number | undefined;
    /** Drops packets instead. */
    readonly action?: 'blackhole' | 'unreachable' | 'prohibit' | undefined;
    /** Incoming interface. */
    readonly iif?: string | undefined;
    /** Routes with at most this prefix length are passed over. */
    readonly 'suppress-prefix-length'?: number | undefined;
  };
  /** Static routes. */
  Routes: {
    /** Read-only. */
    readonly running?: readonly StateParts['RouteEntry'][] | undefined;
    /** The routes. */
    readonly config?: readonly StateParts['RouteEntry'][] | undefined;
  };
  /** One route. */
  RouteEntry: {
    /** Set on routes that are not to be written. */
    readonly state?: 'absent' | 'ignore' | undefined;
    /** Network, such as `198.51.100.0/24` or `::/0`. */
    readonly destination?: string | undefined;
    /** The interface that packets leave through. */
    readonly 'next-hop-interface'?: string | undefined;
    /** The gateway. */
    readonly 'next-hop-address'?: string | undefined;
    /** Lower is better; -1 for the default. */
    readonly metric?: number | bigint | undefined;
    /** Route table; 0 for the main one. */
    readonly 'table-id'?: number | undefined;
    /** Share of the traffic over several IPv4 routes, 1 to 256. */
    readonly weight?: number | undefined;
    /** A route that drops packets. */
    readonly 'route-type'?: 'blackhole' | 'unreachable' | 'prohibit' | undefined;
    /** Congestion window, locked. */
    readonly cwnd?: number | undefined;
    /** Preferred source address. */
    readonly source?: string | undefined;
    /** Initial congestion window. */
    readonly initcwnd?: number | undefined;
    /** Initial receive window. */
    readonly initrwnd?: number | undefined;
    /** Largest packet on the route. */
    readonly mtu?: number | undefined;
    /** Whether acknowledgements are sent at once. */
    readonly quickack?: boolean | undefined;
    /** Segment size to advertise. */
    readonly advmss?: number | undefined;
    /** Whether the MTU is fixed. */
    readonly 'lock-mtu'?: boolean | undefined;
    /** VRF whose route table is used. */
    readonly 'vrf-name'?: string | undefined;
  };
  /** Global entries of the Open vSwitch database; checked, never written. */
  OvsDbGlobalConfig: {
    /** External identifiers. */
    readonly external_ids?: { readonly [key: string]: string | null } | undefined;
    /** Other configuration. */
    readonly other_config?: { readonly [key: string]: string | null } | undefined;
  };
  /** OVN; checked, never written. */
  OvnConfiguration: {
    /** Physical networks and their bridges. */
    readonly 'bridge-mappings'?: readonly StateParts['OvnBridgeMapping'][] | undefined;
  };
  /** One mapping of a physical network to a bridge. */
  OvnBridgeMapping: {
    /** Name of the physical network. */
    readonly localnet: string;
    /** `present` by default. */
    readonly state?: 'present' | 'absent' | undefined;
    /** The Open vSwitch bridge. */
    readonly bridge?: string | undefined;
  };
  /** IPv4 of an interface. */
  InterfaceIpv4: {
    /** Whether the family is used at all; no by default. */
    readonly enabled?: boolean | undefined;
    /** Whether addresses come from DHCP. */
    readonly dhcp?: boolean | undefined;
    /** Identity towards a DHCPv4 server. */
    readonly 'dhcp-client-id'?: string | undefined;
    /** Identity towards a DHCPv6 server. */
    readonly 'dhcp-duid'?: string | undefined;
    /** Static addresses. */
    readonly address?: readonly StateParts['InterfaceIpAddr'][] | undefined;
    /** Whether received DNS servers are used; yes by default. */
    readonly 'auto-dns'?: boolean | undefined;
    /** Whether a received default route is used; yes by default. */
    readonly 'auto-gateway'?: boolean | undefined;
    /** Whether received routes are used; yes by default. */
    readonly 'auto-routes'?: boolean | undefined;
    /** Table of received routes. */
    readonly 'auto-route-table-id'?: number | undefined;
    /** Metric of received routes. */
    readonly 'auto-route-metric'?: number | bigint | undefined;
    /** How the interface part of an IPv6 address is made. */
    readonly 'addr-gen-mode'?: string | undefined;
    /** Only meant for applying a state to a running host. */
    readonly 'allow-extra-address'?: boolean | undefined;
    /** Interface part of automatic IPv6 addresses. */
    readonly token?: string | undefined;
    /** Whether the host name is sent to the server; yes by default. */
    readonly 'dhcp-send-hostname'?: boolean | undefined;
    /** The host name to send. */
    readonly 'dhcp-custom-hostname'?: string | undefined;
    /** Whether packets are forwarded; IPv4 only. */
    readonly forwarding?: boolean | undefined;
    /** Metric of the routes that come with addresses; IPv4 only. */
    readonly 'prefix-route-metric'?: number | bigint | undefined;
  };
  /** One address of the interface. */
  InterfaceIpAddr: {
    /** The address, without prefix length. */
    readonly ip: string;
    /** Length of the network part. */
    readonly 'prefix-length': number;
    /** Read-only; set `mptcp` on the interface instead. */
    readonly 'mptcp-flags'?: readonly ('signal' | 'subflow' | 'backup' | 'fullmesh')[] | undefined;
    /** An address with a lifetime other than `forever` counts as dynamic and is left out. */
    readonly 'valid-life-time'?: string | undefined;
    /** Read-only. */
    readonly 'preferred-life-time'?: string | undefined;
    /** Who set the address: `lo`, `ra`, `kernel_ll` or a number. Numbers above 3 are left out. */
    readonly protocol?: 'lo' | 'ra' | 'kernel_ll' | number | undefined;
  };
  /** IPv6 of an interface. */
  InterfaceIpv6: {
    /** Whether the family is used at all; no by default. */
    readonly enabled?: boolean | undefined;
    /** Whether addresses come from DHCP. */
    readonly dhcp?: boolean | undefined;
    /** Whether addresses come from router advertisements; needs `dhcp: true` as well. */
    readonly autoconf?: boolean | undefined;
    /** Identity towards a DHCPv4 server. */
    readonly 'dhcp-client-id'?: string | undefined;
    /** Identity towards a DHCPv6 server. */
    readonly 'dhcp-duid'?: string | undefined;
    /** Static addresses. */
    readonly address?: readonly StateParts['InterfaceIpAddr'][] | undefined;
    /** Whether received DNS servers are used; yes by default. */
    readonly 'auto-dns'?: boolean | undefined;
    /** Whether a received default route is used; yes by default. */
    readonly 'auto-gateway'?: boolean | undefined;
    /** Whether received routes are used; yes by default. */
    readonly 'auto-routes'?: boolean | undefined;
    /** Table of received routes. */
    readonly 'auto-route-table-id'?: number | undefined;
    /** Metric of received routes. */
    readonly 'auto-route-metric'?: number | bigint | undefined;
    /** How the interface part of an IPv6 address is made. */
    readonly 'addr-gen-mode'?: string | undefined;
    /** Only meant for applying a state to a running host. */
    readonly 'allow-extra-address'?: boolean | undefined;
    /** Interface part of automatic IPv6 addresses. */
    readonly token?: string | undefined;
    /** Whether the host name is sent to the server; yes by default. */
    readonly 'dhcp-send-hostname'?: boolean | undefined;
    /** The host name to send. */
    readonly 'dhcp-custom-hostname'?: string | undefined;
  };
  /** Multipath TCP. */
  MptcpConfig: {
    /** Flags for every address of the interface; signal and fullmesh exclude each other. */
    readonly 'address-flags'?: readonly ('signal' | 'subflow' | 'backup' | 'fullmesh')[] | undefined;
  };
  /** Port-based authentication. */
  Ieee8021XConfig: {
    /** User name. */
    readonly identity?: string | undefined;
    /** Methods, such as `tls` or `peap`. */
    readonly 'eap-methods'?: readonly string[] | undefined;
    /** Path of the private key. */
    readonly 'private-key'?: string | undefined;
    /** Path of the certificate. */
    readonly 'client-cert'?: string | undefined;
    /** Path of the authority. */
    readonly 'ca-cert'?: string | undefined;
    /** Password of the private key. A secret. */
    readonly 'private-key-password'?: string | undefined;
    /** Inner authentication. */
    readonly 'phase2-auth'?: string | undefined;
    /** Password of the user. A secret. */
    readonly password?: string | undefined;
  };
  /** Link layer discovery. */
  LldpConfig: {
    /** Whether neighbours are listened to. */
    readonly enabled: boolean;
    /** Read-only. */
    readonly neighbors?: unknown;
  };
  /** Settings of the network card. */
  EthtoolConfig: {
    /** Flow control. */
    readonly pause?: StateParts['EthtoolPauseConfig'] | undefined;
    /** Offload features by name, on or off. */
    readonly feature?: { readonly [feature: string]: boolean } | undefined;
    /** Interrupt coalescing. */
    readonly coalesce?: StateParts['EthtoolCoalesceConfig'] | undefined;
    /** Sizes of the rings. */
    readonly ring?: StateParts['EthtoolRingConfig'] | undefined;
    /** Forward error correction. */
    readonly fec?: StateParts['EthtoolFecConfig'] | undefined;
  };
  /** Flow control. */
  EthtoolPauseConfig: {
    /** Whether pause frames are obeyed; only with `autoneg: false`. */
    readonly rx?: boolean | undefined;
    /** Whether pause frames are sent; only with `autoneg: false`. */
    readonly tx?: boolean | undefined;
    /** Whether flow control is negotiated. */
    readonly autoneg?: boolean | undefined;
  };
  /** Interrupt coalescing. */
  EthtoolCoalesceConfig: {
    /** Adaptive coalescing on receive. */
    readonly 'adaptive-rx'?: boolean | undefined;
    /** Adaptive coalescing on transmit. */
    readonly 'adaptive-tx'?: boolean | undefined;
    /** Packets per second above which the `high` values are used. */
    readonly 'pkt-rate-high'?: number | undefined;
    /** Packets per second below which the `low` values are used. */
    readonly 'pkt-rate-low'?: number | undefined;
    /** Received frames before an interrupt. */
    readonly 'rx-frames'?: number | undefined;
    /** Received frames before an interrupt at a high rate. */
    readonly 'rx-frames-high'?: number | undefined;
    /** Received frames before an interrupt while one is served. */
    readonly 'rx-frames-irq'?: number | undefined;
    /** Received frames before an interrupt at a low rate. */
    readonly 'rx-frames-low'?: number | undefined;
    /** Microseconds before an interrupt on receive. */
    readonly 'rx-usecs'?: number | undefined;
    /** Microseconds before an interrupt on receive at a high rate. */
    readonly 'rx-usecs-high'?: number | undefined;
    /** Microseconds before an interrupt on receive while one is served. */
    readonly 'rx-usecs-irq'?: number | undefined;
    /** Microseconds before an interrupt on receive at a low rate. */
    readonly 'rx-usecs-low'?: number | undefined;
    /** Not written by nmstate. */
    readonly 'sample-interval'?: number | undefined;
    /** Not written by nmstate. */
    readonly 'stats-block-usecs'?: number | undefined;
    /** Sent frames before an interrupt. */
    readonly 'tx-frames'?: number | undefined;
    /** Sent frames before an interrupt at a high rate. */
    readonly 'tx-frames-high'?: number | undefined;
    /** Sent frames before an interrupt while one is served. */
    readonly 'tx-frames-irq'?: number | undefined;
    /** Sent frames before an interrupt at a low rate. */
    readonly 'tx-frames-low'?: number | undefined;
    /** Microseconds before an interrupt on transmit. */
    readonly 'tx-usecs'?: number | undefined;
    /** Not written by nmstate. */
    readonly 'tx-usecs-high'?: number | undefined;
    /** Not written by nmstate. */
    readonly 'tx-usecs-irq'?: number | undefined;
    /** Not written by nmstate. */
    readonly 'tx-usecs-low'?: number | undefined;
  };
  /** Sizes of the rings. */
  EthtoolRingConfig: {
    /** Receive ring. */
    readonly rx?: number | undefined;
    /** Read-only. */
    readonly 'rx-max'?: number | undefined;
    /** Receive ring for jumbo frames. */
    readonly 'rx-jumbo'?: number | undefined;
    /** Read-only. */
    readonly 'rx-jumbo-max'?: number | undefined;
    /** Receive ring for small frames. */
    readonly 'rx-mini'?: number | undefined;
    /** Read-only. */
    readonly 'rx-mini-max'?: number | undefined;
    /** Transmit ring. */
    readonly tx?: number | undefined;
    /** Read-only. */
    readonly 'tx-max'?: number | undefined;
  };
  /** Forward error correction. */
  EthtoolFecConfig: {
    /** Whether the mode is chosen by the driver. */
    readonly auto?: boolean | undefined;
    /** The mode, unless `auto`. */
    readonly mode?: 'off' | 'rs' | 'baser' | 'llrs' | undefined;
  };
  /** Scripts that a running host calls. */
  DispatchConfig: {
    /** Called after the interface has started. */
    readonly 'post-activation'?: string | undefined;
    /** Called after the interface has stopped. */
    readonly 'post-deactivation'?: string | undefined;
  };
  /** Another name of the interface. nmstate checks it and writes nothing. */
  AltNameEntry: {
    /** The name. */
    readonly name: string;
    /** `absent` takes the name away. */
    readonly state?: 'absent' | undefined;
  };
  /** Link settings of an Ethernet interface. */
  EthernetConfig: {
    /** SR-IOV of a physical function. */
    readonly 'sr-iov'?: StateParts['SrIovConfig'] | undefined;
    /** Whether speed and duplex are negotiated. */
    readonly 'auto-negotiation'?: boolean | undefined;
    /** Mbit/s; only with `auto-negotiation: false`. */
    readonly speed?: number | undefined;
    /** Only with `auto-negotiation: false`. */
    readonly duplex?: 'full' | 'half' | undefined;
  };
  /** SR-IOV of a physical function. */
  SrIovConfig: {
    /** Whether functions are bound to a driver. */
    readonly 'drivers-autoprobe'?: boolean | undefined;
    /** How many functions to create. */
    readonly 'total-vfs'?: number | undefined;
    /** Read-only. */
    readonly 'max-vfs'?: number | undefined;
    /** Settings of single functions. */
    readonly vfs?: readonly StateParts['SrIovVfConfig'][] | undefined;
  };
  /** One SR-IOV virtual function. */
  SrIovVfConfig: {
    /** Number of the function. */
    readonly id: number;
    /** Read-only. */
    readonly 'iface-name'?: string | undefined;
    /** MAC address of the function. */
    readonly 'mac-address'?: string | undefined;
    /** Whether frames with a foreign MAC address are dropped. */
    readonly 'spoof-check'?: boolean | undefined;
    /** Whether the function may change its MAC address and go promiscuous. */
    readonly trust?: boolean | undefined;
    /** Guaranteed Mbit/s. */
    readonly 'min-tx-rate'?: number | undefined;
    /** Highest Mbit/s. */
    readonly 'max-tx-rate'?: number | undefined;
    /** VLAN of the function. */
    readonly 'vlan-id'?: number | undefined;
    /** Priority within that VLAN. */
    readonly qos?: number | undefined;
    /** Protocol of that VLAN. */
    readonly 'vlan-proto'?: '802.1q' | '802.1ad' | undefined;
  };
  /** Makes the interface one end of a virtual cable. */
  VethConfig: {
    /** Name of the other end. */
    readonly peer: string;
  };
  /** Ports and options of a bond. */
  BondConfig: {
    /** How traffic is spread over the ports. */
    readonly mode?: 'balance-rr' | 'active-backup' | 'balance-xor' | 'broadcast' | '802.3ad' | 'balance-tlb' | 'balance-alb' | 'unknown' | undefined;
    /** Options of the bonding driver. */
    readonly options?: StateParts['BondOptions'] | undefined;
    /** Names of the ports. */
    readonly port?: readonly string[] | undefined;
    /** Ports with settings of their own. */
    readonly 'ports-config'?: readonly StateParts['BondPortConfig'][] | undefined;
  };
  /** Options of the kernel bonding driver. */
  BondOptions: {
    /** System priority in 802.3ad. */
    readonly ad_actor_sys_prio?: number | undefined;
    /** System MAC address in 802.3ad. */
    readonly ad_actor_system?: string | undefined;
    /** How the active aggregator is chosen. */
    readonly ad_select?: 'stable' | 'bandwidth' | 'count' | undefined;
    /** Upper ten bits of the port key. */
    readonly ad_user_port_key?: number | undefined;
    /** What happens to duplicate frames on inactive ports. */
    readonly all_slaves_active?: 'dropped' | 'delivered' | undefined;
    /** How many ARP targets must answer. */
    readonly arp_all_targets?: 'any' | 'all' | undefined;
    /** Milliseconds between ARP probes; 0 turns them off. */
    readonly arp_interval?: number | undefined;
    /** IPv4 addresses to probe, separated by commas. */
    readonly arp_ip_target?: string | undefined;
    /** On which ports ARP answers are validated. */
    readonly arp_validate?: 'none' | 'active' | 'backup' | 'all' | 'filter' | 'filter_active' | 'filter_backup' | undefined;
    /** Milliseconds before a failed port is disabled. */
    readonly downdelay?: number | undefined;
    /** Whose MAC address the bond takes. */
    readonly fail_over_mac?: 'none' | 'active' | 'follow' | undefined;
    /** How often the partner sends LACPDUs. */
    readonly lacp_rate?: 'slow' | 'fast' | undefined;
    /** Seconds between learning packets. */
    readonly lp_interval?: number | undefined;
    /** Milliseconds between link checks. */
    readonly miimon?: number | undefined;
    /** Ports that must be up for the bond to be up. */
    readonly min_links?: number | undefined;
    /** Gratuitous ARPs after a failover. */
    readonly num_grat_arp?: number | undefined;
    /** Unsolicited neighbour advertisements after a failover. */
    readonly num_unsol_na?: number | undefined;
    /** Packets sent through a port before the next one is used. */
    readonly packets_per_slave?: number | undefined;
    /** The port to prefer. */
    readonly primary?: string | undefined;
    /** When the primary port becomes active again. */
    readonly primary_reselect?: 'always' | 'better' | 'failure' | undefined;
    /** IGMP reports after a failover. */
    readonly resend_igmp?: number | undefined;
    /** Whether balance-tlb shuffles flows. */
    readonly tlb_dynamic_lb?: boolean | undefined;
    /** Milliseconds before a recovered port is used. */
    readonly updelay?: number | undefined;
    /** Whether the driver is asked for the carrier. */
    readonly use_carrier?: boolean | undefined;
    /** What decides the port of an outgoing packet. */
    readonly xmit_hash_policy?: 'layer2' | 'layer3+4' | 'layer2+3' | 'encap2+3' | 'encap3+4' | 'vlan+srcmac' | undefined;
    /** Source load balancing; needs mode balance-xor and `xmit_hash_policy: vlan+srcmac`. */
    readonly balance_slb?: boolean | undefined;
    /** Failed ARP probes before a port counts as down. */
    readonly arp_missed_max?: number | undefined;
    /** Whether LACPDUs are sent without being asked. */
    readonly lacp_active?: boolean | undefined;
    /** IPv6 addresses to probe. */
    readonly ns_ip6_target?: readonly string[] | undefined;
  };
  /** Settings of one port of a bond. */
  BondPortConfig: {
    /** Name of the port. */
    readonly name: string;
    /** Which port takes over first; higher wins. */
    readonly priority?: number | undefined;
    /** Queue of the port. */
    readonly 'queue-id'?: number | undefined;
  };
  /** Options and ports of a Linux bridge. */
  LinuxBridgeConfig: {
    /** Only meant for applying a state to a running host. */
    readonly 'allow-extra-ports'?: boolean | undefined;
    /** Options of the bridge. */
    readonly options?: StateParts['LinuxBridgeOptions'] | undefined;
    /** Ports of the bridge. */
    readonly port?: readonly StateParts['LinuxBridgePortConfig'][] | undefined;
  };
  /** Options of a Linux bridge. */
  LinuxBridgeOptions: {
    /** Read-only. */
    readonly 'gc-timer'?: number | bigint | undefined;
    /** Multicast MAC address of the bridge, for STP. */
    readonly 'group-addr'?: string | undefined;
    /** The same as `group-fwd-mask`. */
    readonly 'group-forward-mask'?: number | undefined;
    /** Link-local group addresses that are forwarded. */
    readonly 'group-fwd-mask'?: number | undefined;
    /** Size of the multicast table. */
    readonly 'hash-max'?: number | undefined;
    /** Read-only. */
    readonly 'hello-timer'?: number | bigint | undefined;
    /** Seconds until a learned address is forgotten. */
    readonly 'mac-ageing-time'?: number | undefined;
    /** Queries before a group is left. */
    readonly 'multicast-last-member-count'?: number | undefined;
    /** Time between those queries, in hundredths of a second. */
    readonly 'multicast-last-member-interval'?: number | bigint | undefined;
    /** Time until a silent member is forgotten, in hundredths of a second. */
    readonly 'multicast-membership-interval'?: number | bigint | undefined;
    /** Whether the bridge asks for members itself. */
    readonly 'multicast-querier'?: boolean | undefined;
    /** Time until another querier counts as gone, in hundredths of a second. */
    readonly 'multicast-querier-interval'?: number | bigint | undefined;
    /** Time between queries, in hundredths of a second. */
    readonly 'multicast-query-interval'?: number | bigint | undefined;
    /** Time to answer a query, in hundredths of a second. */
    readonly 'multicast-query-response-interval'?: number | bigint | undefined;
    /** Whether queries carry the address of the bridge. */
    readonly 'multicast-query-use-ifaddr'?: boolean | undefined;
    /** Whether the bridge counts as multicast router. */
    readonly 'multicast-router'?: 'disabled' | 'auto' | 'enabled' | undefined;
    /** Whether multicast goes to members only. */
    readonly 'multicast-snooping'?: boolean | undefined;
    /** Queries at start-up. */
    readonly 'multicast-startup-query-count'?: number | undefined;
    /** Time between those queries, in hundredths of a second. */
    readonly 'multicast-startup-query-interval'?: number | bigint | undefined;
    /** Spanning tree protocol. */
    readonly stp?: StateParts['LinuxBridgeStpOptions'] | undefined;
    /** Protocol of VLAN filtering. */
    readonly 'vlan-protocol'?: '802.1q' | '802.1ad' | undefined;
    /** VLAN of untagged frames. */
    readonly 'vlan-default-pvid'?: number | undefined;
  };
  /** Spanning tree protocol. */
  LinuxBridgeStpOptions: {
    /** Whether the bridge takes part in the spanning tree. */
    readonly enabled?: boolean | undefined;
    /** Seconds in the listening and learning states, 2 to 30. */
    readonly 'forward-delay'?: number | undefined;
    /** Seconds between hello packets, 1 to 10. */
    readonly 'hello-time'?: number | undefined;
    /** Seconds until a silent root is forgotten, 6 to 40. */
    readonly 'max-age'?: number | undefined;
    /** Lower values become root. */
    readonly priority?: number | undefined;
  };
  /** One port of a Linux bridge. */
  LinuxBridgePortConfig: {
    /** Name of the port. */
    readonly name: string;
    /** Whether frames may leave through the port they came from. */
    readonly 'stp-hairpin-mode'?: boolean | undefined;
    /** Cost of the port in the spanning tree. */
    readonly 'stp-path-cost'?: number | undefined;
    /** Priority of the port in the spanning tree. */
    readonly 'stp-priority'?: number | undefined;
    /** VLANs of the port. */
    readonly vlan?: StateParts['BridgePortVlanConfig'] | undefined;
  };
  /** VLANs of a bridge port. */
  BridgePortVlanConfig: {
    /** Whether `tag` names the native VLAN of a trunk. */
    readonly 'enable-native'?: boolean | undefined;
    /** Whether the port carries many VLANs or one. */
    readonly mode?: 'trunk' | 'access' | undefined;
    /** The VLAN of an access port, or the native VLAN of a trunk. */
    readonly tag?: number | undefined;
    /** The VLANs of a trunk: `id` or `id-range`. */
    readonly 'trunk-tags'?: readonly ({ readonly id: number } | { readonly 'id-range': { readonly min: number; readonly max: number } })[] | undefined;
  };
  /** High-availability seamless redundancy. nmstate writes no keyfile section for it. */
  HsrConfig: {
    /** First port. */
    readonly port1: string;
    /** Second port. */
    readonly port2: string;
    /** Interlink port; not with PRP. */
    readonly interlink?: string | undefined;
    /** Read-only. */
    readonly 'supervision-address'?: string | undefined;
    /** Last byte of the supervision address. */
    readonly 'multicast-spec': number;
    /** Protocol on the ring. */
    readonly protocol: 'hsr' | 'hsr-2012' | 'prp';
  };
  /** What makes a MAC VLAN. */
  MacVlanConfig: {
    /** The interface below. */
    readonly 'base-iface': string;
    /** Which neighbours may talk to each other. */
    readonly mode: 'vepa' | 'bridge' | 'private' | 'passthru' | 'source' | 'unknown';
    /** Whether the base is promiscuous; `false` only in passthru mode. */
    readonly promiscuous?: boolean | undefined;
  };
  /** What makes a MAC VTAP. */
  MacVtapConfig: {
    /** The interface below. */
    readonly 'base-iface': string;
    /** Which neighbours may talk to each other. */
    readonly mode: 'vepa' | 'bridge' | 'private' | 'passthru' | 'source' | 'unknown';
    /** Whether the base is promiscuous; `false` only in passthru mode. */
    readonly promiscuous?: boolean | undefined;
  };
  /** Options and ports of an Open vSwitch bridge. */
  OvsBridgeConfig: {
    /** Only meant for applying a state to a running host. */
    readonly 'allow-extra-patch-ports'?: boolean | undefined;
    /** Only meant for applying a state to a running host. */
    readonly 'allow-extra-ports'?: boolean | undefined;
    /** Options of the bridge. */
    readonly options?: StateParts['OvsBridgeOptions'] | undefined;
    /** Ports of the bridge. */
    readonly port?: readonly StateParts['OvsBridgePortConfig'][] | undefined;
  };
  /** Options of an Open vSwitch bridge. */
  OvsBridgeOptions: {
    /** Spanning tree protocol: a boolean, or a map with `enabled`. */
    readonly stp?: boolean | StateParts['LinuxBridgeStpOptions'] | undefined;
    /** Rapid spanning tree protocol. */
    readonly rstp?: boolean | undefined;
    /** Whether multicast goes to members only. */
    readonly 'mcast-snooping-enable'?: boolean | undefined;
    /** What happens without a controller: `secure` or `standalone`. */
    readonly 'fail-mode'?: string | undefined;
    /** Datapath type, such as `netdev` or `system`. */
    readonly datapath?: string | undefined;
  };
  /** One port of an Open vSwitch bridge. */
  OvsBridgePortConfig: {
    /** Name of the port. */
    readonly name: string;
    /** Makes the port a bond. */
    readonly 'link-aggregation'?: StateParts['OvsBridgeBondConfig'] | undefined;
    /** VLANs of the port. */
    readonly vlan?: StateParts['BridgePortVlanConfig'] | undefined;
  };
  /** A bond that is one port of an Open vSwitch bridge. */
  OvsBridgeBondConfig: {
    /** How traffic is spread over the members. */
    readonly mode?: 'active-backup' | 'balance-slb' | 'balance-tcp' | 'lacp' | undefined;
    /** Members of the bond. */
    readonly port?: readonly StateParts['OvsBridgeBondPortConfig'][] | undefined;
    /** Milliseconds before a failed member is disabled. */
    readonly 'bond-downdelay'?: number | undefined;
    /** Milliseconds before a recovered member is used. */
    readonly 'bond-updelay'?: number | undefined;
    /** Entries of the Open vSwitch database. */
    readonly 'ovs-db'?: { readonly external_ids?: StateParts['OvsDbEntries'] | undefined; readonly other_config?: StateParts['OvsDbEntries'] | undefined } | undefined;
  };
  /** One member of an Open vSwitch bond. */
  OvsBridgeBondPortConfig: {
    /** Name of the member. */
    readonly name: string;
  };
  /** Makes an Open vSwitch interface one end of a patch. */
  OvsPatchConfig: {
    /** Name of the other end. */
    readonly peer: string;
  };
  /** Makes an Open vSwitch interface a DPDK port. */
  OvsDpdkConfig: {
    /** Device arguments, such as a PCI address. */
    readonly devargs: string;
    /** Receive queues. */
    readonly 'rx-queue'?: number | undefined;
    /** Receive descriptors: a power of two up to 4096. */
    readonly n_rxq_desc?: number | undefined;
    /** Transmit descriptors: a power of two up to 4096. */
    readonly n_txq_desc?: number | undefined;
    /** Whether link changes raise an interrupt. */
    readonly 'lsc-interrupt'?: boolean | undefined;
  };
  /** Settings of a VLAN. */
  VlanConfig: {
    /** The interface below. */
    readonly 'base-iface'?: string | undefined;
    /** VLAN number, 1 to 4094. */
    readonly id: number;
    /** Tag protocol. */
    readonly protocol?: '802.1q' | '802.1ad' | undefined;
    /** Protocol that announces the VLAN. */
    readonly 'registration-protocol'?: 'gvrp' | 'mvrp' | 'none' | undefined;
    /** Whether the tag is taken out of received headers; yes by default. */
    readonly 'reorder-headers'?: boolean | undefined;
    /** Whether the VLAN stays up without its base. */
    readonly 'loose-binding'?: boolean | undefined;
    /** VLAN priority to internal priority. */
    readonly 'ingress-qos-map'?: readonly StateParts['VlanQosMapping'][] | undefined;
    /** Internal priority to VLAN priority. */
    readonly 'egress-qos-map'?: readonly StateParts['VlanQosMapping'][] | undefined;
  };
  /** One pair of a QoS map. */
  VlanQosMapping: {
    /** Priority before. */
    readonly from: number;
    /** Priority after. */
    readonly to: number;
  };
  /** Settings of a virtual routing and forwarding domain. */
  VrfConfig: {
    /** Interfaces of the domain. */
    readonly port?: readonly string[] | undefined;
    /** Route table of the domain; not 0. */
    readonly 'route-table-id'?: number | undefined;
  };
  /** Settings of a VXLAN. */
  VxlanConfig: {
    /** The interface below. */
    readonly 'base-iface'?: string | undefined;
    /** VXLAN network identifier. */
    readonly id: number;
    /** Whether unknown addresses are learned. */
    readonly learning?: boolean | undefined;
    /** Source address of the tunnel. */
    readonly local?: string | undefined;
    /** Unicast or multicast destination. */
    readonly remote?: string | undefined;
    /** UDP port. */
    readonly 'destination-port'?: number | undefined;
  };
  /** IP over InfiniBand. */
  InfiniBandConfig: {
    /** Transport mode. */
    readonly mode: 'datagram' | 'connected';
    /** The interface below. */
    readonly 'base-iface'?: string | undefined;
    /** Partition key; `0xffff` for a base interface. */
    readonly pkey: number;
  };
  /** Settings of a MACsec interface. */
  MacSecConfig: {
    /** Whether traffic is encrypted. */
    readonly encrypt: boolean;
    /** The interface below. */
    readonly 'base-iface': string;
    /** Connectivity association key: 32 hexadecimal digits. A secret. */
    readonly 'mka-cak'?: string | undefined;
    /** Name of that key: 2 to 64 hexadecimal digits. */
    readonly 'mka-ckn'?: string | undefined;
    /** Port of the secure channel identifier. */
    readonly port: number;
    /** What happens to frames that are not protected. */
    readonly validation: 'disabled' | 'check' | 'strict';
    /** Whether the channel identifier is always sent. */
    readonly 'send-sci': boolean;
    /** Where the work is done. */
    readonly offload?: 'off' | 'phy' | 'mac' | undefined;
  };
  /** An IPsec connection of Libreswan. */
  LibreswanConfig: {
    /** Whether NetworkManager adds its own defaults; yes by default. */
    readonly 'nm-auto-defaults'?: boolean | undefined;
    /** Address of the other side. */
    readonly right: string;
    /** Identity of the other side. */
    readonly rightid?: string | undefined;
    /** RSA public key of the other side. */
    readonly rightrsasigkey?: string | undefined;
    /** Certificate of the other side. */
    readonly rightcert?: string | undefined;
    /** Address of this side. */
    readonly left?: string | undefined;
    /** Identity of this side. */
    readonly leftid?: string | undefined;
    /** RSA public key of this side. */
    readonly leftrsasigkey?: string | undefined;
    /** Certificate of this side. */
    readonly leftcert?: string | undefined;
    /** Whether IKEv2 is used. */
    readonly ikev2?: string | undefined;
    /** Pre-shared key. A secret. */
    readonly psk?: string | undefined;
    /** Lifetime of the keying channel. */
    readonly ikelifetime?: string | undefined;
    /** Lifetime of a security association. */
    readonly salifetime?: string | undefined;
    /** Algorithms of the keying channel. */
    readonly ike?: string | undefined;
    /** Algorithms of the traffic. */
    readonly esp?: string | undefined;
    /** Seconds between dead peer probes. */
    readonly dpddelay?: number | bigint | undefined;
    /** Seconds until a silent peer counts as dead. */
    readonly dpdtimeout?: number | bigint | undefined;
    /** What happens when the peer is dead. */
    readonly dpdaction?: string | undefined;
    /** `yes`, `no` or the number of the interface. */
    readonly 'ipsec-interface'?: number | bigint | string | undefined;
    /** How the sides prove who they are. */
    readonly authby?: string | undefined;
    /** Network behind the other side. */
    readonly rightsubnet?: string | undefined;
    /** Networks behind the other side. */
    readonly rightsubnets?: string | undefined;
    /** Network behind this side. */
    readonly leftsubnet?: string | undefined;
    /** Networks behind this side. */
    readonly leftsubnets?: string | undefined;
    /** Whether this side asks for an address. */
    readonly leftmodecfgclient?: boolean | undefined;
    /** What is protected. */
    readonly type?: 'tunnel' | 'transport' | undefined;
    /** Address family of the sides. */
    readonly hostaddrfamily?: 'ipv4' | 'ipv6' | undefined;
    /** Address family of the networks. */
    readonly clientaddrfamily?: 'ipv4' | 'ipv6' | undefined;
    /** Whether the identity must be in the certificate. */
    readonly 'require-id-on-certificate'?: boolean | undefined;
    /** When this side sends its certificate. */
    readonly leftsendcert?: string | undefined;
    /** Authority of the other side. */
    readonly rightca?: string | undefined;
    /** Protocol and port of this side. */
    readonly leftprotoport?: string | undefined;
    /** Protocol and port of the other side. */
    readonly rightprotoport?: string | undefined;
  };
  /** Settings of an IP VLAN. nmstate writes no keyfile section for it. */
  IpVlanConfig: {
    /** The interface below. */
    readonly 'base-iface'?: string | undefined;
    /** Layer at which packets are switched. */
    readonly mode?: 'l2' | 'l3' | 'l3s' | undefined;
    /** Whether siblings are kept apart. */
    readonly private?: boolean | undefined;
    /** Whether a switch outside sends packets back. */
    readonly vepa?: boolean | undefined;
  };
  /** Settings of an IP tunnel. nmstate writes no keyfile section for it. */
  IpTunnelConfig: {
    /** What is carried in what. */
    readonly mode?: 'unknown' | 'ipip' | 'sit' | 'ip6ip6' | 'ipip6' | undefined;
    /** The interface below. */
    readonly 'base-iface'?: string | undefined;
    /** Source address of the tunnel. */
    readonly local?: string | undefined;
    /** Destination address of the tunnel. */
    readonly remote?: string | undefined;
    /** Time to live of outer packets. */
    readonly ttl?: number | undefined;
    /** Type of service of outer packets. */
    readonly tos?: number | undefined;
    /** Flow label, up to 0xfffff. */
    readonly 'flow-label'?: number | undefined;
    /** Flags of an IPv6 tunnel. */
    readonly 'ip6tun-flags'?: readonly ('ign-encap-limit' | 'use-orig-tclass' | 'use-orig-flowlabel' | 'mip6-dev' | 'rcv-dscp-copy' | 'use-orig-fw-mark' | 'allow-local-remote' | 'cap-xmit' | 'cap-rcv' | 'cap-per-packet')[] | undefined;
    /** Path MTU discovery. */
    readonly 'pmtu-disc'?: boolean | undefined;
    /** How deep tunnels may nest. */
    readonly 'encap-limit'?: number | undefined;
    /** Firewall mark of outer packets. */
    readonly fwmark?: number | undefined;
  };
}

/** The network of a host. */
export type NetworkState = StateParts['NetworkState'];

/** Any interface; `type` tells which. */
export type Interface =
  | StateParts['EthernetInterface']
  | StateParts['BondInterface']
  | StateParts['LinuxBridgeInterface']
  | StateParts['DummyInterface']
  | StateParts['HsrInterface']
  | StateParts['LoopbackInterface']
  | StateParts['MacVlanInterface']
  | StateParts['MacVtapInterface']
  | StateParts['OvsBridgeInterface']
  | StateParts['OvsInterface']
  | StateParts['VlanInterface']
  | StateParts['VrfInterface']
  | StateParts['VxlanInterface']
  | StateParts['InfiniBandInterface']
  | StateParts['MacSecInterface']
  | StateParts['IpsecInterface']
  | StateParts['XfrmInterface']
  | StateParts['IpVlanInterface']
  | StateParts['IpTunnelInterface'];

/** The types of interfaces. */
export type InterfaceType = 'ethernet' | 'bond' | 'linux-bridge' | 'dummy' | 'hsr' | 'loopback' | 'mac-vlan' | 'mac-vtap' | 'ovs-bridge' | 'ovs-interface' | 'vlan' | 'vrf' | 'vxlan' | 'infiniband' | 'macsec' | 'ipsec' | 'xfrm' | 'ipvlan' | 'ip-tunnel';

// Short names for use in here.
export type BaseInterface = StateParts['BaseInterface'];
export type EthernetInterface = StateParts['EthernetInterface'];
export type BondInterface = StateParts['BondInterface'];
export type LinuxBridgeInterface = StateParts['LinuxBridgeInterface'];
export type DummyInterface = StateParts['DummyInterface'];
export type HsrInterface = StateParts['HsrInterface'];
export type LoopbackInterface = StateParts['LoopbackInterface'];
export type MacVlanInterface = StateParts['MacVlanInterface'];
export type MacVtapInterface = StateParts['MacVtapInterface'];
export type OvsBridgeInterface = StateParts['OvsBridgeInterface'];
export type OvsInterface = StateParts['OvsInterface'];
export type VlanInterface = StateParts['VlanInterface'];
export type VrfInterface = StateParts['VrfInterface'];
export type VxlanInterface = StateParts['VxlanInterface'];
export type InfiniBandInterface = StateParts['InfiniBandInterface'];
export type MacSecInterface = StateParts['MacSecInterface'];
export type IpsecInterface = StateParts['IpsecInterface'];
export type XfrmInterface = StateParts['XfrmInterface'];
export type IpVlanInterface = StateParts['IpVlanInterface'];
export type IpTunnelInterface = StateParts['IpTunnelInterface'];
export type OvsDbEntries = StateParts['OvsDbEntries'];
export type HostNameState = StateParts['HostNameState'];
export type DnsState = StateParts['DnsState'];
export type DnsClientState = StateParts['DnsClientState'];
export type RouteRules = StateParts['RouteRules'];
export type RouteRuleEntry = StateParts['RouteRuleEntry'];
export type Routes = StateParts['Routes'];
export type RouteEntry = StateParts['RouteEntry'];
export type OvsDbGlobalConfig = StateParts['OvsDbGlobalConfig'];
export type OvnConfiguration = StateParts['OvnConfiguration'];
export type OvnBridgeMapping = StateParts['OvnBridgeMapping'];
export type InterfaceIpv4 = StateParts['InterfaceIpv4'];
export type InterfaceIpAddr = StateParts['InterfaceIpAddr'];
export type InterfaceIpv6 = StateParts['InterfaceIpv6'];
export type MptcpConfig = StateParts['MptcpConfig'];
export type Ieee8021XConfig = StateParts['Ieee8021XConfig'];
export type LldpConfig = StateParts['LldpConfig'];
export type EthtoolConfig = StateParts['EthtoolConfig'];
export type EthtoolPauseConfig = StateParts['EthtoolPauseConfig'];
export type EthtoolCoalesceConfig = StateParts['EthtoolCoalesceConfig'];
export type EthtoolRingConfig = StateParts['EthtoolRingConfig'];
export type EthtoolFecConfig = StateParts['EthtoolFecConfig'];
export type DispatchConfig = StateParts['DispatchConfig'];
export type AltNameEntry = StateParts['AltNameEntry'];
export type EthernetConfig = StateParts['EthernetConfig'];
export type SrIovConfig = StateParts['SrIovConfig'];
export type SrIovVfConfig = StateParts['SrIovVfConfig'];
export type VethConfig = StateParts['VethConfig'];
export type BondConfig = StateParts['BondConfig'];
export type BondOptions = StateParts['BondOptions'];
export type BondPortConfig = StateParts['BondPortConfig'];
export type LinuxBridgeConfig = StateParts['LinuxBridgeConfig'];
export type LinuxBridgeOptions = StateParts['LinuxBridgeOptions'];
export type LinuxBridgeStpOptions = StateParts['LinuxBridgeStpOptions'];
export type LinuxBridgePortConfig = StateParts['LinuxBridgePortConfig'];
export type BridgePortVlanConfig = StateParts['BridgePortVlanConfig'];
export type HsrConfig = StateParts['HsrConfig'];
export type MacVlanConfig = StateParts['MacVlanConfig'];
export type MacVtapConfig = StateParts['MacVtapConfig'];
export type OvsBridgeConfig = StateParts['OvsBridgeConfig'];
export type OvsBridgeOptions = StateParts['OvsBridgeOptions'];
export type OvsBridgePortConfig = StateParts['OvsBridgePortConfig'];
export type OvsBridgeBondConfig = StateParts['OvsBridgeBondConfig'];
export type OvsBridgeBondPortConfig = StateParts['OvsBridgeBondPortConfig'];
export type OvsPatchConfig = StateParts['OvsPatchConfig'];
export type OvsDpdkConfig = StateParts['OvsDpdkConfig'];
export type VlanConfig = StateParts['VlanConfig'];
export type VlanQosMapping = StateParts['VlanQosMapping'];
export type VrfConfig = StateParts['VrfConfig'];
export type VxlanConfig = StateParts['VxlanConfig'];
export type InfiniBandConfig = StateParts['InfiniBandConfig'];
export type MacSecConfig = StateParts['MacSecConfig'];
export type LibreswanConfig = StateParts['LibreswanConfig'];
export type IpVlanConfig = StateParts['IpVlanConfig'];
export type IpTunnelConfig = StateParts['IpTunnelConfig'];
