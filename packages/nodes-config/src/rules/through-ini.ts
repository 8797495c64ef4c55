// Upstream reads and writes every keyfile with an INI library, which changes some: it drops quotes and outer blanks,
// and a final backslash joins lines.
import { keyfileOf, type Profile, type ProfileSetting } from '@coreiso/nmstate';
import { readIni, writtenIni } from '@coreiso/peers/go';

/** The profile as the library writes it, or the library's message about the line that it cannot read. */
export type IniPassage =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly message: string };

/** Only a profile that the library may change has to be written as text for it. */
export function throughIni(profile: Profile): IniPassage {
  if (profile.sections.every(({ settings }) => settings.every(isPlain))) return { ok: true, profile };
  const reading = readIni(keyfileOf(profile).content);
  return reading.ok ? { ok: true, profile: { name: profile.name, sections: writtenIni(reading.sections) } } : reading;
}

function isPlain({ key, value }: ProfileSetting): boolean {
  return /^\w[\w.-]*$/.test(key) && isKept(value);
}

/** Whether a value has no quotes, no joined lines and no outer blanks; only Go counts U+0085 as a blank. */
export function isKept(value: string): boolean {
  return /^[^\s\u0085"'`]/.test(value) && /[^\s\u0085\\]$/.test(value) && !/[\n`]/.test(value);
}
