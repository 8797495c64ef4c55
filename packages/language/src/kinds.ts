/** Kinds of documents that can be checked. */
export type LanguageKind =
  | 'nodes-config'
  | 'agent-config'
  | 'install-config'
  | 'nmstateconfig'
  | 'infraenv'
  | 'network-state'
  | 'ignition';

/**
 * All kinds of documents.
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

/** The kind that a document names itself. */
const BY_NAME: Readonly<Record<string, LanguageKind>> = {
  agentconfig: 'agent-config',
  infraenv: 'infraenv',
  nmstateconfig: 'nmstateconfig',
  nodesconfig: 'nodes-config',
  addnodesconfig: 'nodes-config',
  nodenetworkconfigurationpolicy: 'network-state',
};

/** Keys at the root that few kinds have; each is a vote for those kinds. */
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

/** Keys that files of other programs have, too: alone they prove nothing. */
const COMMON = /^(?:compute|publish|routes|hostname|capture|sshKey|hosts|networking)$/;
/** Keys that only coreiso's hosts have, at any depth. */
const OF_HOSTS = /^[ -]*(?:hostname|macAddress|networkConfig|rootDeviceHints)\s*:/m;

/**
 * Detects the kind of a text by its name, its `kind` or its keys, even if it is incomplete or has mistakes. Undefined if it
 * matches no kind.
 *
 * @example kindOf('rendezvousIP: 192.0.2.10\n') // 'agent-config'
 */
export function kindOf(text: string, path = ''): LanguageKind | undefined {
  const name = path.replace(/^.*[/\\]/, '');
  const named = KINDS.find((kind) => new RegExp(`^${kind}\\b.*\\.(?:ya?ml|json)$`).test(name));
  if (named !== undefined) return named;
  if (/\.ign$/.test(name) || looksLikeIgnition(text)) return 'ignition';
  const kind = /^kind\s*:\s*["']?(\w+)/m.exec(text)?.[1]?.toLowerCase();
  const told = kind === undefined ? undefined : BY_NAME[kind];
  if (told !== undefined) return told;
  // A Kubernetes object of another kind.
  if (kind !== undefined && /^apiVersion\s*:\s*["']?[\w.-]+\/\w+/m.test(text)) return undefined;
  const counts = new Map<LanguageKind, number>();
  let isSure = OF_HOSTS.test(text);
  for (const [, key = ''] of text.matchAll(/^["']?([A-Za-z][\w-]*)["']?\s*:/gm)) {
    const vote = VOTES.find(([pattern]) => pattern.test(key))?.[1];
    // Keys of an install config are in none of the other kinds.
    if (vote !== undefined && !COMMON.test(key)) isSure = true;
    if (vote !== undefined) counts.set(vote, (counts.get(vote) ?? 0) + (vote === 'nodes-config' ? 1 : 2));
  }
  return isSure ? [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] : undefined;
}

/** Whether JSON has the root member `ignition`, or two other root members that only Ignition configs combine. */
function looksLikeIgnition(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  const keys = new Set(text.match(/(?<![\w-])(?:ignition|storage|systemd|passwd)(?=["']?\s*:)/g));
  return keys.has('ignition') || keys.size > 1;
}
