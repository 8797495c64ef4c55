import {
  bool,
  type Fields,
  i32,
  inside,
  ipv6Address,
  listOf,
  numbered,
  type Section,
  text,
  u8,
  u16,
  u32,
} from '../table.ts';

/** Every option is a key of the keyfile's `[bond]` section. */
export const bondOptions: Section = {
  name: 'BondOptions',
  doc: 'Options of the kernel bonding driver.',
  unknownKeys: 'refused',
  fields: {
    ad_actor_sys_prio: { type: u16, key: 'ad_actor_sys_prio', doc: 'System priority in 802.3ad.' },
    ad_actor_system: { type: text, doc: 'System MAC address in 802.3ad.' },
    ad_select: {
      type: numbered('stable', 'bandwidth', 'count'),
      key: 'ad_select',
      doc: 'How the active aggregator is chosen.',
    },
    ad_user_port_key: { type: u16, key: 'ad_user_port_key', doc: 'Upper ten bits of the port key.' },
    all_slaves_active: {
      type: numbered('dropped', 'delivered'),
      key: 'all_slaves_active',
      as: 'index',
      doc: 'What happens to duplicate frames on inactive ports.',
    },
    arp_all_targets: { type: numbered('any', 'all'), key: 'arp_all_targets', doc: 'How many ARP targets must answer.' },
    arp_interval: { type: u32, key: 'arp_interval', doc: 'Milliseconds between ARP probes; 0 turns them off.' },
    arp_ip_target: { type: text, key: 'arp_ip_target', doc: 'IPv4 addresses to probe, separated by commas.' },
    arp_validate: {
      type: numbered('none', 'active', 'backup', 'all', 'filter', 'filter_active', 'filter_backup'),
      key: 'arp_validate',
      doc: 'On which ports ARP answers are validated.',
    },
    downdelay: { type: u32, key: 'downdelay', doc: 'Milliseconds before a failed port is disabled.' },
    fail_over_mac: {
      type: numbered('none', 'active', 'follow'),
      key: 'fail_over_mac',
      doc: 'Whose MAC address the bond takes.',
    },
    lacp_rate: { type: numbered('slow', 'fast'), key: 'lacp_rate', doc: 'How often the partner sends LACPDUs.' },
    lp_interval: { type: u32, key: 'lp_interval', doc: 'Seconds between learning packets.' },
    miimon: { type: u32, key: 'miimon', doc: 'Milliseconds between link checks.' },
    min_links: { type: u32, key: 'min_links', doc: 'Ports that must be up for the bond to be up.' },
    num_grat_arp: { type: u8, key: 'num_grat_arp', doc: 'Gratuitous ARPs after a failover.' },
    num_unsol_na: { type: u8, key: 'num_unsol_na', doc: 'Unsolicited neighbour advertisements after a failover.' },
    packets_per_slave: {
      type: u32,
      key: 'packets_per_slave',
      doc: 'Packets sent through a port before the next one is used.',
    },
    primary: { type: text, key: 'primary', doc: 'The port to prefer.' },
    primary_reselect: {
      type: numbered('always', 'better', 'failure'),
      key: 'primary_reselect',
      doc: 'When the primary port becomes active again.',
    },
    resend_igmp: { type: u32, key: 'resend_igmp', doc: 'IGMP reports after a failover.' },
    tlb_dynamic_lb: { type: bool, key: 'tlb_dynamic_lb', as: 'digit', doc: 'Whether balance-tlb shuffles flows.' },
    updelay: { type: u32, key: 'updelay', doc: 'Milliseconds before a recovered port is used.' },
    use_carrier: { type: bool, key: 'use_carrier', as: 'digit', doc: 'Whether the driver is asked for the carrier.' },
    xmit_hash_policy: {
      type: numbered('layer2', 'layer3+4', 'layer2+3', 'encap2+3', 'encap3+4', 'vlan+srcmac'),
      key: 'xmit_hash_policy',
      doc: 'What decides the port of an outgoing packet.',
    },
    balance_slb: {
      type: bool,
      aliases: ['balance-slb'],
      key: 'balance-slb',
      as: 'digit',
      doc: 'Source load balancing; needs mode balance-xor and `xmit_hash_policy: vlan+srcmac`.',
    },
    arp_missed_max: { type: u8, doc: 'Failed ARP probes before a port counts as down.' },
    lacp_active: { type: bool, key: 'lacp_active', as: 'digit', doc: 'Whether LACPDUs are sent without being asked.' },
    ns_ip6_target: { type: listOf(ipv6Address), doc: 'IPv6 addresses to probe.' },
  },
};

const bondPort: Section = {
  name: 'BondPortConfig',
  doc: 'Settings of one port of a bond.',
  unknownKeys: 'ignored',
  fields: {
    name: { type: text, required: true, doc: 'Name of the port.' },
    priority: { type: i32, doc: 'Which port takes over first; higher wins.' },
    'queue-id': { type: u16, doc: 'Queue of the port.' },
  },
};

export const bond: Section = {
  name: 'BondConfig',
  doc: 'What a bond joins, and how.',
  unknownKeys: 'refused',
  fields: {
    mode: {
      type: {
        kind: 'choice',
        values: [
          'balance-rr',
          'active-backup',
          'balance-xor',
          'broadcast',
          '802.3ad',
          'balance-tlb',
          'balance-alb',
          'unknown',
        ],
        spellings: { lacp: '802.3ad' },
        numbered: 7,
      },
      key: 'mode',
      doc: 'How traffic is spread over the ports.',
    },
    options: { type: inside(bondOptions), doc: 'Options of the bonding driver.' },
    port: { type: listOf(text), aliases: ['ports'], doc: 'Names of the ports.' },
    'ports-config': { type: listOf(inside(bondPort)), doc: 'Ports with settings of their own.' },
  },
};

export const bondFields: Fields = {
  'link-aggregation': { type: inside(bond), aliases: ['bond'], doc: 'What the bond joins, and how.' },
};
