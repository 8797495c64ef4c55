import { compareBytes } from '@coreiso/peers/rust';
import type { BondConfig, BondInterface, BondOptions } from '../generated/types.ts';
import type { Findings } from '../table/state-findings.ts';
import { bool, i32, inside, ipv6Address, listOf, numbered, type Section, text, u8, u16, u32 } from '../table/table.ts';
import { type InterfaceKind, type PortReference, withoutFirst } from './kind.ts';

/** Every option is a key of the keyfile's `[bond]` section. */
export const bondOptions: Section = {
  name: 'BondOptions',
  doc: 'Options of the kernel bonding driver.',
  unknownKeys: 'refused',
  fields: {
    /** System priority in 802.3ad. */
    ad_actor_sys_prio: { type: u16, key: 'ad_actor_sys_prio' },
    /** System MAC address in 802.3ad. */
    ad_actor_system: { type: text },
    /** How the active aggregator is chosen. */
    ad_select: {
      type: numbered('stable', 'bandwidth', 'count'),
      key: 'ad_select',
    },
    /** Upper ten bits of the port key. */
    ad_user_port_key: { type: u16, key: 'ad_user_port_key' },
    /** What happens to duplicate frames on inactive ports. */
    all_slaves_active: {
      type: numbered('dropped', 'delivered'),
      key: 'all_slaves_active',
      as: 'index',
    },
    /** How many ARP targets must answer. */
    arp_all_targets: { type: numbered('any', 'all'), key: 'arp_all_targets' },
    /** Milliseconds between ARP probes; 0 turns them off. */
    arp_interval: { type: u32, key: 'arp_interval' },
    /** IPv4 addresses to probe, separated by commas. */
    arp_ip_target: { type: text, key: 'arp_ip_target' },
    /** On which ports ARP answers are validated. */
    arp_validate: {
      type: numbered('none', 'active', 'backup', 'all', 'filter', 'filter_active', 'filter_backup'),
      key: 'arp_validate',
    },
    /** Milliseconds before a failed port is disabled. */
    downdelay: { type: u32, key: 'downdelay' },
    /** Whose MAC address the bond takes. */
    fail_over_mac: {
      type: numbered('none', 'active', 'follow'),
      key: 'fail_over_mac',
    },
    /** How often the partner sends LACPDUs. */
    lacp_rate: { type: numbered('slow', 'fast'), key: 'lacp_rate' },
    /** Seconds between learning packets. */
    lp_interval: { type: u32, key: 'lp_interval' },
    /** Milliseconds between link checks. */
    miimon: { type: u32, key: 'miimon' },
    /** Ports that must be up for the bond to be up. */
    min_links: { type: u32, key: 'min_links' },
    /** Gratuitous ARPs after a failover. */
    num_grat_arp: { type: u8, key: 'num_grat_arp' },
    /** Unsolicited neighbour advertisements after a failover. */
    num_unsol_na: { type: u8, key: 'num_unsol_na' },
    /** Packets sent through a port before the next one is used. */
    packets_per_slave: {
      type: u32,
      key: 'packets_per_slave',
    },
    /** The port to prefer. */
    primary: { type: text, key: 'primary' },
    /** When the primary port becomes active again. */
    primary_reselect: {
      type: numbered('always', 'better', 'failure'),
      key: 'primary_reselect',
    },
    /** IGMP reports after a failover. */
    resend_igmp: { type: u32, key: 'resend_igmp' },
    /** Whether balance-tlb shuffles flows. */
    tlb_dynamic_lb: { type: bool, key: 'tlb_dynamic_lb', as: 'digit' },
    /** Milliseconds before a recovered port is used. */
    updelay: { type: u32, key: 'updelay' },
    /** Whether the driver is asked for the carrier. */
    use_carrier: { type: bool, key: 'use_carrier', as: 'digit' },
    /** What decides the port of an outgoing packet. */
    xmit_hash_policy: {
      type: numbered('layer2', 'layer3+4', 'layer2+3', 'encap2+3', 'encap3+4', 'vlan+srcmac'),
      key: 'xmit_hash_policy',
    },
    /** Source load balancing; needs mode balance-xor and `xmit_hash_policy: vlan+srcmac`. */
    balance_slb: {
      type: bool,
      aliases: ['balance-slb'],
      key: 'balance-slb',
      as: 'digit',
    },
    /** Failed ARP probes before a port counts as down. */
    arp_missed_max: { type: u8 },
    /** Whether LACPDUs are sent without being asked. */
    lacp_active: { type: bool, key: 'lacp_active', as: 'digit' },
    /** IPv6 addresses to probe. */
    ns_ip6_target: { type: listOf(ipv6Address) },
  },
};

