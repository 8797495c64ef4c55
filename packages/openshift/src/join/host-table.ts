import type { HostPlan } from '@coreiso/nodes-config';
import { hostsByPrecedence } from '@coreiso/nodes-config';
import { canonicalMac } from '@coreiso/peers/go';

/** Hints whose letter case differs between tools for the same number. */
const HEXADECIMAL: ReadonlySet<string> = new Set(['wwn', 'wwnWithExtension', 'wwnVendorExtension']);

/** The text of `/etc/coreiso/hosts`, from which a machine learns its name and its disk: lines `KEY VALUE`, host after host. */
export function hostTable(hosts: readonly HostPlan[]): string {
  return hostsByPrecedence(hosts).flatMap(entryOf).join('');
}

function entryOf({ name, hostname, interfaces, rootDeviceHints }: HostPlan): string[] {
  const macs = interfaces.map(({ macAddress }) => canonicalMac(macAddress)).filter((mac) => mac !== undefined);
  return [
    line('host', name),
    ...macs.map((mac) => line('mac', mac)),
    ...(hostname === undefined ? [] : [line('hostname', hostname)]),
    ...hintLines(rootDeviceHints),
  ];
}

function hintLines(hints: HostPlan['rootDeviceHints']): string[] {
  return Object.entries(hints)
    .filter(([, value]) => value !== undefined && value !== '' && value !== 0)
    .map(([hint, value]) => line(`hint ${hint}`, HEXADECIMAL.has(hint) ? String(value).toLowerCase() : String(value)));
}

/** A line end in a value would begin another line, and thus another entry. */
function line(key: string, value: string): string {
  return `${key} ${value.replace(/\p{Cc}/gu, '?')}\n`;
}
