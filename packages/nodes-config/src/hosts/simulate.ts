// Simulates the boot scripts of a machine. `join/scripts/coreiso-network.sh` does the same in shell; a test compares
// the two.
import type { Diagnostic } from '@coreiso/diagnostics';
import { keyfileOf, type Profile } from '@coreiso/nmstate';
import { canonicalMac, compareBytes } from '@coreiso/peers/go';
import { configDiagnostic, type Rule } from '../text/codes.ts';
import { NameMap } from './name-map.ts';
import { hostsByPrecedence } from './order.ts';
import type { HostPlan, HostPlans } from './plan-hosts.ts';

/** A machine as the boot scripts see it. */
export interface Machine {
  /** Real interface name → MAC address. */
  readonly nics: Readonly<Record<string, string>>;
  /** Profiles that exist before the script runs; they have NetworkManager's defaults. */
  readonly existing?: readonly string[] | undefined;
  /** Whether the script runs in the initramfs, as for images without their own root file system. */
  readonly initrd?: boolean | undefined;
}

/** The result of a simulated boot. */
export interface BootResult {
  /** The host that this machine is: the first that lists one of its MACs. Undefined for a machine that is not in the plan. */
  readonly host: HostPlan | undefined;
  /** All hosts whose profiles the machine uses, in the order in which they are applied. */
  readonly matched: readonly HostPlan[];
  /** NetworkManager's directory of profiles. */
  readonly directory: string;
  /** The profiles in it after the boot; null if the directory is never created. */
  readonly files:
    | readonly {
        readonly name: string;
        readonly mode: number;
        readonly contents: string;
      }[]
    | null;
  /** The profiles from the plan, as data and in the same order. */
  readonly profiles: readonly Profile[];
  readonly diagnostics: readonly Diagnostic[];
}

const DEFAULT_PROFILE = '[connection]\nid=default\n';
const PROFILE_MODE = 0o600;
/** The address of loopback and unfinished interfaces. */
const NO_ADDRESS = /^[0:]*$/;

/**
 * Simulates the boot of one machine from an image of this plan.
 *
 * @example simulateBoot(plan, { nics: { eno1: '52:54:00:e7:05:72' } }).host?.hostname
 */
export function simulateBoot(plan: HostPlans, machine: Machine): BootResult {
  if (!Array.isArray(plan?.hosts)) throw new TypeError('plan must be what planHosts returns');
  if (typeof machine?.nics !== 'object' || machine.nics === null) {
    throw new TypeError('machine must have nics, from interface name to MAC address');
  }
  const findings: Diagnostic[] = [];
  const nics = localNics(machine, findings);
  const index = indexOf(plan);
  const matched = [...new Set([...nics.keys()].flatMap((mac) => index.byMac.get(mac) ?? []))].sort(
    (a, b) => (index.rank.get(a) ?? 0) - (index.rank.get(b) ?? 0),
  );
  const networked = matched.filter(({ network }) => network !== undefined);
  noteMatches(matched, networked, findings);
  const staged = new Map<string, Profile>();
  for (const host of networked) applyHost(host, nics, staged, findings);
  const profiles = [...staged.values()].sort((a, b) => compareBytes(a.name, b.name));
  return {
    host: matched[0],
    matched: networked,
    directory: machine.initrd ? '/etc/coreos-firstboot-network' : '/etc/NetworkManager/system-connections',
    files: installed(profiles, machine),
    profiles,
    diagnostics: findings,
  };
}

/** MAC → real name; of several interfaces with one MAC, the last by name counts. */
function localNics(machine: Machine, findings: Diagnostic[]): Map<string, string> {
  const nics = new Map<string, string>();
  for (const name of Object.keys(machine.nics).sort(compareBytes)) {
    const mac = canonicalMac((machine.nics[name] ?? '').trim());
    if (name === 'lo' || mac === undefined || NO_ADDRESS.test(mac)) continue;
    const other = nics.get(mac);
    if (other !== undefined) {
      findings.push(
        note('boot-shared-mac', `${other} and ${name} have the same MAC address ${mac}; ${name} is taken for it`),
      );
    }
    nics.set(mac, name);
  }
  return nics;
}

interface MacIndex {
  readonly byMac: ReadonlyMap<string, readonly HostPlan[]>;
  readonly rank: ReadonlyMap<HostPlan, number>;
}

