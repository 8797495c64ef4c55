import { readIni, writeIni } from '@coreiso/diagnostics/go';
import type { Keyfile } from '@coreiso/nmstate';
import { NodesConfigError } from '../errors.ts';

/** What makes these profiles win over the ones NetworkManager generates; `autoconnect` even where nmstate says `state: down`. */
const SETTINGS = { autoconnect: 'true', 'autoconnect-priority': '1' } as const;

/** A keyfile as upstream puts it into an image: read and written as INI, with two settings added. */
export function postProcess({ name, content }: Keyfile): Keyfile {
  const reading = readIni(content);
  if (!reading.ok) {
    // The reader quotes the line, which may be a password.
    throw new NodesConfigError('NODES_UNREADABLE_KEYFILE', `keyfile ${name} cannot be read as INI text`);
  }
  const sections = [...reading.sections];
  let connection = sections.find((section) => section.name === 'connection');
  if (connection === undefined) {
    connection = { name: 'connection', comment: '', entries: new Map() };
    sections.push(connection);
  }
  for (const [key, value] of Object.entries(SETTINGS)) {
    connection.entries.set(key, { value, comment: connection.entries.get(key)?.comment ?? '' });
  }
  return { name, content: writeIni(sections) };
}
