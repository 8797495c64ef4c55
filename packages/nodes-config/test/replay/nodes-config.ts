import type { Outcome } from '@coreiso/diagnostics';
import {
  type AgentConfig,
  type ClusterFacts,
  hostData,
  isUpstream,
  type Mode,
  type NMStateConfigs,
  type NodesConfig,
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
  splitMessages,
} from '@coreiso/nodes-config';
import { Goldens } from '../../../../test/support/goldens.ts';
import { compareLines, type Recordings, type Verdict } from '../../../../test/support/replay.ts';
import { hidingAs } from '../hiding.ts';

interface Case {
  readonly kind: 'nodes-config' | 'agent-config' | 'nmstateconfig' | 'infraenv';
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly crash?: string;
  readonly cluster?: string;
  readonly installConfig?: string;
  readonly hosts?: readonly unknown[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly rendezvousIP?: string;
  readonly rendezvousError?: string;
  readonly nmstateConfigs?: readonly unknown[];
}

/** Recordings without clusters and install configs of their own use these. */
const packed = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));

/** The names of a folder's cases; names of shared files begin with an underscore. */
export function caseNames(recordings: Recordings): string[] {
  return recordings.paths(/^(?!_).*\.json$/).map((path) => path.slice(0, -'.json'.length));
}

/**
 * Replays the installer's messages about nodes-configs, agent-configs and manifests, and the values that it reads
 * from them.
 */
export async function* replayNodesConfig(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const name of caseNames(recordings)) yield { name, differences: differencesOf(recordings, name) };
}

/** Parses the file of a case. */
export function parseRecorded(recordings: Recordings, name: string, mode: Mode): Outcome<unknown> {
  const { kind, cluster, installConfig }: Case = JSON.parse(recordings.text(`${name}.json`));
  const source = recordings.bytes(`${name}.yaml`);
  const beside = (path: string): Recordings =>
    recordings.paths().includes(path) || !packed.has(path) ? recordings : packed;
  switch (kind) {
    case 'nodes-config': {
      const facts = cluster === undefined ? undefined : (JSON.parse(beside(cluster).text(cluster)) as ClusterFacts);
      return parseNodesConfig(source, { mode, ...(facts === undefined ? {} : { cluster: facts }) });
    }
    case 'agent-config':
      return parseAgentConfig(source, {
        mode,
        ...(installConfig === undefined ? {} : { installConfig: beside(installConfig).bytes(installConfig) }),
      });
    case 'nmstateconfig':
      return parseNMStateConfig(source, { mode });
    case 'infraenv':
      return parseInfraEnv(source, { mode });
  }
}

function differencesOf(recordings: Recordings, name: string): string[] {
  const recorded: Case = JSON.parse(recordings.text(`${name}.json`));
  const outcome = parseRecorded(recordings, name, 'compatible');
  if (recorded.crash !== undefined) return outcome.ok ? ['the real program crashes; ours takes it'] : [];
  const { errors = [], warnings = [] } = recorded;
  const { upstream } = splitMessages(outcome.diagnostics);
  const told = outcome.diagnostics.filter((one) => one.severity !== 'error' && isUpstream(one));
  const differences = [
    ...compareLines(
      upstream.map(comparable),
      errors.map((error, index) => comparable(hidingAs(upstream[index], error))),
    ),
    ...compareSets(
      told.map(({ message }) => message),
      warnings,
    ),
  ];
  if (errors.length > 0) return outcome.ok ? [...differences, 'ours takes it'] : differences;
  if (!outcome.ok) return [...differences, 'ours refuses it'];
  return [...differences, ...misunderstood(outcome, recorded)];
}

/**
 * The start of texts from other programs that coreiso words differently: readers of UTF-8, nmstate's parser, the
 * types of Go.
 */
const BORROWED = [
  /^(failed to unmarshal [^:]+: error converting YAML to JSON: yaml: )(?:incomplete|invalid) UTF-8/,
  /^(failed to validate network yaml for host \d+, failed to execute 'nmstatectl gc', error: )(?:\[<time> [^\n]*\n)?(Provide file is not valid NetworkState or NetworkPolicy: )/,
  /^(error unmarshalling NMStateConfig: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal \w+ into )/,
];

function comparable(message: string): string {
  for (const pattern of BORROWED) {
    const match = pattern.exec(message);
    if (match !== null) return `${match.slice(1).join('')}…`;
  }
  return message;
}

function compareSets(ours: readonly string[], recorded: readonly string[]): string[] {
  return compareLines([...new Set(ours)].sort(), [...new Set(recorded)].sort()).map((line) => `warning ${line}`);
}

/** Values that differ from the recorded ones. */
function misunderstood(outcome: Outcome<unknown> & { readonly ok: true }, recorded: Case): string[] {
  const config = outcome.value as NodesConfig | AgentConfig | NMStateConfigs;
  const differences: string[] = [];
  const compare = (what: string, ours: unknown, real: unknown): void => {
    const [mine, theirs] = [ours, real].map((value) => stable(value));
    if (real !== undefined && mine !== theirs) differences.push(`${what}: ours ${mine}`, `${what}: real ${theirs}`);
  };
  if (config.kind === 'nmstateconfig') compare('nmstateConfigs', networksOf(config), recorded.nmstateConfigs);
  if (config.kind !== 'nodes-config' && config.kind !== 'agent-config') return differences;
  compare('hosts', config.hosts.map(hostData), recorded.hosts);
  compare('settings', settingsOf(config), recorded.settings);
  if (config.kind !== 'agent-config') return differences;
  compare('rendezvousIP', config.rendezvousAddress, recorded.rendezvousIP);
  const missing = outcome.diagnostics.filter(({ code }) => code === 'nodes-config/no-rendezvous-ip');
  const isRecorded = recorded.rendezvousIP !== undefined || recorded.rendezvousError !== undefined;
  compare('rendezvousError', missing[0]?.message ?? null, isRecorded ? (recorded.rendezvousError ?? null) : undefined);
  return differences;
}

function networksOf({ items }: NMStateConfigs): object[] {
  return items.map(({ name, labels, interfaces, config }) => ({
    name,
    labels,
    interfaces: interfaces.map((one) => ({ name: one.name, macAddress: one.macAddress })),
    networkYaml: config?.text ?? '',
  }));
}

function settingsOf(config: NodesConfig | AgentConfig): object {
  const { kind: _kind, source: _source, hosts: _hosts, ...settings } = config;
  const { rendezvousAddress: _address, ...rest } = { rendezvousAddress: undefined, ...settings };
  const isGiven = (value: unknown): boolean =>
    value !== '' && value !== false && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => isGiven(value)));
}

/** Sorts members; lists keep their order. */
function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? 'nothing'
  );
}
