// Connection profiles as data, and the function that writes them as text.
import { checkArgument } from '@coreiso/peers/arguments';

/** A connection profile as a file for `/etc/NetworkManager/system-connections`; NetworkManager needs mode 0600. */
export interface Keyfile {
  /** The name of the file, such as `bond0.nmconnection`. */
  readonly name: string;
  readonly content: string;
}

/** A connection profile as data; `keyfileOf` makes a file of it. */
export interface Profile {
  /** The name of its file, such as `bond0.nmconnection`. */
  readonly name: string;
  /** In the order in which they are written. */
  readonly sections: readonly ProfileSection[];
}

/** A section of a profile, such as `[ipv4]`. */
export interface ProfileSection {
  /** Empty for settings before the first header. */
  readonly name: string;
  readonly settings: readonly ProfileSetting[];
  /** Comment lines above the header, each with its comment mark. nmstate writes none. */
  readonly comment?: string | undefined;
}

/** A line of a profile, `key=value`. */
export interface ProfileSetting {
  readonly key: string;
  /** The value as written, not escaped. */
  readonly value: string;
  /** Comment lines above the setting, each with its comment mark. nmstate writes none. */
  readonly comment?: string | undefined;
}

/**
 * Makes the file of a profile. Escapes nothing, because nmstate does not either.
 *
 * @example keyfileOf({ name: 'eth0.nmconnection', sections: [{ name: 'connection', settings: [{ key: 'id', value: 'eth0' }] }] })
 */
export function keyfileOf(profile: Profile): Keyfile {
  checkArgument('profile', profile, 'object');
  const { name, sections } = profile;
  checkArgument('profile.name', name, 'text');
  checkArgument('profile.sections', sections, 'array');
  return { name, content: sections.map(sectionText).join('\n') };
}

function sectionText({ name, settings, comment }: ProfileSection): string {
  const header = name === '' ? '' : `[${name}]\n`;
  return commentText(comment) + header + settings.map(settingText).join('');
}

function settingText({ key, value, comment }: ProfileSetting): string {
  return `${commentText(comment)}${key}=${value}\n`;
}

function commentText(comment: string | undefined): string {
  return comment === undefined ? '' : `${comment}\n`;
}

/**
 * The value of a setting; undefined if the profile does not have it.
 *
 * @example settingOf(profile, 'ipv4', 'method') // 'manual'
 */
export function settingOf(profile: Profile, section: string, key: string): string | undefined {
  checkArgument('profile', profile, 'object');
  const { sections } = profile;
  checkArgument('profile.sections', sections, 'array');
  for (const { name, settings } of sections) {
    const found = name === section ? settings.find((one) => one.key === key) : undefined;
    if (found !== undefined) return found.value;
  }
  return undefined;
}
