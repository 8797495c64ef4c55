// The objects of a hub that install a site, one file each.
import { goYaml, type Plain, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import { merge, parseConfigOrThrow, stringifyConfig } from '@coreiso/ignition';
import { textOf } from '@coreiso/peers/members';
import {
  disabledValidations,
  keepalivedOverride,
  pinnedIngressController,
  REMOTE_POOL,
  remotePool,
  SERVICE_SETTINGS_ANNOTATION,
  watchAllNamespaces,
} from '../advice/recommended-objects.ts';
import type { Manifest } from '../documents/written-manifests.ts';
import { clusterInstallRef } from '../manifests/cluster-manifests.ts';
import type { Host } from '../rules/host.ts';
import { countsOf, networkingManifest } from './cluster-rules.ts';
import type { ZtpSite } from './site.ts';

/** Accepted by clusters since 4.7. */
const IGNITION_VERSION = '3.2.0';
const INFRA_ENV_LABEL = 'infraenvs.agent-install.openshift.io';
const BMAC = 'bmac.agent-install.openshift.io';

interface HubObject {
  /** The name of the file; files are applied in the order of their names. */
  readonly name: string;
  readonly why: string;
  readonly object: Manifest;
}

/**
 * The objects that a hub needs to install a site: name of the file to text, in the order in which they are to be applied. They
 * refer to Secrets but contain none. Nothing is applied.
 *
 * @example renderZtpSite(parseZtpSiteOrThrow(text))['12-agentclusterinstall.yaml']
 */
export function renderZtpSite(site: ZtpSite): Readonly<Record<string, string>> {
  if (site?.kind !== 'ztp-site') throw new TypeError('site must be what parseZtpSite returns as its value');
  const objects = new HubObjects(site).all();
  return Object.fromEntries(
    objects.map(({ name, why, object }) => [`${name}.yaml`, `# ${why}\n${writeGoYaml(object)}`]),
  );
}

function hubObject(name: string, why: string, object: Manifest): HubObject {
  return { name, why, object };
}

class HubObjects {
  readonly #site: ZtpSite;
  readonly #name: string;
  readonly #namespace: string;
  readonly #hasRemote: boolean;

  constructor(site: ZtpSite) {
    this.#site = site;
    this.#name = site.values.metadata.name;
    this.#namespace = site.values.metadata.namespace;
    this.#hasRemote = site.hosts.some(({ isRemote }) => isRemote);
  }

  all(): HubObject[] {
    const extra = this.#extraManifests();
    return [
      hubObject('00-namespace', 'Where the objects of the cluster are.', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: this.#namespace },
      }),
      hubObject(
        '01-provisioning',
        'Lets the bare-metal operator of the hub see hosts in that namespace.',
        watchAllNamespaces(),
      ),
      ...this.#service(),
      hubObject('10-clusterimageset', 'The release to install.', {
        apiVersion: 'hive.openshift.io/v1',
        kind: 'ClusterImageSet',
        metadata: { name: this.#imageSet() },
        spec: { releaseImage: this.#site.values.releaseImage },
      }),
      hubObject('11-clusterdeployment', 'The cluster, for hive.', this.#clusterDeployment()),
      ...(extra === undefined
        ? []
        : [hubObject('12-extra-manifests', 'Objects that the new cluster gets while it is installed.', extra)]),
      hubObject('13-agentclusterinstall', 'The cluster, for the assisted service.', this.#clusterInstall(extra)),
      hubObject('14-infraenv', 'The image that all machines of the site boot.', this.#infraEnv()),
      ...this.#site.hosts.flatMap(({ host }) => this.#network(host)),
      ...this.#site.hosts.map((host) => this.#machine(host)),
    ];
  }

  #metadata(name: string): Manifest {
    return { name, namespace: this.#namespace };
  }

  #imageSet(): string {
    return `openshift-${this.#site.values.openshiftVersion}`;
  }

  /** The service itself; remote workers add settings to it. */
  #service(): HubObject[] {
    const { service } = this.#site.values;
    const settings = disabledValidations(service.namespace);
    const claim = (storage: string): Manifest => ({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
      ...(service.storageClassName === '' ? {} : { storageClassName: service.storageClassName }),
    });
    const annotations = this.#hasRemote
      ? { annotations: { [SERVICE_SETTINGS_ANNOTATION]: textOf(settings, 'metadata', 'name') } }
      : {};
    const config: Manifest = {
      apiVersion: 'agent-install.openshift.io/v1beta1',
      kind: 'AgentServiceConfig',
      metadata: { name: 'agent', ...annotations },
      spec: {
        databaseStorage: claim(service.databaseStorage),
        filesystemStorage: claim(service.filesystemStorage),
        imageStorage: claim(service.imageStorage),
        osImages: service.osImages.map(({ openshiftVersion, version, url, rootFSUrl, cpuArchitecture }) => ({
          openshiftVersion,
          version,
          url,
          ...(rootFSUrl === '' ? {} : { rootFSUrl }),
          cpuArchitecture: cpuArchitecture || 'x86_64',
        })),
      },
    };
    return [
      ...(this.#hasRemote
        ? [hubObject('02-service-settings', 'Lets the service install hosts outside the machine networks.', settings)]
        : []),
      hubObject('03-agentserviceconfig', 'The assisted service, and the live images that it makes images of.', config),
    ];
  }

  #clusterDeployment(): Manifest {
    const { baseDomain, pullSecretName } = this.#site.values;
    return {
      apiVersion: 'hive.openshift.io/v1',
      kind: 'ClusterDeployment',
      metadata: this.#metadata(this.#name),
      spec: {
        baseDomain,
        clusterInstallRef: clusterInstallRef(this.#name),
        clusterName: this.#name,
        platform: { agentBareMetal: { agentSelector: { matchLabels: { [INFRA_ENV_LABEL]: this.#name } } } },
        pullSecretRef: { name: pullSecretName },
      },
    };
  }

  #clusterInstall(extra: Manifest | undefined): Manifest {
    const { platform, networking, apiVIPs, ingressVIPs, sshKey } = this.#site.values;
    const { masters, workers } = countsOf(this.#site.values);
    const isManaged = platform === 'None';
    const [apiVIP, ingressVIP] = [apiVIPs[0], ingressVIPs[0]];
    return {
      apiVersion: 'extensions.hive.openshift.io/v1beta1',
      kind: 'AgentClusterInstall',
      metadata: this.#metadata(this.#name),
      spec: {
        ...(isManaged || apiVIP === undefined ? {} : { apiVIP, apiVIPs: [...apiVIPs] }),
        ...(isManaged || ingressVIP === undefined ? {} : { ingressVIP, ingressVIPs: [...ingressVIPs] }),
        clusterDeploymentRef: { name: this.#name },
        imageSetRef: { name: this.#imageSet() },
        ...(extra === undefined ? {} : { manifestsConfigMapRefs: [{ name: textOf(extra, 'metadata', 'name') }] }),
        networking: {
          ...(networking === undefined ? {} : networkingManifest(networking)),
          networkType: networking?.networkType || 'OVNKubernetes',
          userManagedNetworking: isManaged,
        },
        platformType: platform,
        provisionRequirements: {
          controlPlaneAgents: masters,
          ...(workers === 0 ? {} : { workerAgents: workers }),
        },
        ...(sshKey === '' ? {} : { sshPublicKey: sshKey }),
      },
    };
  }

  /** The site's own manifests, and those that protect remote workers. */
  #extraManifests(): Manifest | undefined {
    const given = this.#site.extraManifests.map(({ name, text }) => [name, text] as const);
    const isPlaced = this.#site.extraManifests
      .flatMap(({ objects }) => objects)
      .some(
        (object) => textOf(object, 'kind') === 'IngressController' && textOf(object, 'metadata', 'name') === 'default',
      );
    const own = this.#hasRemote ? this.#remoteManifests(isPlaced ? 'placed' : 'free') : [];
    const data = Object.fromEntries([...own, ...given]);
    if (Object.keys(data).length === 0) return undefined;
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: this.#metadata(`${this.#name}-extra-manifests`),
      data,
    };
  }

  #remoteManifests(routers: 'placed' | 'free'): (readonly [string, string])[] {
    const [pool, config] = remotePool(IGNITION_VERSION);
    const pinned = routers === 'placed' ? [] : [['ingresscontroller-default.yaml', pinnedIngressController()] as const];
    const hasKeepalived = this.#site.values.platform === 'BareMetal';
    const pools = hasKeepalived
      ? [
          [`machineconfigpool-${REMOTE_POOL}.yaml`, pool] as const,
          [`machineconfig-${textOf(config, 'metadata', 'name')}.yaml`, config] as const,
        ]
      : [];
    return [...pinned, ...pools].map(([name, object]) => [name, writeGoYaml(object)] as const);
  }

  #infraEnv(): Manifest {
    const { sshKey, pullSecretName, cpuArchitecture, additionalNTPSources } = this.#site.values;
    return {
      apiVersion: 'agent-install.openshift.io/v1beta1',
      kind: 'InfraEnv',
      metadata: this.#metadata(this.#name),
      spec: {
        ...(additionalNTPSources.length === 0 ? {} : { additionalNTPSources: [...additionalNTPSources] }),
        clusterRef: { name: this.#name, namespace: this.#namespace },
        cpuArchitecture,
        nmStateConfigLabelSelector: { matchLabels: { [INFRA_ENV_LABEL]: this.#name } },
        pullSecretRef: { name: pullSecretName },
        ...(sshKey === '' ? {} : { sshAuthorizedKey: sshKey }),
      },
    };
  }

  #network({ networkConfig, interfaces, hostname }: Host): HubObject[] {
    if (networkConfig === undefined) return [];
    const object = {
      apiVersion: 'agent-install.openshift.io/v1beta1',
      kind: 'NMStateConfig',
      metadata: { ...this.#metadata(hostname), labels: { [INFRA_ENV_LABEL]: this.#name } },
      spec: {
        config: toPlain(networkConfig.node, goYaml),
        interfaces: interfaces.map(({ macAddress, name }) => ({ macAddress, name })),
      },
    };
    return [{ name: `15-nmstateconfig-${hostname}`, why: `The network of ${hostname}.`, object }];
  }

  #machine(site: ZtpSite['hosts'][number]): HubObject {
    const { hostname } = site.host;
    const why = site.isRemote
      ? `${hostname}, outside the machine networks: without keepalived from its first boot on.`
      : `${hostname}, and the way to its management controller.`;
    return { name: `16-baremetalhost-${hostname}`, why, object: this.#bareMetalHost(site) };
  }

  #bareMetalHost({ host, values, isRemote }: ZtpSite['hosts'][number]): Manifest {
    const { hostname, role, rootDeviceHints, interfaces } = host;
    const { bmc, bootMACAddress, nodeLabels } = values;
    const { address, credentialsName, disableCertificateVerification } = bmc;
    const isPooled = isRemote && this.#site.values.platform === 'BareMetal';
    const labels = { ...(isPooled ? { [`node-role.kubernetes.io/${REMOTE_POOL}`]: '' } : {}), ...nodeLabels };
    const override = overrideOf(values.ignitionConfigOverride, isPooled ? 'without-keepalived' : 'as-given');
    return {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: {
        ...this.#metadata(hostname),
        labels: { [INFRA_ENV_LABEL]: this.#name },
        annotations: {
          [`${BMAC}/hostname`]: hostname,
          [`${BMAC}/role`]: role,
          ...(override === undefined ? {} : { [`${BMAC}/ignition-config-overrides`]: override }),
          ...Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${BMAC}.node-label.${name}`, value])),
        },
      },
      spec: {
        automatedCleaningMode: 'disabled',
        bmc: {
          address,
          credentialsName: credentialsName || `${hostname}-bmc`,
          ...(disableCertificateVerification ? { disableCertificateVerification } : {}),
        },
        bootMACAddress: (bootMACAddress || (interfaces[0]?.macAddress ?? '')).toLowerCase(),
        online: true,
        ...(Object.keys(rootDeviceHints).length === 0 ? {} : { rootDeviceHints: { ...rootDeviceHints } as Plain }),
      },
    };
  }
}

/** Merges the given override and coreiso's into one config. */
function overrideOf(given: string, own: 'without-keepalived' | 'as-given'): string | undefined {
  if (own === 'as-given') return given === '' ? undefined : given;
  const keepalived = keepalivedOverride(IGNITION_VERSION);
  if (given === '') return keepalived;
  return stringifyConfig(merge(parseConfigOrThrow(keepalived), parseConfigOrThrow(given)).config);
}
