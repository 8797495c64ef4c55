import { goYaml, type Node } from '@coreiso/diagnostics';
import { goText } from '@coreiso/peers/go';
import { entryOf } from '../text/lookup.ts';
import { type ConfigSource, readFirst } from '../text/read-text.ts';
import type { DocumentKind } from './types.ts';

const BY_KIND: Readonly<Record<string, DocumentKind>> = {
  agentconfig: 'agent-config',
  infraenv: 'infraenv',
  nmstateconfig: 'nmstateconfig',
  nodesconfig: 'nodes-config',
  addnodesconfig: 'nodes-config',
};

/** Keys that only one kind of document has. */
const BY_KEYS: readonly (readonly [path: readonly string[], kind: DocumentKind])[] = [
  [['cpuArchitecture'], 'nodes-config'],
  [['sshKey'], 'nodes-config'],
  [['rendezvousIP'], 'agent-config'],
  [['additionalNTPSources'], 'agent-config'],
  [['minimalISO'], 'agent-config'],
  [['spec', 'config'], 'nmstateconfig'],
  [['spec', 'interfaces'], 'nmstateconfig'],
  [['spec', 'pullSecretRef'], 'infraenv'],
  [['spec', 'clusterRef'], 'infraenv'],
  [['spec', 'nmStateConfigLabelSelector'], 'infraenv'],
];

/**
 * The kind that a text names, or else resembles most; without any sign it is a nodes-config.
 *
 * @example detectKind('rendezvousIP: 192.0.2.10\n') // 'agent-config'
 */
export function detectKind(source: ConfigSource): DocumentKind {
  const read = readFirst(source, '', 'compatible');
  const root = read.ok ? read.documents[0].root : undefined;
  if (root === undefined) return 'nodes-config';
  const named = BY_KIND[textAt(root, ['kind']).toLowerCase()];
  if (named !== undefined) return named;
  const byKey = BY_KEYS.find(([path]) => nodeOf(root, path) !== undefined);
  if (byKey !== undefined) return byKey[1];
  return /^v1(?:alpha|beta)1$/.test(textAt(root, ['apiVersion'])) ? 'agent-config' : 'nodes-config';
}

function textAt(root: Node, path: readonly string[]): string {
  const node = nodeOf(root, path);
  return node?.kind === 'scalar' ? (goText(goYaml(node)) ?? '') : '';
}

function nodeOf(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, name) => (node?.kind === 'mapping' ? entryOf(node, name)?.value : undefined),
    root,
  );
}
