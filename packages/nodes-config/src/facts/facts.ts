// The data of a cluster that an image with new nodes needs. A plain object, so that it can be stored as JSON.
import { checkArgument } from '@coreiso/peers/arguments';

/** All data that oc reads from a cluster. Members are optional if oc does not need them, either. */
export interface ClusterFacts {
  /** If absent, derived from the name of the API, `api.<name>.…`. */
  readonly name?: string;
  readonly clusterId?: string;
  readonly version?: string;
  readonly releaseImage?: string;
  /** As the Infrastructure object spells it: `BareMetal`, `VSphere`, `Nutanix`, `None`, `External`; others are refused. */
  readonly platform?: string;
  readonly apiServerUrl?: string;
  /** The text of `.dockerconfigjson`. Secret. */
  readonly pullSecret?: string;
  readonly nodes?: readonly {
    readonly name: string;
    /** Go's name, e.g. `amd64`. */
    readonly architecture?: string;
    /** Whether it has the label `node-role.kubernetes.io/master`; the first such node decides the architecture. */
    readonly master?: boolean;
    readonly addresses?: readonly {
      /** `InternalIP`, `Hostname`, `InternalDNS`, … */
      readonly type: string;
      readonly address: string;
    }[];
    readonly labels?: Readonly<Record<string, string>>;
    /** The networks that it is attached to, as far as the cluster reports them. */
    readonly networks?: readonly {
      /** The node's address with the length of the prefix. */
      readonly address: string;
      readonly mtu?: number;
      /** Undefined if unknown; 0 for none. */
      readonly vlan?: number;
    }[];
  }[];
  /** Empty if the cluster has no proxy. */
  readonly proxy?: {
    readonly httpProxy?: string;
    readonly httpsProxy?: string;
    readonly noProxy?: string;
  };
  /** From ImageDigestMirrorSet objects, in their order. */
  readonly imageDigestMirrors?: readonly ImageMirror[];
  /** From the older ImageContentSourcePolicy objects. */
  readonly repositoryDigestMirrors?: readonly ImageMirror[];
  /** PEM certificates, without repeated ones. */
  readonly trustBundle?: string;
  /** The Ignition config of Secret `worker-user-data-managed`: the address of a new worker's config, and the authority it trusts. */
  readonly workerUserData?: WorkerUserData;
  readonly sshKey?: string;
  readonly fips?: boolean;
  /** The text of `/etc/chrony.conf`. */
  readonly chronyConf?: string;
  /** Certificates in PEM by registry, `HOST` or `HOST:PORT`: the `additionalTrustedCA` of the image config. */
  readonly registryTrust?: Readonly<Record<string, string>>;
  /** Registries whose certificates the cluster does not check. */
  readonly insecureRegistries?: readonly string[];
  /** `HOST:PORT` of the registry on the control plane, if the cluster has no other registry (InternalReleaseImage). */
  readonly internalRegistry?: string;
  /** Whether the release has images for all architectures. */
  readonly multiArchitecture?: boolean;
  /** PEM certificates of the machine config server's authority, for clusters without worker user data. */
  readonly machineConfigAuthority?: string;
  /** `SingleReplica`, `HighlyAvailable`, …: how many nodes the control plane has. */
  readonly controlPlaneTopology?: string;
  /** The topology of workloads such as routers. */
  readonly infrastructureTopology?: string;
  /** The address of the API for nodes: `https://api-int.<name>.…:6443`. */
  readonly apiServerInternalUrl?: string;
  /** Virtual addresses of the API and of the routers, which keepalived keeps on a node. */
  readonly apiVIPs?: readonly string[];
  readonly ingressVIPs?: readonly string[];
  /** `UserManaged` if the site's own load balancer has those addresses, and no keepalived runs. */
  readonly loadBalancer?: string;
  /** Networks of the nodes as `address/length`. */
  readonly machineNetworks?: readonly string[];
  /** Networks of services, in the same form. */
  readonly serviceNetworks?: readonly string[];
  /** `OVNKubernetes`, for example. */
  readonly networkType?: string;
  /** The largest packet between pods. */
  readonly clusterNetworkMtu?: number;
  /** Ingress `cluster`. */
  readonly ingress?: {
    /** `apps.<name>.…` */
    readonly domain?: string;
    /** Where routers run without a placement of their own: `ControlPlane` or `Workers`. */
    readonly defaultPlacement?: string;
  };
  /** Groups of routers. */
  readonly ingressControllers?: readonly {
    readonly name: string;
    readonly domain?: string;
    readonly replicas?: number;
    /** Labels of the nodes that its routers run on. */
    readonly nodeLabels?: Readonly<Record<string, string>>;
    /** Other conditions on nodes, which the ingress operator refuses. */
    readonly nodeExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
    /** Whether it serves only some routes, selected by their labels or those of their namespaces. */
    readonly isShard?: boolean;
    /** How its routers are reached: `HostNetwork`, `LoadBalancerService`, … */
    readonly publishing?: string;
    /** Whether the cluster maintains its DNS records. */
    readonly dnsManaged?: boolean;
  }[];
  /** Source addresses of pods outside the cluster (EgressIPs). */
  readonly egressIPs?: readonly {
    readonly name: string;
    readonly addresses: readonly string[];
    /** Address → the node that has it now. */
    readonly assigned?: Readonly<Record<string, string>>;
  }[];
  /** The nodes that a pool selects, and their configuration. */
  readonly machineConfigPools?: readonly {
    readonly name: string;
    readonly nodeLabels?: Readonly<Record<string, string>>;
    /** The MachineConfigs of its configuration. */
    readonly sources?: readonly string[];
    /** The stream of operating systems that it names. */
    readonly osStream?: string;
  }[];
  /**
   * The stream of operating systems that new workers get, `rhel-9` or `rhel-10`: that of their pool, else that of the
   * cluster; absent if the release decides.
   */
  readonly osStream?: string;
  /** Live images that ConfigMap `coreos-bootimages` names. */
  readonly bootImages?: readonly {
    /** Absent if the cluster has only one. */
    readonly stream?: string;
    /** As it is in file names: `x86_64`. */
    readonly architecture: string;
    readonly location: string;
    readonly sha256: string;
    /** Of the operating system: `9.6.20250523-0`. */
    readonly build?: string;
    /** Where machines fetch the root file system of that build. */
    readonly rootfs?: string;
  }[];
  readonly bareMetalHosts?: readonly { readonly name: string; readonly namespace: string }[];
  /** Whether the bare-metal operator looks for hosts in all namespaces; undefined if there is no such operator. */
  readonly watchAllNamespaces?: boolean;
  /** Whether the control plane answers for `api`, `api-int` and `apps` with its own dnsmasq, as single nodes do. */
  readonly controlPlaneDnsmasq?: boolean;
  /**
   * Names that the site's DNS is known to resolve, with their addresses; a leading `*.` stands for one label. Only
   * the user can provide these.
   */
  readonly dnsRecords?: Readonly<Record<string, readonly string[]>>;
}

