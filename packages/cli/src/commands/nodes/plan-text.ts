import { formatDiagnostics, formatPath } from '@coreiso/diagnostics';
import type { Profile } from '@coreiso/nmstate';
import type { BootOutline, BootResult, HostPlan, Machine } from '@coreiso/nodes-config';
import { type NodesPlan, outlineBoots } from '@coreiso/openshift';
import { showLine } from '@coreiso/peers/controls';
import { columns, describeProfile } from './profiles.ts';

/** Describes a plan for people: one paragraph per host. */
export function planText(plan: NodesPlan): string {
  const count = `${plan.hosts.length} ${plan.hosts.length === 1 ? 'host' : 'hosts'}`;
  const heading = plan.architecture === undefined ? count : `${count}, ${plan.architecture}`;
  const expiry =
    plan.expires === undefined ? heading : `${heading}; an image of this plan installs until ${plan.expires}`;
  return `${[expiry, ...plan.hosts.map((host) => hostText(plan, host))].join('\n\n')}\n`;
}

function hostText(plan: NodesPlan, host: HostPlan): string {
  return describeHost(host, outlineBoots(plan, host));
}

/** Describes a host in one paragraph: its cards, its network, and its actions at each boot. */
export function describeHost(host: HostPlan, { first, second, later }: BootOutline): string {
  const hints = Object.entries(host.rootDeviceHints).map(([name, value]) => `${name} ${value}`);
  const rows: [string, string][] = [
    ...host.interfaces.map(({ name, macAddress }): [string, string] => ['card', `${macAddress} ${name}`.trimEnd()]),
    ...(host.role === undefined ? [] : [['role', host.role] as [string, string]]),
    ['disk', hints.length === 0 ? 'no hints' : hints.join(', ')],
    ['network', host.network === undefined ? 'DHCP on all cards' : `profiles in ${host.network.directory}`],
  ];
  const profiles = profileRows(host.network?.profiles ?? []);
  const paragraphs = [showLine(`${host.name} (${formatPath(host.path)})`), columns(rows, '  ')];
  if (profiles.length > 0) paragraphs.push(columns(profiles, '    '));
  paragraphs.push(...[`  first boot   ${first}`, `  second boot  ${second}`, `  later        ${later}`].map(showLine));
  return paragraphs.join('\n');
}

/** Describes the boots of a machine. */
export function bootText(machine: Machine, boot: BootResult): string {
  const cards = Object.entries(machine.nics).map(([name, mac]) => `${name} ${mac}`);
  const lines = [`Machine with ${cards.join(', ')}`, `  ${identity(boot)}`].map(showLine);
  if (boot.matched.length > 0 && boot.files !== null) {
    lines.push(showLine(`  ${boot.directory}/`));
    lines.push(columns(profileRows(boot.profiles), '    '));
  }
  if (boot.diagnostics.length > 0) {
    lines.push(formatDiagnostics(boot.diagnostics).replace(/^/gm, '  '));
  }
  return `${lines.join('\n')}\n`;
}

function profileRows(profiles: readonly Profile[]): [string, string][] {
  return profiles.map((profile) => [profile.name, describeProfile(profile)]);
}

function identity({ host }: BootResult): string {
  if (host === undefined) return 'is not a host of this config';
  const name =
    host.hostname === undefined ? 'keeps the host name that the network gives it' : `is called ${host.hostname}`;
  return `is ${formatPath(host.path)} and ${name}`;
}