/** A cache by plan, because plans do not change: 10,000 machines and 10,000 hosts share one index. */
const indices = new WeakMap<HostPlans, MacIndex>();

function indexOf(plan: HostPlans): MacIndex {
  const known = indices.get(plan);
  if (known !== undefined) return known;
  const byMac = new Map<string, HostPlan[]>();
  const rank = new Map<HostPlan, number>();
  for (const [position, host] of hostsByPrecedence(plan.hosts).entries()) {
    rank.set(host, position);
    for (const mac of macsOf(host)) {
      const list = byMac.get(mac);
      if (list === undefined) byMac.set(mac, [host]);
      else list.push(host);
    }
  }
  const index = { byMac, rank };
  indices.set(plan, index);
  return index;
}

function macsOf(host: HostPlan): Set<string> {
  const macs = host.interfaces.map(({ macAddress }) => canonicalMac(macAddress) ?? '');
  return new Set(macs.filter((mac) => !NO_ADDRESS.test(mac)));
}

function noteMatches(matched: readonly HostPlan[], networked: readonly HostPlan[], findings: Diagnostic[]): void {
  const [first, ...others] = matched;
  if (first === undefined) {
    findings.push(
      note(
        'boot-no-match',
        'no host of the plan has a MAC address of this machine; it keeps the default network, DHCP',
      ),
    );
    return;
  }
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(', ');
    findings.push(
      note(
        'boot-several-hosts',
        `the machine has MAC addresses of ${first.name} and ${names}; the first names it`,
        first,
      ),
    );
  }
  if (networked.length === 0) {
    findings.push({
      ...note('boot-dhcp', `${first.name} has no networkConfig; the default network, DHCP, stays`, first),
      severity: 'info',
    });
  }
}

/**
 * Applies one host directory: first the profiles that are named after present interfaces, as they may replace earlier
 * ones, then all others.
 */
function applyHost(
  host: HostPlan,
  nics: ReadonlyMap<string, string>,
  staged: Map<string, Profile>,
  findings: Diagnostic[],
): void {
  const realNames = new Map<string, string>();
  for (const { name, macAddress } of host.interfaces) {
    const real = nics.get(canonicalMac(macAddress) ?? '');
    if (real === undefined) {
      findings.push(
        note(
          'boot-absent-nic',
          `no interface has the MAC address ${macAddress} of ${name}; its profile keeps that name`,
          host,
        ),
      );
    } else if (name !== '') realNames.set(name, real);
  }
  const names = new NameMap(realNames);
  const profiles = visible(host.network?.profiles ?? []).toSorted((a, b) => compareBytes(a.name, b.name));
  for (const { name, sections } of profiles) {
    const real = names.mapFile(name);
    if (real === undefined) continue;
    if (staged.has(real))
      findings.push(note('boot-replaced-profile', `${real} replaces a profile of the same name`, host));
    staged.set(real, { name: real, sections: names.mapSections(sections) });
  }
  for (const { name, sections } of profiles) {
    if (names.mapFile(name) !== undefined) continue;
    if (staged.has(name))
      findings.push(note('boot-name-clash', `${name} is dropped: another profile has that name already`, host));
    else staged.set(name, { name, sections: names.mapSections(sections) });
  }
}

/**
 * The files that match `host<N>/*.nmconnection`: no hidden ones, and none in subdirectories. Of equal names, the last
 * one was written.
 */
function visible(profiles: readonly Profile[]): readonly Profile[] {
  const byName = new Map(profiles.map((profile) => [profile.name, profile]));
  return [...byName.values()].filter(({ name }) => !name.startsWith('.') && !name.includes('/'));
}

/** Existing profiles are removed only if new ones replace them. */
function installed(profiles: readonly Profile[], { existing = [] }: Machine): BootResult['files'] {
  const names = [...new Set(existing)].sort(compareBytes);
  const keyfiles =
    profiles.length > 0 ? profiles.map(keyfileOf) : names.map((name) => ({ name, content: DEFAULT_PROFILE }));
  if (keyfiles.length === 0) return null;
  return keyfiles.map(({ name, content }) => ({ name, mode: PROFILE_MODE, contents: content }));
}

function note(rule: Rule, message: string, host?: HostPlan): Diagnostic {
  return configDiagnostic({ severity: 'warning', code: `nodes-config/${rule}`, message, path: host?.path });
}
