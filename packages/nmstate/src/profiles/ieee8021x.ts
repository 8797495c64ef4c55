import { writeFields } from '../keyfile/write-fields.ts';
import type { Ieee8021XConfig } from '../state/generated/types.ts';
import { ieee8021x } from '../state/tables/ieee8021x.ts';
import type { Profile } from './profile.ts';

/** What nmstate shows instead of a secret; it must not be taken for one. */
export const HIDDEN_SECRET = '<_password_hid_by_nmstate>';

export function write8021x(profile: Profile, config: Ieee8021XConfig | undefined): void {
  if (config === undefined) return;
  const section = profile.section('802-1x');
  writeFields(section, ieee8021x, config);
  // The only list that ends with its separator.
  section.set('eap', config['eap-methods']?.map((method) => `${method};`).join(''));
  for (const key of ['password', 'private-key-password'] as const) {
    if (config[key] !== HIDDEN_SECRET) section.set(key, config[key]);
  }
}
