// Upstream sends every keyfile through an INI library, which is not neutral: quotes and outer blanks go, a final backslash joins lines.
import { keyfileOf, type Profile, type ProfileSetting } from '@coreiso/nmstate';
import { readIni, writtenIni } from '@coreiso/peers/go';

/** The profile as the library leaves it, or the library's words for the line it stumbles over. */
export type IniPassage =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly message: string };

/** Only a profile with something in it that the library may change has to become text for it. */
export function throughIni(profile: Profile): IniPassage {
  if (profile.sections.every(({ settings }) => settings.every(isPlain))) return { ok: true, profile };
  const reading = readIni(keyfileOf(profile).content);
  return reading.ok ? { ok: true, profile: { name: profile.name, sections: writtenIni(reading.sections) } } : reading;
}

function isPlain({ key, value }: ProfileSetting): boolean {
  return /^\w[\w.-]*$/.test(key) && isKept(value);
}

/** Whether a value has nothing in it that quotes, joins lines or is cut off; U+0085 is a blank to Go alone. */
export function isKept(value: string): boolean {
  return /^[^\s\u0085"'`]/.test(value) && /[^\s\u0085\\]$/.test(value) && !/[\n`]/.test(value);
}
