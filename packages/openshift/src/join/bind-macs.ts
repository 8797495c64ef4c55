// Keyfiles that find their network cards by MAC address. An image for one host needs no script then that learns the real names, and the
// profiles stay right on the installed system, where names may be others.

import type { Keyfile } from '@coreiso/nmstate';
import type { HostInterface } from '@coreiso/nodes-config';
import { canonicalMac } from '@coreiso/peers/go';

export interface BoundKeyfiles {
  readonly keyfiles: readonly Keyfile[];
  /** Settings that can only name a card, e.g. `bond0.nmconnection: primary=eth0`: with them the host cannot be bound. */
  readonly obstacles: readonly string[];
}

/** Lines of a section without its header; the first section has no name and is usually empty. */
interface Section {
  readonly name: string;
  lines: string[];
}

const ETHERNET_TYPES: ReadonlySet<string> = new Set(['802-3-ethernet', 'ethernet']);
/** Settings that take the name of a card and nothing else. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  'bond.primary',
  'bond.active_slave',
  'hsr.port1',
  'hsr.port2',
  'infiniband.parent',
]);

/** The same profiles for the cards with these MAC addresses, whatever the machine calls them. */
export function bindToMacs(keyfiles: readonly Keyfile[], interfaces: readonly HostInterface[]): BoundKeyfiles {
  const macs = new Map(
    interfaces.map(({ name, macAddress }) => [name, canonicalMac(macAddress)?.toUpperCase()] as const),
  );
  const profiles = keyfiles.map(({ name, content }) => ({ name, sections: split(content) }));
  const uuids = new Map<string, string>();
  for (const { sections } of profiles) bindProfile(sections, macs, uuids);
  const obstacles: string[] = [];
  for (const { name, sections } of profiles) {
    for (const section of sections) {
      section.lines = section.lines.map((line) => {
        if (refersTo(section, line, uuids)) obstacles.push(`${name}: ${line}`);
        return bindParent(section, line, uuids);
      });
    }
  }
  return { keyfiles: profiles.map(({ name, sections }) => ({ name, content: join(sections) })), obstacles };
}

/** A profile of a card in the table gets its MAC address for its name, and is noted by its UUID. */
function bindProfile(
  sections: Section[],
  macs: ReadonlyMap<string, string | undefined>,
  uuids: Map<string, string>,
): void {
  const connection = sections.find(({ name }) => name === 'connection');
  const card = connection && setting(connection, 'interface-name');
  const mac = card === undefined ? undefined : macs.get(card);
  if (connection === undefined || card === undefined || mac === undefined) return;
  const uuid = setting(connection, 'uuid');
  if (uuid === undefined || !ETHERNET_TYPES.has(setting(connection, 'type') ?? '')) return;
  uuids.set(card, uuid);
  connection.lines = connection.lines.filter((line) => !line.startsWith('interface-name='));
  const ethernet = sections.find(({ name }) => name === 'ethernet');
  if (ethernet === undefined) {
    const last = sections.at(-1);
    // A text that ends in a newline has an empty line last.
    if (last?.lines.at(-1) !== '') last?.lines.push('');
    sections.push({ name: 'ethernet', lines: [`mac-address=${mac}`, ''] });
  } else if (setting(ethernet, 'mac-address') === undefined) ethernet.lines.unshift(`mac-address=${mac}`);
}

/** NetworkManager takes the UUID of a profile where it takes the name of the parent. */
function bindParent({ name }: Section, line: string, uuids: ReadonlyMap<string, string>): string {
  if (!line.startsWith('parent=') || NAMES_ONLY.has(`${name}.parent`)) return line;
  const uuid = uuids.get(line.slice('parent='.length));
  return uuid === undefined ? line : `parent=${uuid}`;
}

function refersTo({ name }: Section, line: string, uuids: ReadonlyMap<string, string>): boolean {
  const end = line.indexOf('=');
  if (end === -1) return false;
  const [key, value] = [line.slice(0, end), line.slice(end + 1)];
  if (NAMES_ONLY.has(`${name}.${key}`)) return uuids.has(value);
  if (!key.startsWith('routing-rule')) return false;
  return [...value.matchAll(/\b[io]if (\S+)/g)].some(([, card = '']) => uuids.has(card));
}

function setting({ lines }: Section, key: string): string | undefined {
  return lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
}

function split(text: string): Section[] {
  const sections: Section[] = [{ name: '', lines: [] }];
  for (const line of text.split('\n')) {
    const [, name] = /^\[(.+)\]$/.exec(line) ?? [];
    if (name === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ name, lines: [] });
  }
  return sections;
}

function join(sections: readonly Section[]): string {
  return sections.flatMap(({ name, lines }) => (name === '' ? lines : [`[${name}]`, ...lines])).join('\n');
}
