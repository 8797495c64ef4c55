// Manifests of hosts and of their installation, as the installer writes them for new clusters and for new nodes.
import { goYaml, type Plain, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import { goJson } from '@coreiso/peers/go';
import type { Host } from '../rules/host.ts';

const GROUP = 'agent-install.openshift.io/v1beta1';
const LABEL = 'infraenvs.agent-install.openshift.io';

/** The name and namespace of the cluster that the manifests belong to. */
export interface ManifestOwner {
  readonly name: string;
  /** May be empty. */
  readonly namespace: string;
}

/** A manifest, or a part of one, before it is written. */
export type Manifest = { readonly [name: string]: Plain };

function metadata({ namespace }: ManifestOwner, name: string): Manifest {
  return { name, ...(namespace === '' ? {} : { namespace }) };
}

/**
 * `cluster-image-set.yaml`: the release.
 *
 * @example clusterImageSetManifest({ name: 'reef', namespace: '' }, 'openshift-4.20.3', 'quay.example.test/ocp/release:4.20.3-x86_64')
 */
export function clusterImageSetManifest(owner: ManifestOwner, name: string, releaseImage: string): Manifest {
  return {
    apiVersion: 'hive.openshift.io/v1',
    kind: 'ClusterImageSet',
    metadata: metadata(owner, name),
    spec: { releaseImage },
    status: {},
  };
}

/** Settings that all machines share. */
export interface InfraEnvSettings {
  readonly ntpSources: readonly string[];
  /** May be empty. */
  readonly trustBundle: string;
  readonly architecture: string;
  readonly proxy: Manifest | undefined;
  /** May be empty. */
  readonly sshKey: string;
}

/**
 * `infraenv.yaml`.
 *
 * @example infraEnvManifest(owner, { ntpSources: [], trustBundle: '', architecture: 'x86_64', proxy: undefined, sshKey: '' })
 */
export function infraEnvManifest(owner: ManifestOwner, settings: InfraEnvSettings): Manifest {
  const { ntpSources, trustBundle, architecture, proxy, sshKey } = settings;
  return {
    apiVersion: GROUP,
    kind: 'InfraEnv',
    metadata: metadata(owner, owner.name),
    spec: {
      ...(ntpSources.length === 0 ? {} : { additionalNTPSources: [...ntpSources] }),
      ...(trustBundle === '' ? {} : { additionalTrustBundle: trustBundle }),
      clusterRef: metadata(owner, owner.name),
      cpuArchitecture: architecture,
      ipxeScriptType: '',
      nmStateConfigLabelSelector: { matchLabels: { [LABEL]: owner.name } },
      ...(proxy === undefined ? {} : { proxy }),
      pullSecretRef: { name: `${owner.name}-pull-secret` },
      ...(sshKey === '' ? {} : { sshAuthorizedKey: sshKey }),
    },
    status: {
      agentLabelSelector: {},
      bootArtifacts: { discoveryIgnitionURL: '', initrd: '', ipxeScript: '', kernel: '', rootfs: '' },
      debugInfo: { eventsURL: '' },
    },
  };
}

/** The network of a host in `nmstateconfig.yaml`. */
export interface HostNetworkManifest {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly host: Host;
  readonly text: string;
}

/** The manifests of `nmstateconfig.yaml`, one for each host that has a network. */
export function hostNetworkManifests(owner: ManifestOwner, hosts: readonly Host[]): readonly HostNetworkManifest[] {
  const labels = { [LABEL]: owner.name };
  return hosts.flatMap((host, index) => {
    const { networkConfig, interfaces } = host;
    if (networkConfig === undefined) return [];
    const name = `${owner.name}-${index}`;
    const text = writeGoYaml({
      apiVersion: GROUP,
      kind: 'NMStateConfig',
      metadata: { labels, ...metadata(owner, name) },
      spec: {
        config: toPlain(networkConfig.node, goYaml),
        interfaces: interfaces.map(({ macAddress, name }) => ({ macAddress, name })),
      },
    });
    return [{ name, labels, host, text }];
  });
}

/**
 * `nmstateconfig.yaml`: one document for each host that has a network; undefined if none has.
 *
 * @example nmStateConfigText(hostNetworkManifests({ name: 'reef', namespace: '' }, config.hosts))
 */
export function nmStateConfigText(manifests: readonly HostNetworkManifest[]): string | undefined {
  return manifests.length === 0 ? undefined : manifests.map(({ text }) => `${text}---\n`).join('');
}

/**
 * `pull-secret.yaml`, from the JSON of a pull secret. Secret.
 *
 * @example pullSecretManifest({ name: 'reef', namespace: '' }, '{"auths":{}}')
 */
export function pullSecretManifest(owner: ManifestOwner, pullSecret: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadata(owner, `${owner.name}-pull-secret`),
    stringData: { '.dockerconfigjson': goJson(JSON.parse(pullSecret), 2) },
  };
}