const bondPort: Section = {
  name: 'BondPortConfig',
  doc: 'Settings of one port of a bond.',
  unknownKeys: 'ignored',
  fields: {
    name: { type: text, required: true, names: 'port', doc: 'Name of the port.' },
    /** Which port takes over first; higher wins. */
    priority: { type: i32 },
    /** Queue of the port. */
    'queue-id': { type: u16 },
  },
};

export const bondConfig: Section = {
  name: 'BondConfig',
  doc: 'Ports and options of a bond.',
  unknownKeys: 'refused',
  fields: {
    /** How traffic is spread over the ports. */
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
    },
    /** Options of the bonding driver. */
    options: { type: inside(bondOptions) },
    /** Names of the ports. */
    port: { type: listOf(text), aliases: ['ports'], names: 'port' },
    /** Ports with settings of their own. */
    'ports-config': { type: listOf(inside(bondPort)) },
  },
};

const IANA_MULTICAST = '01:00:5E';
/** Modes without ARP monitoring in the kernel. */
const WITHOUT_ARP_MONITOR: ReadonlySet<string | undefined> = new Set(['802.3ad', 'balance-tlb', 'balance-alb']);

export const bond: InterfaceKind<BondInterface> = {
  name: 'BondInterface',
  doc: 'Several interfaces joined to one.',
  fields: {
    /** What the bond joins, and how. */
    'link-aggregation': { type: inside(bondConfig), aliases: ['bond'] },
  },
  connectionType: 'bond',
  isController: true,
  ports,
  withoutPorts(iface, names) {
    const config = iface['link-aggregation'];
    // nmstate removes ports only from the plain list; a name that is only in `ports-config` stays.
    const port = config?.port && withoutFirst(config.port, names, (name) => name);
    return port === undefined ? iface : { ...iface, 'link-aggregation': { ...config, port } };
  },
  check(iface, findings) {
    const config = iface['link-aggregation'];
    const at = findings.at('link-aggregation');
    if (iface.state === 'up' && config?.mode === undefined) {
      findings.invalid(
        `Bond mode is mandatory for new bond interface: ${iface.name}`,
        'Add the mode, such as:\nlink-aggregation:\n  mode: active-backup',
      );
    }
    checkPortLists(iface.name, config, at);
    if (config?.options !== undefined) checkOptions(config.options, config.mode, at.at('options'));
    return hasMacOfPort(config) ? { ...iface, 'mac-address': undefined } : iface;
  },
  sanitise(iface, findings) {
    checkQueues(iface, findings);
    return iface;
  },
};

function ports(iface: BondInterface): PortReference[] | undefined {
  const config = iface['link-aggregation'];
  if (config?.port !== undefined)
    return config.port.map((name, index) => ({ name, at: ['link-aggregation', 'port', index] }));
  return config?.['ports-config']?.map(({ name }, index) => ({
    name,
    at: ['link-aggregation', 'ports-config', index, 'name'],
  }));
}

