/** Kinds of documents that can be judged. */
export type LanguageKind =
  | 'nodes-config'
  | 'agent-config'
  | 'install-config'
  | 'nmstateconfig'
  | 'infraenv'
  | 'network-state'
  | 'ignition';

/**
 * All of them.
 *
 * @example KINDS.includes('ignition')
 */
export const KINDS: readonly LanguageKind[] = [
  'nodes-config',
  'agent-config',
  'install-config',
  'nmstateconfig',
  'infraenv',
  'network-state',
  'ignition',
];

/** What a document says it is. */
const BY_NAME: Readonly<Record<string, LanguageKind>> = {
  agentconfig: 'agent-config',
  infraenv: 'infraenv',
  nmstateconfig: 'nmstateconfig',
  nodesconfig: 'nodes-config',
  addnodesconfig: 'nodes-config',
  nodenetworkconfigurationpolicy: 'network-state',
};

/** Keys at the root that few kinds have, each with a vote. */
const VOTES: readonly (readonly [key: RegExp, kind: LanguageKind])[] = [
  [
    /^(?:baseDomain|controlPlane|compute|networking|pullSecret|publish|featureSet|imageContentSources|imageDigestSources)$/,
    'install-config',
  ],
  [/^(?:interfaces|routes|dns-resolver|route-rules|ovs-db|ovn|hostname|capture|desiredState)$/, 'network-state'],
  [/^(?:rendezvousIP|additionalNTPSources|minimalISO)$/, 'agent-config'],
  [/^(?:cpuArchitecture|sshKey)$/, 'nodes-config'],
  [/^hosts$/, 'nodes-config'],
];

/**
 * What a text is, by its name, by what it says it is, or by its keys; half-typed texts and such with mistakes have a kind, too.
 * Undefined where it looks like none of them.
 *
 * @example kindOf('rendezvousIP: 192.0.2.10\n') // 'agent-config'
 */
export function kindOf(text: string, path = ''): LanguageKind | undefined {
  const name = path.replace(/^.*[/\\]/, '');
  const named = KINDS.find((kind) => new RegExp(`^${kind}\\b.*\\.(?:ya?ml|json)$`).test(name));
  if (named !== undefined) return named;
  if (/\.ign$/.test(name) || /^\s*\{[\s\S]*["']?(?:ignition|storage|systemd|passwd)["']?\s*:/.test(text))
    return 'ignition';
  const kind = /^kind\s*:\s*["']?(\w+)/m.exec(text)?.[1]?.toLowerCase();
  const told = kind === undefined ? undefined : BY_NAME[kind];
  if (told !== undefined) return told;
  const counts = new Map<LanguageKind, number>();
  for (const [, key = ''] of text.matchAll(/^["']?([A-Za-z][\w-]*)["']?\s*:/gm)) {
    const vote = VOTES.find(([pattern]) => pattern.test(key))?.[1];
    // What an install config has is told by none of the others.
    if (vote !== undefined) counts.set(vote, (counts.get(vote) ?? 0) + (vote === 'nodes-config' ? 1 : 2));
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
