// Profiles that find their network cards by MAC address. An image of one host then needs no script that learns the real names, and the
// profiles still match on the installed system, where names may differ.

import { type Profile, type ProfileSection, type ProfileSetting, settingOf } from '@coreiso/nmstate';
import type { HostPlan } from '@coreiso/nodes-config';
import { canonicalMac } from '@coreiso/peers/go';

export interface BoundProfiles {
  readonly profiles: readonly Profile[];
  /** Settings that can only name a card, e.g. `bond0.nmconnection: primary=eth0`: they prevent binding the host. */
  readonly obstacles: readonly string[];
}

const ETHERNET_TYPES: ReadonlySet<string> = new Set(['802-3-ethernet', 'ethernet']);
/** Settings that accept only the name of a card. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  'bond.primary',
  'bond.active_slave',
  'hsr.port1',
  'hsr.port2',
  'infiniband.parent',
]);

/** The same profiles for the cards with these MAC addresses, whatever names the machine gives them. */
export function bindToMacs(
  profiles: readonly Profile[],
  interfaces: readonly HostPlan['interfaces'][number][],
): BoundProfiles {
  const macs = new Map(
    interfaces.map(({ name, macAddress }) => [name, canonicalMac(macAddress)?.toUpperCase()] as const),
  );
  const uuids = new Map<string, string>();
  const bound = profiles.map((profile) => bindProfile(profile, macs, uuids));
  const obstacles = bound.flatMap(({ name, sections }) =>
    sections.flatMap((section) =>
      section.settings
        .filter((setting) => refersTo(section.name, setting, uuids))
        .map(({ key, value }) => `${name}: ${key}=${value}`),
    ),
  );
  return { profiles: bound.map((profile) => bindParents(profile, uuids)), obstacles };
}

/** Replaces the card name in a profile by the MAC address from the table, and records the profile by its UUID. */
function bindProfile(
  profile: Profile,
  macs: ReadonlyMap<string, string | undefined>,
  uuids: Map<string, string>,
): Profile {
  const card = settingOf(profile, 'connection', 'interface-name');
  const mac = card === undefined ? undefined : macs.get(card);
  const uuid = settingOf(profile, 'connection', 'uuid');
  if (card === undefined || mac === undefined || uuid === undefined) return profile;
  if (!ETHERNET_TYPES.has(settingOf(profile, 'connection', 'type') ?? '')) return profile;
  uuids.set(card, uuid);
  const sections = profile.sections.map((section) =>
    section.name === 'connection'
      ? { ...section, settings: section.settings.filter(({ key }) => key !== 'interface-name') }
      : section,
  );
  return { name: profile.name, sections: withMac(sections, mac) };
}

/** The MAC address of a card, if its profile has none. */
function withMac(sections: readonly ProfileSection[], mac: string): readonly ProfileSection[] {
  const address = { key: 'mac-address', value: mac };
  if (!sections.some(({ name }) => name === 'ethernet'))
    return [...sections, { name: 'ethernet', settings: [address] }];
  return sections.map((section) => {
    const isBound = section.name !== 'ethernet' || section.settings.some(({ key }) => key === address.key);
    return isBound ? section : { ...section, settings: [address, ...section.settings] };
  });
}

/** NetworkManager accepts the UUID of a profile in place of the parent's name. */
function bindParents({ name, sections }: Profile, uuids: ReadonlyMap<string, string>): Profile {
  return {
    name,
    sections: sections.map((section) => ({
      ...section,
      settings: section.settings.map((setting) => {
        const uuid = setting.key === 'parent' ? uuids.get(setting.value) : undefined;
        return uuid === undefined || NAMES_ONLY.has(`${section.name}.parent`) ? setting : { ...setting, value: uuid };
      }),
    })),
  };
}

function refersTo(section: string, { key, value }: ProfileSetting, uuids: ReadonlyMap<string, string>): boolean {
  if (NAMES_ONLY.has(`${section}.${key}`)) return uuids.has(value);
  if (!key.startsWith('routing-rule')) return false;
  return [...value.matchAll(/\b[io]if (\S+)/g)].some(([, card = '']) => uuids.has(card));
}
