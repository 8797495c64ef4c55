// The manifests of a new cluster, each as the installer writes it.
import { rpmName } from '@coreiso/peers/go';
import { cidrContains, formatCidr, parseAddressAsGo } from '@coreiso/peers/ip';
import {
  clusterImageSetManifest,
  type HostNetworkManifest,
  hostNetworkManifests,
  infraEnvManifest,
  type Manifest,
  pullSecretManifest,
} from '../documents/written-manifests.ts';
import type { InstallConfigValues } from '../generated/values.ts';
import { activePlatform } from '../install-config/install-config-table.ts';
import type { InstallFiles } from '../install-files/install-files.ts';
import { installOverrides } from './overrides.ts';
import { type ReleaseImage, shownVersion } from './release.ts';

/** Platforms as hive names them. */
const PLATFORM_TYPES: Readonly<Record<string, string>> = {
  baremetal: 'BareMetal',
  vsphere: 'VSphere',
  nutanix: 'Nutanix',
  none: 'None',
  external: 'External',
};

const OVERRIDES = 'agent-install.openshift.io/install-config-overrides';

/** A ClusterDeployment's reference to the AgentClusterInstall of that name. */
export function clusterInstallRef(name: string): Manifest {
  return { group: 'extensions.hive.openshift.io', kind: 'AgentClusterInstall', name, version: 'v1beta1' };
}

export class ClusterManifests {
  readonly #installFiles: InstallFiles;
  readonly #release: ReleaseImage;
  readonly #values: InstallConfigValues;
  readonly #name: string;
  readonly #namespace: Manifest;

  constructor(installFiles: InstallFiles, release: ReleaseImage) {
    this.#installFiles = installFiles;
    this.#release = release;
    this.#values = installFiles.installConfig.values;
    const { name, namespace } = this.#values.metadata;
    this.#name = name || 'agent-cluster';
    this.#namespace = namespace === '' ? {} : { namespace };
  }

