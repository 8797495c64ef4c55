import { serdeYamlString } from '@coreiso/diagnostics';
import type { Keyfile } from '../generate.ts';

/** How deep the file texts stand in the listing. */
const INDENT = 4;

/**
 * What `nmstatectl gc` prints on success, to the byte; also where that breaks the YAML, as with a backslash before an n.
 *
 * @example
 * process.stdout.write(formatGcListing(generateKeyfilesOrThrow(text, { mode: 'compatible' })));
 */
export function formatGcListing(keyfiles: readonly Keyfile[]): string {
  if (!Array.isArray(keyfiles)) throw new TypeError('keyfiles must be a list of { name, content }');
  const pairs = keyfiles.map(
    ({ name, content }) => `- - ${serdeYamlString(name, INDENT)}\n  - ${serdeYamlString(content, INDENT)}\n`,
  );
  const yaml = pairs.length === 0 ? 'NetworkManager: []\n' : `NetworkManager:\n${pairs.join('')}`;
  // The tool means to make line ends of double-quoted scalars readable.
  return `${yaml.replaceAll('\\n', '\n\n')}\n`;
}
