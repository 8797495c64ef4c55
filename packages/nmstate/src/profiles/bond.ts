import { writeFields } from '../keyfile/write-fields.ts';
import type { Report } from '../plan/report.ts';
import { remembered } from '../remembered.ts';
import type { BondConfig, BondInterface, BondOptions } from '../state/generated/types.ts';
import { bondOptions, bond as bondTable } from '../state/tables/bond.ts';
import { type InterfaceKind, type PortReference, withoutFirst } from './kind.ts';
import type { Profile } from './profile.ts';

const IANA_MULTICAST = '01:00:5E';
/** Modes in which the kernel has no ARP monitoring. */
const WITHOUT_ARP_MONITOR: ReadonlySet<string | undefined> = new Set(['802.3ad', 'balance-tlb', 'balance-alb']);
/** The kernel's default, which nmstate leaves out. */
const DEFAULT_ARP_MISSED_MAX = 2;

export const bond: InterfaceKind<BondInterface> = {
  connectionType: 'bond',
  isController: true,
  ports,
  withoutPorts(iface, names) {
    const config = iface['link-aggregation'];
    // Only the plain list is cleaned: a name that stands in `ports-config` alone stays.
    const port = config?.port && withoutFirst(config.port, names, (name) => name);
    return port === undefined ? iface : { ...iface, 'link-aggregation': { ...config, port } };
  },
  check(iface, report) {
    const config = iface['link-aggregation'];
    const at = report.at('link-aggregation');
    if (iface.state === 'up' && config?.mode === undefined) {
      report.invalid(`Bond mode is mandatory for new bond interface: ${iface.name}`, 'Add `link-aggregation.mode`.');
    }
    checkPortLists(iface.name, config, at);
    if (config?.options !== undefined) checkOptions(config.options, config.mode, at.at('options'));
    return hasMacOfPort(config) ? { ...iface, 'mac-address': undefined } : iface;
  },
  sanitise(iface, report) {
    checkQueues(iface, report);
    return iface;
  },
  write(profile, iface) {
    const section = profile.section('bond');
    const config = iface['link-aggregation'];
    if (config === undefined) return;
    writeFields(section, bondTable, config);
    const { options } = config;
    if (options === undefined) return;
    writeFields(section, bondOptions, options);
    section.set('ad_actor_system', options.ad_actor_system?.toUpperCase());
    section.set('ns_ip6_target', options.ns_ip6_target?.join(','));
    if (options.arp_missed_max !== DEFAULT_ARP_MISSED_MAX) section.set('arp_missed_max', options.arp_missed_max);
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

/** The profile of a port, as its bond describes it; a port that is not matched by name gets none. */
export function writeBondPort(profile: Profile, controller: BondInterface, name: string): void {
  const { priority = 0, 'queue-id': queue } = portSettings(controller).get(name) ?? {};
  if (priority === 0 && (queue ?? 0) === 0) return;
  const section = profile.section('bond-port').set('queue-id', queue);
  if (priority !== 0) section.set('prio', priority);
}

/** Of two entries of one name the first counts. */
const portSettings = remembered((controller: BondInterface) => {
  const configured = controller['link-aggregation']?.['ports-config'] ?? [];
  return new Map([...configured].reverse().map((port) => [port.name, port]));
});

function checkPortLists(name: string, config: BondConfig | undefined, report: Report): void {
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
  report.invalid(
    `The port names specified in \`port\` conflict with the port names specified in \`ports-config\` for bond interface: ${name}. ${detail}`,
    'Name the same ports in both lists, or leave out `port`.',
  );
}

function checkOptions(options: BondOptions, mode: BondConfig['mode'], report: Report): void {
  if (options.ad_actor_system?.toUpperCase().startsWith(IANA_MULTICAST)) {
    report
      .at('ad_actor_system')
      .invalid('The ad_actor_system bond option cannot be an IANA multicast address(prefix with 01:00:5E)');
  }
  const { miimon = 0, arp_interval: interval } = options;
  if (miimon > 0 && (interval ?? 0) > 0) {
    report
      .at('arp_interval')
      .invalid('Bond miimon and arp interval are not compatible options.', 'Keep one of the two.');
  }
  if (mode === undefined) return;
  if (options.balance_slb === true && (mode !== 'balance-xor' || options.xmit_hash_policy !== 'vlan+srcmac')) {
    report
      .at('balance_slb')
      .invalid("To enable balance-slb, bond mode should be balance-xor and xmit_hash_policy: 'vlan+srcmac'");
  }
  if (mode !== '802.3ad') {
    for (const option of ['lacp_rate', 'lacp_active'] as const) {
      if (options[option] !== undefined) {
        report
          .at(option)
          .invalid(`The \`${option}\` option is only valid for bond in '802.3ad' mode`, `Remove \`${option}\`.`);
      }
    }
  }
  if ((interval ?? 0) > 0 && WITHOUT_ARP_MONITOR.has(mode)) {
    report
      .at('arp_interval')
      .invalid(
        "The `arp_interval` option is invalid for bond in '802.3ad', 'balance-tlb' or 'balance-alb' mode",
        'Use `miimon`.',
      );
  }
  if (interval !== 0) return;
  for (const option of ['arp_ip_target', 'ns_ip6_target'] as const) {
    if ((options[option]?.length ?? 0) > 0) {
      report.at(option).invalid(`The \`${option}\` option is only valid when 'arp_interval' is enabled(>0).`);
    }
  }
}

/** A bond whose MAC address is always that of its active port. */
function hasMacOfPort(config: BondConfig | undefined): boolean {
  return config?.mode === 'active-backup' && config.options?.fail_over_mac === 'active';
}

function checkQueues(iface: BondInterface, report: Report): void {
  const configured = iface['link-aggregation']?.['ports-config'] ?? [];
  const byName = configured
    .map((port, index) => ({ port, index }))
    .sort((a, b) => (a.port.name < b.port.name ? -1 : 1));
  const owners = new Map<number, string>();
  for (const { port, index } of byName) {
    const queue = port['queue-id'] ?? 0;
    if (queue === 0) continue;
    const owner = owners.get(queue);
    if (owner !== undefined) {
      report
        .at('link-aggregation', 'ports-config', index, 'queue-id')
        .invalid(
          `Port ${owner} and ${port.name} of Bond ${iface.name} are sharing the same queue-id which is not supported by linux kernel yet`,
          'Give each port a queue of its own.',
        );
    }
    owners.set(queue, port.name);
  }
}