  agentClusterInstall(): Manifest {
    const overrides = installOverrides(this.#installFiles, this.#release.version);
    const annotations = overrides === undefined ? {} : { annotations: { [OVERRIDES]: overrides } };
    return {
      apiVersion: 'extensions.hive.openshift.io/v1beta1',
      kind: 'AgentClusterInstall',
      metadata: { ...annotations, ...this.#metadata(this.#name) },
      spec: this.#clusterInstallSpec(),
      status: { debugInfo: { eventsURL: '', logsURL: '' }, progress: { totalPercentage: 0 } },
    };
  }

  clusterDeployment(): Manifest {
    return {
      apiVersion: 'hive.openshift.io/v1',
      kind: 'ClusterDeployment',
      metadata: this.#metadata(this.#name),
      spec: {
        baseDomain: this.#values.baseDomain,
        clusterInstallRef: clusterInstallRef(this.#name),
        clusterName: this.#name,
        controlPlaneConfig: { servingCertificates: {} },
        installed: false,
        platform: {},
        pullSecretRef: { name: `${this.#name}-pull-secret` },
      },
      status: {},
    };
  }

  clusterImageSet(): Manifest {
    return clusterImageSetManifest(this.#owner(), this.#imageSet(), this.#release.image);
  }

  infraEnv(): Manifest {
    const { additionalTrustBundle, controlPlane, platform } = this.#values;
    const { additionalNTPSources } = this.#installFiles.agentConfig;
    const sources =
      additionalNTPSources.length > 0 ? additionalNTPSources : (platform.baremetal?.additionalNTPServers ?? []);
    return infraEnvManifest(this.#owner(), {
      ntpSources: sources,
      trustBundle: additionalTrustBundle,
      architecture: rpmName(controlPlane?.architecture ?? ''),
      proxy: this.#proxy(),
      sshKey: this.#sshKey(),
    });
  }

  /** The manifests of networks, one for each host that has a network. */
  hostNetworks(): readonly HostNetworkManifest[] {
    return hostNetworkManifests(this.#owner(), this.#installFiles.agentConfig.hosts);
  }

  pullSecret(): Manifest {
    return pullSecretManifest(this.#owner(), this.#values.pullSecret);
  }

  #owner(): { readonly name: string; readonly namespace: string } {
    return { name: this.#name, namespace: this.#values.metadata.namespace };
  }

  #metadata(name: string): Manifest {
    return { name, ...this.#namespace };
  }

  #imageSet(): string {
    return `openshift-${shownVersion(this.#release.version)}`;
  }

  /** Cuts off the line ends that block scalars of YAML leave around a key. */
  #sshKey(): string {
    return this.#values.sshKey.replace(/^[|\n\t]+|[|\n\t]+$/g, '');
  }

  #clusterInstallSpec(): Manifest {
    const { platform, controlPlane, arbiter, compute } = this.#values;
    const active = activePlatform(platform);
    const workers = compute.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
    const arbiters = arbiter?.replicas ?? 0;
    const proxy = this.#proxy();
    const sshKey = this.#sshKey();
    return {
      ...this.#virtualAddresses(active),
      clusterDeploymentRef: { name: this.#name },
      ...(active === 'external' ? { external: this.#external() } : {}),
      imageSetRef: { name: this.#imageSet() },
      ...this.#loadBalancer(active),
      networking: this.#networking(active === 'none' || active === 'external'),
      platformType: PLATFORM_TYPES[active] ?? '',
      provisionRequirements: {
        controlPlaneAgents: controlPlane?.replicas ?? 0,
        ...(arbiters === 0 ? {} : { arbiterAgents: arbiters }),
        ...(workers === 0 ? {} : { workerAgents: workers }),
      },
      ...(proxy === undefined ? {} : { proxy }),
      ...(sshKey === '' ? {} : { sshPublicKey: sshKey }),
    };
  }

  #virtualAddresses(active: string): Manifest {
    if (active !== 'baremetal' && active !== 'vsphere' && active !== 'nutanix') return {};
    const { apiVIPs = [], ingressVIPs = [] } = this.#values.platform[active] ?? {};
    const [apiVIP = '', ingressVIP = ''] = [apiVIPs[0], ingressVIPs[0]];
    return {
      ...(active === 'baremetal' ? { apiVIP, ingressVIP } : {}),
      ...(apiVIPs.length === 0 ? {} : { apiVIPs: [...apiVIPs] }),
      ...(ingressVIPs.length === 0 ? {} : { ingressVIPs: [...ingressVIPs] }),
    };
  }

  /** The user's own load balancer may have one address for everything, in any network. */
  #loadBalancer(active: string): Manifest {
    const { loadBalancer } = this.#values.platform.baremetal ?? {};
    if (active !== 'baremetal' || loadBalancer === undefined) return {};
    return { loadBalancer: { type: loadBalancer.type === 'UserManaged' ? 'UserManaged' : 'ClusterManaged' } };
  }

  #external(): Manifest {
    const { platformName = '' } = this.#values.platform.external ?? {};
    return {
      ...(platformName === '' ? {} : { platformName }),
      ...(platformName === 'oci' ? { cloudControllerManager: 'External' } : {}),
    };
  }

  #networking(userManagedNetworking: boolean): Manifest {
    const { networking } = this.#values;
    if (networking === undefined) return {};
    const { clusterNetwork, machineNetwork, serviceNetwork, networkType } = networking;
    return {
      clusterNetwork: clusterNetwork.map(({ cidr, hostPrefix }) => ({
        cidr: cidr ? formatCidr(cidr) : '',
        ...(hostPrefix === 0 ? {} : { hostPrefix }),
      })),
      machineNetwork: machineNetwork.map(({ cidr }) => ({ cidr: cidr ? formatCidr(cidr) : '' })),
      // Other plugins are written into the overrides.
      networkType: networkType === 'OpenShiftSDN' ? networkType : 'OVNKubernetes',
      serviceNetwork: serviceNetwork.map(formatCidr),
      userManagedNetworking,
    };
  }

  /** The machine network of the rendezvous host, if its address is given, is reached without the proxy. */
  #proxy(): Manifest | undefined {
    const { proxy, networking } = this.#values;
    if (proxy === undefined) return undefined;
    const { httpProxy, httpsProxy } = proxy;
    const address = parseAddressAsGo(this.#installFiles.agentConfig.rendezvousIP);
    const network = address && networking?.machineNetwork.find(({ cidr }) => cidr && cidrContains(cidr, address))?.cidr;
    const text = network && formatCidr(network);
    const isListed = text === undefined || proxy.noProxy.includes(text);
    const noProxy = isListed ? proxy.noProxy : [proxy.noProxy, text].filter((part) => part !== '').join(',');
    const members = Object.entries({ httpProxy, httpsProxy, noProxy }).filter(([, value]) => value !== '');
    return Object.fromEntries(members);
  }
}
