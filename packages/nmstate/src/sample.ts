/**
 * A commented network state to start from: cards, a bond with a VLAN, a bridge, DNS and routes. It is valid.
 *
 * @example const keyfiles = generateKeyfilesOrThrow(sampleState)
 */
export const sampleState = `# Network of one machine, as nmstate has it. Every value is an example.
#
#   coreiso nmstate check network.yaml               # check
#   coreiso nmstate check -o keyfiles network.yaml   # write NetworkManager keyfiles

interfaces:

# A card with a static address.
- name: eno1
  type: ethernet
  state: up
  mtu: 1500
  ipv4:
    enabled: true
    dhcp: false
    address:
    - ip: 192.0.2.10
      prefix-length: 24
  ipv6:
    enabled: false

# A card that asks DHCP, found by its MAC address; the name of the profile is free.
- name: storage
  type: ethernet
  state: up
  identifier: mac-address
  mac-address: 52:54:00:00:00:11
  ipv4:
    enabled: true
    dhcp: true
    # Take the address only: DNS and routes come from below.
    auto-dns: false
    auto-gateway: false
    auto-routes: false
  ipv6:
    enabled: false

# Two cards in a bond. mode: 802.3ad needs LACP on the switch; active-backup needs nothing.
- name: bond0
  type: bond
  state: up
  link-aggregation:
    mode: 802.3ad
    options:
      miimon: 100
    port:
    - eno2
    - eno3
  ipv4:
    enabled: false
  ipv6:
    enabled: false
- name: eno2
  type: ethernet
  state: up
- name: eno3
  type: ethernet
  state: up

# A VLAN on the bond, and a bridge on the VLAN.
- name: bond0.100
  type: vlan
  state: up
  vlan:
    base-iface: bond0
    id: 100
- name: br0
  type: linux-bridge
  state: up
  bridge:
    options:
      stp:
        enabled: false
    port:
    - name: bond0.100
  ipv4:
    enabled: true
    dhcp: false
    address:
    - ip: 198.51.100.10
      prefix-length: 24
  ipv6:
    enabled: true
    dhcp: false
    autoconf: false
    address:
    - ip: 2001:db8::10
      prefix-length: 64

dns-resolver:
  config:
    search:
    - example.test
    server:
    - 192.0.2.1
    - 192.0.2.2

routes:
  config:
  # The default route.
  - destination: 0.0.0.0/0
    next-hop-address: 192.0.2.1
    next-hop-interface: eno1
  - destination: 203.0.113.0/24
    next-hop-address: 198.51.100.1
    next-hop-interface: br0
`;
