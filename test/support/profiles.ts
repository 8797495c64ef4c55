import type { Profile, ProfileSetting } from '@coreiso/nmstate';

/**
 * Parses a profile from the text of a keyfile, for tests that are easier to read as text; no comments, no values of
 * several lines.
 */
export function profileOf(content: string, name = 'a.nmconnection'): Profile {
  const sections: { name: string; settings: ProfileSetting[] }[] = [];
  for (const line of content.split('\n')) {
    const [, header] = /^\[(.*)\]$/.exec(line) ?? [];
    const end = line.indexOf('=');
    if (header !== undefined) sections.push({ name: header, settings: [] });
    else if (end !== -1) sections.at(-1)?.settings.push({ key: line.slice(0, end), value: line.slice(end + 1) });
  }
  return { name, sections };
}
