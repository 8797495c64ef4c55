import { type Outcome, valueOrThrow } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { rpmName } from '@coreiso/peers/go';
import { HIDDEN, hideUsers } from '@coreiso/peers/hidden';
import { type ClusterStep, checkCluster, checkEmbedded, clusterArchitecture } from '../facts/check-facts.ts';
import { checkConflicts } from '../facts/conflicts.ts';
import type { ClusterFacts } from '../facts/facts.ts';
import { checkInternalRegistry } from '../facts/internal-registry.ts';
import { architectureProblem, imageArchitecture, type RpmArchitecture } from '../rules/architecture.ts';
import { checkHostList, noteIgnoredDocuments } from '../rules/host-list.ts';
import type { VirtualAddresses } from '../rules/own/sanity-rules.ts';
import { looksPublic, sshKeyProblem } from '../rules/ssh-key.ts';
import { Findings, type Mode, type Step } from '../text/config-findings.ts';
import { decodeDocument } from '../text/decode.ts';
import { invalid, required } from '../text/field-errors.ts';
import { sourceOf } from '../text/lookup.ts';
import { type ConfigSource, readFirst } from '../text/read-text.ts';
import { NODES_CONFIG, type NodesConfigValues } from './document-tables.ts';
import { adviceFor } from './misplaced-keys.ts';
import type { NodesConfig } from './types.ts';

/** Options of checking a nodes-config. */
export interface NodesConfigOptions {
  /** The cluster to add hosts to; without it the checks against a cluster are skipped, and the architecture is not taken from it. */
  readonly cluster?: ClusterFacts | undefined;
  readonly mode?: Mode | undefined;
  /** The architecture of the base image, if known. */
  readonly baseArchitecture?: NodesConfig['imageArchitecture'] | undefined;
}

const PREFIX = 'failed to unmarshal nodes-config.yaml: ';

/** Upstream's steps after reading. */
const STEPS: readonly Step<'file' | 'architecture' | 'hosts' | 'conflicts' | 'network' | ClusterStep>[] = [
  { name: 'file' },
  { name: 'cluster', endsAtFirst: true },
  { name: 'platform' },
  { name: 'architecture' },
  { name: 'hosts' },
  { name: 'conflicts', endsAtFirst: true },
  { name: 'network' },
  { name: 'facts', endsAtFirst: true },
];

/**
 * Reads and checks a `nodes-config.yaml`, and reports all findings at once.
 *
 * @example parseNodesConfig('hosts:\n- interfaces: [{name: eth0, macAddress: 52:54:00:e7:05:72}]\n')
 */
export function parseNodesConfig(source: ConfigSource, options: NodesConfigOptions = {}): Outcome<NodesConfig> {
  checkArgument('options', options, 'object');
  const { cluster, mode = 'strict' } = options;
  const read = readFirst(source, PREFIX, mode);
  if (!read.ok) return { ok: false, diagnostics: read.findings.diagnostics() };
  const [document] = read.documents;
  const text = sourceOf(document);
  const findings = new Findings({ mode, locate: text.locate, steps: STEPS });
  const values = decodeDocument(document, NODES_CONFIG, findings, {
    advise: adviceFor('nodes-config'),
    prefix: PREFIX,
    strict: false,
  });
  noteIgnoredDocuments(read, findings);
  checkFile(values, findings);
  const architecture = checkArchitecture(values, options, findings);
  const hosts = checkHostList(
    values.hosts,
    { isElsewhere: false, rendezvousIP: '', virtualAddresses: nodeVirtualAddresses(cluster) },
    findings,
  );
  if (cluster !== undefined) {
    checkConflicts(values.hosts, cluster, findings);
    checkEmbedded(cluster, findings);
    checkInternalRegistry(cluster, findings);
  }
  const { cpuArchitecture, sshKey, bootArtifactsBaseURL } = values;
  return findings.outcome<NodesConfig>({
    kind: 'nodes-config',
    cpuArchitecture,
    sshKey,
    bootArtifactsBaseURL,
    hosts,
    imageArchitecture: architecture,
    imageSshKey: trimKey(sshKey || (cluster?.sshKey ?? '')),
    source: text,
  });
}

