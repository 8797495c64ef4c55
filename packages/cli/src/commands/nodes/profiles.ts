// Keyfiles in one line each, for people.
import { showLine } from '@coreiso/peers/controls';

/** What a profile is and which addresses it has: `vlan on bond0, 192.0.2.10/24`. */
export function describeProfile(content: string): string {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of content.split('\n')) {
    const [, header] = /^\[(.+)\]$/.exec(line) ?? [];
    const end = line.indexOf('=');
    if (header !== undefined) section = header;
    else if (end > 0) settings.set(`${section}.${line.slice(0, end)}`, line.slice(end + 1));
  }
  const type = (settings.get('connection.type') ?? 'profile').replace(/^802-3-/, '');
  const parent = settings.get(`${type}.parent`);
  const controller = settings.get('connection.master');
  const parts = [
    parent === undefined ? type : `${type} on ${parent}`,
    ...(controller === undefined ? [] : [`port of ${controller}`]),
    ...addresses(settings),
  ];
  return parts.join(', ');
}

function addresses(settings: ReadonlyMap<string, string>): string[] {
  return ['ipv4', 'ipv6'].flatMap((family) => {
    if (settings.get(`${family}.method`) === 'auto') return [family === 'ipv4' ? 'DHCP' : 'IPv6 from the network'];
    return [...settings].filter(([key]) => key.startsWith(`${family}.address`)).map(([, address]) => address);
  });
}

/** Two columns, indented; nothing in them begins a line of its own. */
export function columns(rows: readonly (readonly [string, string])[], indent: string): string {
  const shown = rows.map(([first, second]) => [showLine(first), showLine(second)] as const);
  const width = Math.max(0, ...shown.map(([first]) => first.length));
  return shown.map(([first, second]) => `${indent}${first.padEnd(width)}  ${second}`.trimEnd()).join('\n');
}
