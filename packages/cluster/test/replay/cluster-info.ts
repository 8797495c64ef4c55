import { diagnostic, fail, type Outcome } from '@coreiso/diagnostics';
import { type ClusterFacts, parseNodesConfig } from '@coreiso/nodes-config';
import type { Recordings, Verdict } from '../../../../test/support/replay.ts';
import { ClusterError } from '../../src/errors.ts';
import { readCluster } from '../../src/facts/read-cluster.ts';
import type { KubeObject } from '../../src/objects.ts';
import type { ClusterReader } from '../../src/reader/port.ts';
import { apiError, StoryReader } from './story.ts';

interface Case {
  readonly nodesConfig?: string;
  readonly objects?: Readonly<Record<string, KubeObject>>;
  readonly info?: Readonly<Record<string, unknown>>;
  readonly stageResult?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly crash?: unknown;
  readonly lines?: readonly { readonly level: string; readonly message: string }[];
  readonly asked?: readonly string[];
}

/** Replays the data that the installer's add-nodes workflow reads from a cluster. */
export async function* replayClusterInfo(recordings: Recordings): AsyncGenerator<Verdict> {
  for (const path of recordings.paths(/\.json$/)) {
    yield { name: path.replace(/\.json$/, ''), differences: await differencesOf(JSON.parse(recordings.text(path))) };
  }
}

/** Problems that the installer finds only when it fills the image. */
const LATER = new Set(
  ['pull-secret', 'mirrors', 'release-image', 'trust-bundle'].map((rule) => `nodes-config/${rule}`),
);

