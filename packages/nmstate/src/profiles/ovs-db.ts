import type { OvsDbEntries } from '../state/generated/types.ts';
import type { Profile } from './profile.ts';

interface OvsDb {
  readonly external_ids?: OvsDbEntries | undefined;
  readonly other_config?: OvsDbEntries | undefined;
}

/** Entries of the Open vSwitch database; a section without entries is not written. */
export function writeOvsDb(profile: Profile, ovsDb: OvsDb | undefined): void {
  writeEntries(profile, 'ovs-external-ids', ovsDb?.external_ids);
  writeEntries(profile, 'ovs-other-config', ovsDb?.other_config);
}

function writeEntries(
  profile: Profile,
  name: 'ovs-external-ids' | 'ovs-other-config',
  entries: OvsDbEntries = {},
): void {
  for (const [key, value] of Object.entries(entries)) {
    if (value !== null) profile.section(name).set(`data.${key}`, value);
  }
}