/** The used addresses and names of a cluster, and its networks. */
export type ClusterNetworks = Pick<
  ClusterFacts,
  'apiServerUrl' | 'apiServerInternalUrl' | 'apiVIPs' | 'ingressVIPs' | 'machineNetworks' | 'serviceNetworks'
>;

/** The members of a list among the facts. */
type ItemOf<Name extends keyof ClusterFacts> =
  NonNullable<ClusterFacts[Name]> extends readonly (infer Item)[] ? Item : never;

/** The placement of routers, and the domain of their routes. */
export type ClusterIngress = NonNullable<ClusterFacts['ingress']>;
/** A group of routers. */
export type IngressControllerFacts = ItemOf<'ingressControllers'>;
/** One condition on labels, as in Kubernetes selectors. */
export type LabelExpression = NonNullable<IngressControllerFacts['nodeExpressions']>[number];
/** Source addresses of pods outside the cluster (EgressIPs). */
export type EgressIPFacts = ItemOf<'egressIPs'>;
/** The nodes that a pool selects, and their configuration. */
export type MachineConfigPoolFacts = ItemOf<'machineConfigPools'>;
/** A node of the cluster. */
export type ClusterNode = ItemOf<'nodes'>;
/** A network that a node has an address in. */
export type NodeNetwork = NonNullable<ClusterNode['networks']>[number];
/** The proxy of a cluster. */
export type ClusterProxy = NonNullable<ClusterFacts['proxy']>;

/** A repository and the places that mirror it. */
export interface ImageMirror {
  readonly source: string;
  readonly mirrors?: readonly string[];
  /** `NeverContactSource` or `AllowContactingSource`; only the install config passes it on. */
  readonly sourcePolicy?: string;
}

/** A pointer config; unknown members are kept. */
export interface WorkerUserData {
  readonly ignition: {
    readonly version: string;
    readonly config?: { readonly merge?: readonly { readonly source?: string | null }[] };
    readonly security?: {
      readonly tls?: { readonly certificateAuthorities?: readonly { readonly source?: string | null }[] };
    };
  };
}

/**
 * The address of a worker's full config; undefined if the user data has none.
 *
 * @example workerEndpoint(facts.workerUserData)?.href // 'https://api-int.cove.example.test:22623/config/worker'
 */
export function workerEndpoint(userData: WorkerUserData | undefined): URL | undefined {
  if (userData !== undefined) checkArgument('userData', userData, 'object');
  const source = userData?.ignition?.config?.merge?.find(({ source: url }) => /^https?:/.test(url ?? ''))?.source;
  return source == null || !URL.canParse(source) ? undefined : new URL(source);
}