/** Messages of Go's own parsers need not match; the fact of an error must. */
const PARSER_TEXT = /^(invalid character|error converting YAML to JSON|unexpected end of JSON|json: |parse "|yaml: )/;

async function differencesOf(recorded: Case): Promise<string[]> {
  const { nodesConfig = '', objects = {}, asked } = recorded;
  const reader = new CaseReader(objects);
  const plain = parseNodesConfig(nodesConfig, { mode: 'compatible' });
  const facts = await factsOf(reader, plain.ok && plain.value.sshKey ? 'given' : 'absent');
  const config = parseNodesConfig(nodesConfig, facts.ok ? { cluster: facts.value, mode: 'compatible' } : {});
  const errors = [...facts.diagnostics, ...config.diagnostics].filter(
    ({ severity, code }) => severity === 'error' && !LATER.has(code),
  );
  const [first] = errors;
  if (recorded.crash !== undefined)
    return first === undefined ? ['the real program crashes; ours reports nothing'] : [];
  if (recorded.error !== undefined) {
    if (first === undefined) return [`error: ours none`, `error: real ${recorded.error}`];
    if (PARSER_TEXT.test(recorded.error) || first.message === recorded.error) return [];
    return [`error: ours ${first.message}`, `error: real ${recorded.error}`];
  }
  if (!facts.ok || first !== undefined) return [`error: ours ${first?.message}`, 'error: real none'];
  const differences: string[] = [];
  const ours = infoOf(facts.value, plain.ok ? plain.value : {});
  for (const [name, value] of Object.entries({ ...recorded.stageResult, ...recorded.info })) {
    if (!(name in ours)) differences.push(`${name}: not compared`);
    else {
      const real = stable(name === 'ChronyConf' ? chronyText(value) : value);
      if (stable(ours[name]) !== real) differences.push(`${name}: ours ${stable(ours[name])}`, `${name}: real ${real}`);
    }
  }
  const told = facts.diagnostics.map(({ message }) => message);
  for (const { message } of recorded.lines ?? []) {
    const isArchitecture = message.startsWith('CPU architecture set to: ');
    if (!isArchitecture && !told.includes(message)) differences.push(`line: ours lacks ${message}`);
  }
  const needless =
    asked === undefined ? [] : reader.asked.filter((path) => !asked.includes(path) && !SURROUNDINGS.test(path));
  if (needless.length > 0) differences.push(`asked for more: ${needless.join(' ')}`);
  return differences;
}

/** Resources that only our warnings and advice need, and the registries' trust. */
const SURROUNDINGS = new RegExp(
  [
    'machineconfigpools|machine-config-server-(?:tls|ca)|machinesets|images/cluster|50-master-dnsmasq-configuration',
    'ingresses/cluster|ingresscontrollers|networks/cluster|nodenetworkstates|egressips|baremetalhosts|provisionings/.*',
    'root-ca|cluster-config-v1|osimagestreams/cluster|coreos-bootimages',
    'internalreleaseimages/cluster|internal-release-image-registry-auth',
  ]
    .join('|')
    .replace(/.*/s, '/(?:$&)$'),
);

/** The data of the cluster, or the reason why it cannot be read at all. */
async function factsOf(reader: ClusterReader, sshKey: 'given' | 'absent'): Promise<Outcome<ClusterFacts>> {
  try {
    return (await readCluster(reader, { hasSshKey: sshKey === 'given' })).facts;
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return fail(diagnostic({ code: 'cluster/api', message: error.message }));
  }
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

type Config = { readonly cpuArchitecture?: string; readonly sshKey?: string; readonly bootArtifactsBaseURL?: string };

/** Our facts under the installer's names. */
function infoOf(facts: ClusterFacts, config: Config): Record<string, unknown> {
  const userData = facts.workerUserData?.ignition;
  const authority = userData?.security?.tls?.certificateAuthorities?.[0]?.source ?? '';
  const endpoint =
    authority === ''
      ? null
      : {
          ca_certificate: authority.slice(authority.indexOf(',') + 1),
          url: userData?.config?.merge?.[0]?.source ?? '',
        };
  const apiName = new URL(facts.apiServerUrl ?? 'https://none').hostname;
  return {
    APIDNSName: hostAsWritten(facts.apiServerUrl ?? '') || apiName,
    Architecture: config.cpuArchitecture || facts.nodes?.find(({ master }) => master)?.architecture,
    BootArtifactsBaseURL: config.bootArtifactsBaseURL ?? '',
    ChronyConf: facts.chronyConf ?? null,
    ClusterID: facts.clusterId ?? '',
    ClusterName: facts.name,
    DeprecatedImageContentSources: mirrors(facts.repositoryDigestMirrors, false),
    FIPS: facts.fips ?? false,
    IgnitionEndpointWorker: endpoint,
    ImageDigestSources: mirrors(facts.imageDigestMirrors, true),
    Namespace: 'cluster0',
    Nodes: facts.nodes?.map(({ name, addresses }) => ({ name, addresses })),
    PlatformType: facts.platform,
    Proxy: { httpProxy: undefined, ...facts.proxy },
    PullSecret: facts.pullSecret ?? '',
    ReleaseImage: facts.releaseImage ?? '',
    SSHKey: config.sshKey || (facts.sshKey ?? ''),
    UserCaBundle: facts.trustBundle ?? '',
    Version: facts.version,
  };
}

function hostAsWritten(url: string): string {
  return (
    /^https?:\/\/(?:\[([^\]]+)\]|([^:/]+))/
      .exec(url)
      ?.slice(1)
      .find((part) => part !== undefined) ?? ''
  );
}

function mirrors(list: ClusterFacts['imageDigestMirrors'], hasPolicy: boolean): unknown {
  if (list === undefined) return null;
  return list.map(({ source, mirrors: places, sourcePolicy }) => ({
    source,
    ...(places === undefined || places.length === 0 ? {} : { mirrors: places }),
    ...(hasPolicy ? { sourcePolicy: sourcePolicy ?? '' } : {}),
  }));
}

/** The installer copies the entry of the file; ours keeps its text, or is empty if it is compressed. */
function chronyText(entry: unknown): unknown {
  const { source = '', compression = '' } =
    (entry as { contents?: { source?: string; compression?: string } } | null)?.contents ?? {};
  if (entry === null || compression !== '') return null;
  const comma = source.indexOf(',');
  const data = source.slice(comma + 1);
  return source.slice(0, comma).endsWith(';base64') ? atob(data) : decodeURIComponent(data);
}

class CaseReader extends StoryReader {
  readonly asked: string[] = [];
  readonly #objects: NonNullable<Case['objects']>;

  constructor(objects: NonNullable<Case['objects']>) {
    super();
    this.#objects = objects;
  }

  override answer(path: string): KubeObject | readonly KubeObject[] | undefined {
    this.asked.push(path);
    const found = this.#objects[path];
    if (found === undefined) return undefined;
    const code = found['code'];
    if (typeof code === 'number') throw apiError({ code, message: String(found['message'] ?? '') });
    return Array.isArray(found['items']) ? (found['items'] as KubeObject[]) : found;
  }
}
