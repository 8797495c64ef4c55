// Describes profiles in one line each, for people.
import { type Profile, settingOf } from '@coreiso/nmstate';
import { showLine } from '@coreiso/peers/controls';

/** Describes the type and addresses of a profile: `vlan on bond0, 192.0.2.10/24`. */
export function describeProfile(profile: Profile): string {
  const type = (settingOf(profile, 'connection', 'type') ?? 'profile').replace(/^802-3-/, '');
  const parent = settingOf(profile, type, 'parent');
  const controller = settingOf(profile, 'connection', 'master');
  const parts = [
    parent === undefined ? type : `${type} on ${parent}`,
    ...(controller === undefined ? [] : [`port of ${controller}`]),
    ...addresses(profile),
  ];
  return parts.join(', ');
}

function addresses(profile: Profile): string[] {
  return ['ipv4', 'ipv6'].flatMap((family) => {
    if (settingOf(profile, family, 'method') === 'auto') return [family === 'ipv4' ? 'DHCP' : 'IPv6 from the network'];
    const { settings = [] } = profile.sections.find(({ name }) => name === family) ?? {};
    return settings.filter(({ key }) => key.startsWith('address')).map(({ value }) => value);
  });
}

/** Formats two columns, indented; control characters in a cell cannot break its row. */
export function columns(rows: readonly (readonly [string, string])[], indent: string): string {
  const shown = rows.map(([first, second]) => [showLine(first), showLine(second)] as const);
  const width = Math.max(0, ...shown.map(([first]) => first.length));
  return shown.map(([first, second]) => `${indent}${first.padEnd(width)}  ${second}`.trimEnd()).join('\n');
}
