// The per-host files of an image, as upstream lays them out under /etc/assisted.
import { type Plain, writeGoYaml } from '@coreiso/diagnostics';
import type { Keyfile } from '@coreiso/nmstate';
import { cleanPath, compareBytes, readIni, writeIni } from '@coreiso/peers/go';
import { NodesConfigError } from '../errors.ts';
import type { Host, HostInterface, RootDeviceHints } from '../rules/host.ts';

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
  readonly keyfiles: readonly Keyfile[];
}

/** Everything in the order of the paths; where two hosts want the same file the later one wins, as upstream. */
export function fileTree(hosts: readonly Host[], networks: readonly NetworkDirectory[]): PlannedFile[] {
  const files = new Map<string, PlannedFile>();
  const add = (parts: readonly string[], mode: number, contents: string): void => {
    const path = joinPath(ROOT, ...parts);
    files.set(path, { path, mode, owner: 'root', contents });
  };
  for (const { name, interfaces, keyfiles } of networks) {
    for (const keyfile of keyfiles) add(['network', joinPath(name, keyfile.name)], SECRET, keyfile.content);
    add(['network', name, 'mac_interface.ini'], SECRET, macTable(interfaces));
  }
  for (const [position, host] of hosts.entries()) {
    const { hostname, interfaces, role } = host;
    const name = directoryName(host, position);
    const first = interfaces[0];
    // The MAC as written: one with dashes makes a file that no machine will look for.
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

/** Hints that Go calls empty are left out; `rotational: false` is not. */
function hintsText(hints: RootDeviceHints): string {
  const given: Record<string, Plain> = {};
  for (const [name, value] of Object.entries(hints)) {
    if (value === undefined || value === '' || value === 0) continue;
    given[name] = typeof value === 'number' ? BigInt(value) : value;
  }
  return Object.keys(given).length === 0 ? '' : writeGoYaml(given);
}

/** Go's `path.Join`: empty parts are skipped, and the rest is cleaned. */
export function joinPath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join('/');
  return joined === '' ? '' : cleanPath(joined);
}

/** Go's `filepath.Base`, empty where that is `.` or `/`: joined to a directory all three are the directory. */
function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** What makes these profiles win over the ones NetworkManager generates; `autoconnect` even where nmstate says `state: down`. */
const SETTINGS = { autoconnect: 'true', 'autoconnect-priority': '1' } as const;

/** A keyfile as upstream puts it into an image: read and written as INI, with two settings added. */
export function postProcess({ name, content }: Keyfile): Keyfile {
  const reading = readIni(content);
  if (!reading.ok) {
    // The reader quotes the line, which may be a password.
    throw new NodesConfigError('NODES_UNREADABLE_KEYFILE', `keyfile ${name} cannot be read as INI text`);
  }
  const sections = [...reading.sections];
  let connection = sections.find((section) => section.name === 'connection');
  if (connection === undefined) {
    connection = { name: 'connection', comment: '', entries: new Map() };
    sections.push(connection);
  }
  for (const [key, value] of Object.entries(SETTINGS)) {
    connection.entries.set(key, { value, comment: connection.entries.get(key)?.comment ?? '' });
  }
  return { name, content: writeIni(sections) };
}
