// The findings of libnm that are expected in keyfiles of the recordings. nmstate writes these files, but NetworkManager does not
// accept all of them.

/** Keys and types that libnm 1.42 does not have yet, and the first version with each. */
export const NEWER: readonly string[] = [
  'ignored bond-port.prio', // 1.44
  'ignored ipv4.forwarding', // 1.54
  'warning [ethtool] fec-mode', // 1.52
  'ignored ethtool.fec-mode',
  'warning [bond] lacp_active', // 1.54
  'ignored bond.lacp_active',
  'warning [bond] arp_missed_max', // 1.44
  'ignored bond.arp_missed_max',
  'warning [bond] ns_ip6_target', // 1.46
  'ignored bond.ns_ip6_target',
  'ignored ovs-dpdk.lsc-interrupt', // 1.54
  'ignored macsec.offload', // 1.46
  "error connection.type: connection type 'hsr'", // 1.46
  "error connection.type: connection type 'ipvlan'", // 1.52
];

/**
 * Findings about states that are invalid in NetworkManager but that nmstate does not check, with their keyfiles as
 * recording/file.
 */
export const NONSENSE: readonly (readonly [finding: string, keyfiles: readonly string[]])[] = [
  ['changed bond.mode', ['bond-modes-by-name/b7']],
  ['changed bridge-port.vlans', ['bridge-vlan-trunk-native-zero/e1']],
  ['changed ethernet.cloned-mac-address', ['mac-dashes/eno1']],
  ['changed ipv4.dns-options', ['dns-option-two-colons/a1']],
  ['changed ipv4.dns', ['dns-duplicate-servers/a1']],
  ['changed ipv6.routing-rule', ['rule-v6-full/e1']],
  ['changed vlan.egress-priority-map', ['vlan-qos-maps/v0']],
  ['changed vlan.ingress-priority-map', ['vlan-qos-maps/v0']],
  [
    'error 802-1x.client-cert',
    ['dot1x-on-bond/bond0', 'gen-506-bond-macid-sriov-ethtool/enp68s0', 'gen-512-bond-ovs-8021x-routes/p3p1'],
  ],
  ['error 802-1x.eap', ['dot1x-empty-eap-and-unknown-key/eno1', 'dot1x-empty/eno1', 'dot1x-hidden-passwords/eno1']],
  [
    'error 802-1x.phase2-auth, 802-1x.phase2-autheap',
    [
      'gen-505-bond-bridge-8021x-macid/eno5',
      'gen-507-bond-macid-8021x-vlan/ens5f0np2',
      'gen-521-bridge-ovs-macid-8021x/lan-e',
      'gen-524-ovs-macid-sriov-8021x/lan-d',
    ],
  ],
  ['error Key file contains line', ['description-newline/eno1', 'description-block/eno1']],
  ['error bond.options', ['bond-arp-target-without-interval/b0', 'bond-options-ab/b0']],
  ['error bridge-port.vlans', ['bridge-vlan-trunk-native-same-id/e1']],
  [
    'error bridge.group-address',
    [
      'Linux bridge with STP and a VLAN trunk port/br-lan',
      'bridge-group-addr-short/br0',
      'bridge-options-all/br0',
      'gen-501-bridge-sriov-dummy-routes/virbr9',
      'gen-515-bridge-vlan-absent-vrf/virbr9',
      'gen-520-bond-bridge-ethtool-vlan/br-lan',
    ],
  ],
  ['error connection.id', ['name-empty/', 'profile-name-empty/']],
  [
    'error connection.interface-name',
    [
      'name-special-yaml/@odd: name #1',
      'name-spaces-trailing/eno1 ',
      'name-slash/eth0/1',
      'sriov-reference-name/sriov:ens1f0:2',
      'sriov-reference-name/sriov:ens1f0:3',
      'name-long/this-interface-name-is-longer-than-fifteen-bytes',
      'order-infiniband-child/a.8001',
      'host-30-everything-small/ib',
    ],
  ],
  ['error connection.master', ['ovs-interface-unattached/o0-if', 'ovs-patch-unattached/pa-if']],
  ['error connection.slave-type', ['controller-is-not-a-controller/e1']],
  ['error connection.type', ['host-30-everything-small/xf', 'xfrm-port-of-bridge/xf0', 'xfrm-refused/xf0']],
  ['error infiniband.transport-mode', ['infiniband-no-section/ib0']],
  [
    'error ip-tunnel',
    [
      'host-30-everything-small/it',
      'ip-tunnel-ipip/tun0',
      'ip-tunnel-mode-missing/t1',
      'ip-tunnel-modes/t0',
      'ip-tunnel-modes/t1',
      'ip-tunnel-modes/t2',
      'ip-tunnel-modes/t3',
      'ip-tunnel-modes/t4',
    ],
  ],
  [
    'error ipv4.addresses',
    [
      'route-dedup-metric/e1',
      'route-destination-forms/e1',
      'route-destination-missing/e1',
      'route-eleven/e1',
      'route-ignore-state/e1',
      'route-interface-number-name/77',
      'route-makes-manual/e1',
      'route-metric-wraps/e1',
      'route-next-hop-any-address/e1',
      'route-next-hop-wrong-family/e1',
      'route-no-next-hop-address/e1',
      'route-sort-order/e1',
      'route-table-forms/e1',
      'route-vrf-name-table-agrees/e1',
      'ipsec-ip-forms/i2',
    ],
  ],
  ['error ipv6.addr-gen-mode', ['ip6-addr-gen-modes/g6']],
  [
    'error ipv6.dhcp-duid',
    [
      'gen-519-bond-ethtool-absent-ignore/zbond',
      'host-26-ipv6-ra-token/eno1',
      'ip6-duids/d2',
      'ip6-duids/d3',
      'ip6-duids/d5',
    ],
  ],
  ['error ipv6.dns', ['dns-link-local-static-only-valid/a1']],
  ['error ipv6.token', ['gen-514-sriov-vlan-rules-dns/p2p1.1535', 'ip6-auto-all-options/eno1', 'ip6-token-forms/t5']],
  ['error loopback', ['loopback-named-differently/lo2']],
  [
    'error macsec.mka-ckn',
    [
      'gen-511-bond-vlan-veth-macsec/sec0',
      'host-30-everything-small/ms',
      'mac-identifier-macvlan-parent-uuid/ms0',
      'macsec-parent-declared-order/a-sec',
      'macsec-variants/ms0',
      'macsec-variants/ms1',
      'macsec-variants/ms2',
      'order-macvlan-on-bridge/ms',
    ],
  ],
  ['error macsec.parent', ['macsec-no-section/ms0']],
  ['error macvlan', ['macvlan-no-section/m0', 'macvlan-no-section/m1']],
  ['error ovs-external-ids.data', ['ovs-external-ids/obr-br']],
  ['error sriov.vfs', ['sriov-no-total/ens1f0']],
  ['error vlan.parent', ['vlan-id-forms/v4']],
  ['error vlan', ['vlan-no-section/v1']],
  ['error vpn', ['ipsec-no-section/i0']],
  ['error vxlan.local', ['MAC match, profile name, down VLAN, InfiniBand, mac-vlan, vxlan/vx1', 'vxlan-full/vx0']],
  ['warning [bond] mode', ['bond-modes-by-name/b7']],
  ['warning [bridge-port] vlans', ['bridge-vlan-reversed-range/e1', 'bridge-vlan-trunk-native-zero/e1']],
  ['warning [ethernet] cloned-mac-address', ['mac-garbage/eno1']],
  ['warning [ipv4] route0', ['route-next-hop-wrong-family/e1']],
  ['warning [ipv6] route-metric', ['ip6-auto-metric-range/m1', 'ip6-auto-metric-range/m2']],
  ['warning [ipv6] routing-rule0', ['rule-v6-full/e1']],
  ['warning [vlan] id', ['vlan-id-forms/v3']],
  ['error ipv6.addresses', ['Routes with every option, VRF by name, IPv6 default metric/eth5']],
];
