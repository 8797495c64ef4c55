// What upstream does to keyfiles on their way: an INI library reads and writes them, and a shell script handles their names.
import { goYaml, isSecretPath, type Node, type Path, type ScalarNode } from '@coreiso/diagnostics';
import { readIni } from '@coreiso/diagnostics/go';
import type { Findings } from '../../text/findings.ts';
import type { CheckedHost } from '../host-fields.ts';

/** Values that arrive changed, and profiles that never arrive. */
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
        cure: 'Choose a `profile-name` without blanks.',
      });
    } else if (isChanged(text)) {
      const shown = isSecretPath(path) ? '' : `, and \`${text}\` is one`;
      findings.own({
        code: 'nodes-config/keyfile-value',
        message: `upstream does not keep outer quotes, outer blanks and a final backslash of \`${key}\`${shown}`,
        path,
        cure: 'Choose a value without them.',
      });
    }
  }
}

/** Only these shapes can change, and only within a line. */
function isChanged(text: string): boolean {
  if (!/^["'`\s]|[\s\\]$/.test(text) || text.includes('\n')) return false;
  const reading = readIni(`[section]\nkey=${text}\n`);
  return !reading.ok || reading.sections.at(-1)?.entries.get('key')?.value !== text;
}

interface TextPlace {
  readonly node: ScalarNode;
  readonly path: Path;
}

/** All texts of a state, keys left out. */
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