function checkPortLists(name: string, config: BondConfig | undefined, findings: Findings): void {
  const { port, 'ports-config': configured } = config ?? {};
  if (port === undefined || configured === undefined) return;
  const listed = new Set(port);
  const described = new Set(configured.map((entry) => entry.name));
  const onlyListed = [...listed].filter((entry) => !described.has(entry));
  const onlyDescribed = [...described].filter((entry) => !listed.has(entry));
  let detail = '';
  if (onlyListed.length > 0) detail += `Ports in \`port\` but not in \`ports_config\`: ${onlyListed.join(', ')}. `;
  if (onlyDescribed.length > 0)
    detail += `Ports in \`ports_config\` but not in \`port\`: ${onlyDescribed.join(', ')}. `;
  if (detail === '') return;
  findings.invalid(
    `The port names specified in \`port\` conflict with the port names specified in \`ports-config\` for bond interface: ${name}. ${detail}`,
    'Name the same ports in both lists, or leave out `port`.',
  );
}

function checkOptions(options: BondOptions, mode: BondConfig['mode'], findings: Findings): void {
  if (options.ad_actor_system?.toUpperCase().startsWith(IANA_MULTICAST)) {
    findings
      .at('ad_actor_system')
      .invalid('The ad_actor_system bond option cannot be an IANA multicast address(prefix with 01:00:5E)');
  }
  const { miimon = 0, arp_interval: interval } = options;
  if (miimon > 0 && (interval ?? 0) > 0) {
    findings
      .at('arp_interval')
      .invalid('Bond miimon and arp interval are not compatible options.', 'Keep one of the two.');
  }
  if (mode === undefined) return;
  if (options.balance_slb === true && (mode !== 'balance-xor' || options.xmit_hash_policy !== 'vlan+srcmac')) {
    findings
      .at('balance_slb')
      .invalid("To enable balance-slb, bond mode should be balance-xor and xmit_hash_policy: 'vlan+srcmac'");
  }
  if (mode !== '802.3ad') {
    for (const option of ['lacp_rate', 'lacp_active'] as const) {
      if (options[option] !== undefined) {
        findings
          .at(option)
          .invalid(`The \`${option}\` option is only valid for bond in '802.3ad' mode`, `Remove \`${option}\`.`);
      }
    }
  }
  if ((interval ?? 0) > 0 && WITHOUT_ARP_MONITOR.has(mode)) {
    findings
      .at('arp_interval')
      .invalid(
        "The `arp_interval` option is invalid for bond in '802.3ad', 'balance-tlb' or 'balance-alb' mode",
        'Use `miimon`.',
      );
  }
  if (interval !== 0) return;
  for (const option of ['arp_ip_target', 'ns_ip6_target'] as const) {
    if ((options[option]?.length ?? 0) > 0) {
      findings.at(option).invalid(`The \`${option}\` option is only valid when 'arp_interval' is enabled(>0).`);
    }
  }
}

/** Whether the MAC address of a bond is always that of its active port. */
function hasMacOfPort(config: BondConfig | undefined): boolean {
  return config?.mode === 'active-backup' && config.options?.fail_over_mac === 'active';
}

function checkQueues(iface: BondInterface, findings: Findings): void {
  const configured = iface['link-aggregation']?.['ports-config'] ?? [];
  const byName = configured
    .map((port, index) => ({ port, index }))
    .sort((a, b) => compareBytes(a.port.name, b.port.name));
  const owners = new Map<number, string>();
  for (const { port, index } of byName) {
    const queue = port['queue-id'] ?? 0;
    if (queue === 0) continue;
    const owner = owners.get(queue);
    if (owner !== undefined) {
      findings
        .at('link-aggregation', 'ports-config', index, 'queue-id')
        .invalid(
          `Port ${owner} and ${port.name} of Bond ${iface.name} are sharing the same queue-id which is not supported by linux kernel yet`,
          'Give each port a queue of its own.',
        );
    }
    owners.set(queue, port.name);
  }
}
