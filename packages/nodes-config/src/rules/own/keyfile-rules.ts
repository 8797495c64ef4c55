// Changes that upstream makes to keyfiles: an INI library reads and writes them, and a shell script handles their
// names.
import { goYaml, type Node, type Path, type ScalarNode } from '@coreiso/diagnostics';
import type { Profile, ProfileSection } from '@coreiso/nmstate';
import { readIni } from '@coreiso/peers/go';
import { isSecretPath } from '@coreiso/peers/secret-names';
import type { Findings } from '../../text/config-findings.ts';
import type { CheckedHost } from '../host-fields.ts';
import { isKept } from '../through-ini.ts';

/** Reports values that arrive changed, and profiles that never arrive. */
export function checkKeyfiles({ values: { networkConfig } }: CheckedHost, findings: Findings): void {
  if (networkConfig === undefined) return;
  for (const { node, path } of texts(networkConfig.node, networkConfig.path)) {
    const text = node.text;
    const key = path.findLast((step) => typeof step === 'string') ?? '';
    if (key === 'profile-name' && /\s/.test(text)) {
      findings.own({
        code: 'nodes-config/profile-name',
        message: `the profile \`${text}\` has a blank in its name: the host is found at boot, and nothing is installed`,
        path,
        help: 'Choose a `profile-name` without blanks.',
      });
    } else if (isChanged(text)) {
      const shown = isSecretPath(path) ? '' : `, and \`${text}\` is one`;
      findings.own({
        code: 'nodes-config/keyfile-value',
        message: `upstream does not keep outer quotes, outer blanks and a final backslash of \`${key}\`${shown}`,
        path,
        help: 'Choose a value without them.',
      });
    }
  }
}

const INTERFACE_KEYS: ReadonlySet<string> = new Set([
  'connection/id',
  'connection/interface-name',
  'connection/master',
  'connection/controller',
  'match/interface-name',
  'bond/primary',
  'bond/active_slave',
  'hsr/port1',
  'hsr/port2',
]);

/** Whether the value of a setting is the name of an interface, or begins with one. */
export function holdsInterface(section: string, key: string): boolean {
  return key === 'parent' || INTERFACE_KEYS.has(`${section}/${key}`);
}

/**
 * The section that gives profiles priority over those that NetworkManager generates; upstream adds it to all
 * profiles, even if nmstate has `state: down`.
 */
export const ADDED: ProfileSection = {
  name: 'connection',
  settings: [
    { key: 'autoconnect', value: 'true' },
    { key: 'autoconnect-priority', value: '1' },
  ],
};

/**
 * Reports names of interfaces that are values of other settings, too. Upstream's script puts the real name of an
 * interface in place of every value that is its name in the table, or begins with it and a dot.
 */
export function checkWords(
  path: Path,
  interfaces: readonly { readonly name: string }[],
  profiles: readonly Profile[],
  findings: Findings,
): void {
  const settings = otherSettings([ADDED, ...profiles.flatMap(({ sections }) => sections)]);
  for (const [index, { name }] of interfaces.entries()) {
    const setting = settings.get(name);
    if (setting === undefined) continue;
    findings.own({
      code: 'nodes-config/interface-name-word',
      message: `\`${name}\` is also the value of \`${setting}\`, where the installer would put the real name of the interface at boot`,
      path: [...path, 'interfaces', index, 'name'],
      help: 'Choose another name here and in `networkConfig`, such as nic0.',
    });
  }
}

/** Value, and the text before each of its dots → the first setting with that value that holds no interface. */
function otherSettings(sections: readonly ProfileSection[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, settings } of sections) {
    for (const { key, value } of settings) {
      if (holdsInterface(name, key)) continue;
      for (let end = value.length; end > 0; end = value.lastIndexOf('.', end - 1)) {
        const word = value.slice(0, end);
        if (!found.has(word)) found.set(word, `${name}.${key}`);
      }
    }
  }
  return found;
}

/** Whether a text of one line arrives changed. */
function isChanged(text: string): boolean {
  if (text === '' || isKept(text) || text.includes('\n')) return false;
  const reading = readIni(`[section]\nkey=${text}\n`);
  return !reading.ok || reading.sections.at(-1)?.entries.get('key')?.value !== text;
}

interface TextPlace {
  readonly node: ScalarNode;
  readonly path: Path;
}

/** All texts of a state, without keys. */
function texts(root: Node, path: Path): TextPlace[] {
  const found: TextPlace[] = [];
  const walk = (node: Node, at: Path): void => {
    if (node.kind === 'sequence') for (const [index, item] of node.items.entries()) walk(item, [...at, index]);
    else if (node.kind === 'mapping')
      for (const { key, value } of node.entries) walk(value, [...at, key.kind === 'scalar' ? key.text : '?']);
    else if (typeof goYaml(node) === 'string') found.push({ node, path: at });
  };
  walk(root, path);
  return found;
}
