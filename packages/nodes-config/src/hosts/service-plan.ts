// Plans how nodes are added through the service that the installer starts on every new machine: the data of the
// cluster that the service needs.
import { parseJson, writeGoYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { goJson } from '@coreiso/peers/go';
import type { NodesConfig } from '../documents/types.ts';
import {
  clusterImageSetManifest,
  hostNetworkManifests,
  infraEnvManifest,
  nmStateConfigText,
  pullSecretManifest,
} from '../documents/written-manifests.ts';
import { NodesConfigError } from '../errors.ts';
import { clusterName } from '../facts/check-facts.ts';
import type { ClusterFacts, ClusterProxy } from '../facts/facts.ts';
import { distinctCertificates } from '../facts/trust-bundle.ts';

/** Where upstream puts manifests of nodes that are added. */
const NAMESPACE = 'cluster0';

/** The settings of the service on a machine. Secret. */
export interface ServicePlan {
  readonly clusterId: string;
  readonly clusterName: string;
  /** The name of the API, without its port. */
  readonly apiName: string;
  readonly version: string;
  readonly releaseImage: string;
  readonly isUserManagedNetworking: boolean;
  /** Name of the file → text. */
  readonly manifests: Readonly<Record<string, string>>;
  /** The pull secret in podman's format. */
  readonly dockerConfig: string;
}

/**
 * Plans the settings of the service on a machine. Throws a `NodesConfigError` if the facts do not name the cluster.
 *
 * @example servicePlan(config, cluster).manifests['infraenv.yaml']
 */
export function servicePlan(config: NodesConfig, cluster: ClusterFacts): ServicePlan {
  if (config?.kind !== 'nodes-config') throw new TypeError('config must be what parseNodesConfig returns as its value');
  checkArgument('cluster', cluster, 'object');
  const { clusterId = '', version = '', releaseImage = '', apiServerUrl = '', pullSecret = '', platform } = cluster;
  const named = clusterName(apiServerUrl);
  if ('problem' in named) throw new NodesConfigError('NODES_UNUSABLE_FACTS', named.problem);
  const secret = parseJson(pullSecret);
  if (!secret.ok || secret.value.root?.kind !== 'mapping') {
    const what = secret.ok ? 'no JSON object' : 'not JSON';
    throw new NodesConfigError('NODES_UNUSABLE_FACTS', `the cluster fact pullSecret is ${what}`);
  }
  const owner = { name: named.name, namespace: NAMESPACE };
  const networks = nmStateConfigText(hostNetworkManifests(owner, config.hosts));
  const { trustBundle = '', proxy = {} } = cluster;
  return {
    clusterId,
    clusterName: named.name,
    apiName: new URL(apiServerUrl).hostname,
    version,
    releaseImage,
    isUserManagedNetworking: platform === 'None' || platform === 'External',
    manifests: {
      // For a cluster that is already installed, the file is empty.
      'agent-cluster-install.yaml': '',
      'cluster-deployment.yaml': '',
      'cluster-image-set.yaml': writeGoYaml(clusterImageSetManifest(owner, `openshift-${version}`, releaseImage)),
      'infraenv.yaml': writeGoYaml(
        infraEnvManifest(owner, {
          ntpSources: [],
          trustBundle: distinctCertificates(trustBundle),
          architecture: config.imageArchitecture ?? '',
          proxy: proxyMembers(proxy),
          sshKey: config.imageSshKey,
        }),
      ),
      ...(networks === undefined ? {} : { 'nmstateconfig.yaml': networks }),
      'pull-secret.yaml': writeGoYaml(pullSecretManifest(owner, pullSecret)),
    },
    dockerConfig: goJson(JSON.parse(pullSecret), 2),
  };
}

function proxyMembers({
  httpProxy = '',
  httpsProxy = '',
  noProxy = '',
}: ClusterProxy): Readonly<Record<string, string>> {
  const members = Object.entries({ httpProxy, httpsProxy, noProxy: distinctNoProxy(noProxy) });
  return Object.fromEntries(members.filter(([, value]) => value !== ''));
}

/**
 * The entries of a noProxy list, trimmed, in order and without repetition.
 *
 * @example distinctNoProxy('a, b,a') // 'a,b'
 */
export function distinctNoProxy(noProxy: string): string {
  checkArgument('noProxy', noProxy, 'text');
  const entries = new Set(noProxy.split(',').map((entry) => entry.trim()));
  entries.delete('');
  return [...entries].join(',');
}
