// The per-host files of an image, as upstream lays them out under /etc/assisted.
import { type Plain, writeGoYaml } from '@coreiso/diagnostics';
import { keyfileOf, type Profile } from '@coreiso/nmstate';
import { cleanPath, compareBytes } from '@coreiso/peers/go';
import type { Host, HostInterface, RootDeviceHints } from '../rules/host.ts';
import { ADDED } from '../rules/own/keyfile-rules.ts';

/** A file on the booted node. */
export interface PlannedFile {
  readonly path: string;
  /** A number, `0o600`; upstream's listings show it as octal text. */
  readonly mode: number;
  readonly owner: 'root';
  readonly contents: string;
}

const ROOT = '/etc/assisted';
const SECRET = 0o600;
const READABLE = 0o644;

/** `host<N>` and its contents. */
export interface NetworkDirectory {
  readonly name: string;
  readonly interfaces: readonly HostInterface[];
  readonly profiles: readonly Profile[];
}

/** All files, sorted by path; if two hosts have the same file, the later one wins, as upstream. */
export function fileTree(hosts: readonly Host[], networks: readonly NetworkDirectory[]): PlannedFile[] {
  const files = new Map<string, PlannedFile>();
  const add = (parts: readonly string[], mode: number, contents: string): void => {
    const path = joinPath(ROOT, ...parts);
    files.set(path, { path, mode, owner: 'root', contents });
  };
  for (const { name, interfaces, profiles } of networks) {
    for (const profile of profiles) add(['network', joinPath(name, profile.name)], SECRET, keyfileOf(profile).content);
    add(['network', name, 'mac_interface.ini'], SECRET, macTable(interfaces));
  }
  for (const [position, host] of hosts.entries()) {
    const { hostname, interfaces, role } = host;
    const name = directoryName(host, position);
    const first = interfaces[0];
    // The MAC as written: one with dashes makes a file that no machine reads.
    if (hostname !== '' && first !== undefined)
      add(['hostnames', baseName(first.macAddress).toLowerCase()], SECRET, hostname);
    if (interfaces.length > 0) {
      const macs = interfaces.map(({ macAddress }) => `${macAddress.toLowerCase()}\n`).join('');
      add(['hostconfig', joinPath(name, 'mac_addresses')], READABLE, macs);
    }
    const hints = hintsText(host.rootDeviceHints);
    if (hints !== '') add(['hostconfig', joinPath(name, 'root-device-hints.yaml')], READABLE, hints);
    if (role !== '') add(['hostconfig', joinPath(name, 'role')], READABLE, role);
  }
  return [...files.values()].sort((a, b) => compareBytes(a.path, b.path));
}

/** The name of a host's directory under `hostconfig`: its host name, or its position in the document. */
export function directoryName(host: Host, position: number): string {
  return host.hostname === '' ? `host-${position}` : host.hostname;
}

function macTable(interfaces: readonly HostInterface[]): string {
  return interfaces
    .map(({ name, macAddress }) => `${macAddress}=${name}`)
    .sort(compareBytes)
    .join('\n');
}

/** Hints that are empty in Go are left out; `rotational: false` is kept. */
function hintsText(hints: RootDeviceHints): string {
  const given: Record<string, Plain> = {};
  for (const [name, value] of Object.entries(hints)) {
    if (value === undefined || value === '' || value === 0) continue;
    given[name] = typeof value === 'number' ? BigInt(value) : value;
  }
  return Object.keys(given).length === 0 ? '' : writeGoYaml(given);
}

/** Go's `path.Join`: empty parts are skipped, and the result is cleaned. */
export function joinPath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join('/');
  return joined === '' ? '' : cleanPath(joined);
}

/** Go's `filepath.Base`, but empty instead of `.` or `/`: joined to a directory, all three give the directory. */
function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** A profile as upstream puts it into an image. */
export function withPriority({ name, sections }: Profile): Profile {
  const added = new Map(ADDED.settings.map(({ key, value }) => [key, value]));
  if (!sections.some((section) => section.name === ADDED.name)) return { name, sections: [...sections, ADDED] };
  return {
    name,
    sections: sections.map((section) => {
      if (section.name !== ADDED.name) return section;
      const keys = new Set(section.settings.map(({ key }) => key));
      const settings = section.settings.map((one) => ({ ...one, value: added.get(one.key) ?? one.value }));
      return { ...section, settings: [...settings, ...ADDED.settings.filter(({ key }) => !keys.has(key))] };
    }),
  };
}