/** With the site's own load balancer, no node has virtual addresses. */
function nodeVirtualAddresses(cluster: ClusterFacts = {}): VirtualAddresses {
  return cluster.loadBalancer === 'UserManaged' ? {} : cluster;
}

/**
 * Like `parseNodesConfig`, but throws a `DiagnosticsError` if the text is refused.
 *
 * @example parseNodesConfigOrThrow(await readFile('nodes-config.yaml'), { cluster })
 */
export function parseNodesConfigOrThrow(source: ConfigSource, options: NodesConfigOptions = {}): NodesConfig {
  return valueOrThrow(parseNodesConfig(source, options));
}

function checkFile({ hosts, sshKey, bootArtifactsBaseURL }: NodesConfigValues, findings: Findings<'file'>): void {
  if (hosts.length === 0) {
    findings.upstream('file', {
      code: 'nodes-config/no-hosts',
      message: required(['hosts'], 'at least one host must be defined'),
      path: ['hosts'],
      help: 'Add at least one host; `coreiso nodes template` prints a complete file:\nhosts:\n- hostname: worker-0\n  interfaces:\n  - name: eno1\n    macAddress: XX:XX:XX:XX:XX:XX',
    });
  }
  const problem = sshKey === '' ? undefined : sshKeyProblem(sshKey);
  if (problem !== undefined) {
    findings.upstream('file', {
      code: 'nodes-config/ssh-key',
      // A wrong file that is pasted here may be the private key.
      message: invalid(['sshKey'], looksPublic(sshKey) ? sshKey : HIDDEN, problem),
      path: ['sshKey'],
      help: 'Paste the content of the public key file, one line such as `ssh-ed25519 AAAA… name`.',
    });
  }
  if (bootArtifactsBaseURL !== '' && !/^https?:\/\/[^/\s]+/.test(bootArtifactsBaseURL)) {
    findings.own({
      code: 'nodes-config/boot-url',
      message: `${hideUsers(bootArtifactsBaseURL)} is not an address that a machine can boot from`,
      path: ['bootArtifactsBaseURL'],
      help: 'Write http://HOST/PATH.',
    });
  }
  for (const [index, { role }] of hosts.entries()) {
    if (role !== 'master' && role !== 'arbiter') continue;
    findings.note('warning', {
      code: 'nodes-config/role-not-worker',
      message: `hosts of role ${role} are accepted here, but only workers can be added to a cluster this way`,
      path: ['hosts', index, 'role'],
      help: 'Write worker, or leave the role out.',
    });
  }
}

function checkArchitecture(
  { cpuArchitecture }: NodesConfigValues,
  { cluster, baseArchitecture }: NodesConfigOptions,
  findings: Findings<'architecture' | ClusterStep>,
): RpmArchitecture | undefined {
  if (cluster !== undefined) checkCluster(cluster, cpuArchitecture, findings);
  const architecture = cpuArchitecture || (cluster && clusterArchitecture(cluster)) || '';
  const place = cpuArchitecture === '' ? 'elsewhere' : undefined;
  const path = ['cpuArchitecture'];
  const problem = architectureProblem(architecture);
  if (problem !== undefined) {
    const help = 'Write amd64, arm64, ppc64le or s390x.';
    findings.upstream('architecture', { code: 'nodes-config/architecture', message: problem, path, help }, place);
  } else if (baseArchitecture !== undefined && architecture !== '' && rpmName(architecture) !== baseArchitecture) {
    const message = `the hosts are ${rpmName(architecture)} machines and the base image is for ${baseArchitecture}`;
    const help = `Take a base image for ${rpmName(architecture)}.`;
    findings.note('error', { code: 'nodes-config/base-architecture', message, path, help }, place);
  }
  return imageArchitecture(architecture);
}

/** Upstream cuts off the line end that block scalars of YAML leave. */
function trimKey(key: string): string {
  return key.replace(/^[|\n\t]+|[|\n\t]+$/g, '');
}
