// What an image needs to know of the cluster it adds nodes to. A plain object, so that it can be kept as JSON.

/** Everything that upstream reads from a cluster; what is optional there is optional here. */
export interface ClusterFacts {
  /** Derived from the name of the API, `api.<name>.…`, where absent. */
  readonly name?: string;
  readonly clusterId?: string;
  readonly version?: string;
  readonly releaseImage?: string;
  /** As the Infrastructure object spells it: `BareMetal`, `VSphere`, `Nutanix`, `None`, `External`; others are refused. */
  readonly platform?: string;
  readonly apiServerUrl?: string;
  /** The text of `.dockerconfigjson`. Secret. */
  readonly pullSecret?: string;
  readonly nodes?: readonly ClusterNode[];
  readonly proxy?: ClusterProxy;
  /** Of ImageDigestMirrorSet objects, in their order. */
  readonly imageDigestMirrors?: readonly ImageMirror[];
  /** Of the older ImageContentSourcePolicy objects. */
  readonly repositoryDigestMirrors?: readonly ImageMirror[];
  /** PEM certificates, repeated ones left out. */
  readonly trustBundle?: string;
  /** The Ignition config of Secret `worker-user-data-managed`: where a new worker gets its config, and whom it trusts. */
  readonly workerUserData?: WorkerUserData;
  readonly sshKey?: string;
  readonly fips?: boolean;
  /** The text of `/etc/chrony.conf`. */
  readonly chronyConf?: string;
  /** Certificates in PEM by registry, `HOST` or `HOST:PORT`: the `additionalTrustedCA` of the image config. */
  readonly registryTrust?: Readonly<Record<string, string>>;
  /** Registries whose certificates the cluster does not check. */
  readonly insecureRegistries?: readonly string[];
  /** Whether the release has images for all architectures. */
  readonly multiArchitecture?: boolean;
}

export interface ClusterNode {
  readonly name: string;
  /** Go's name, e.g. `amd64`. */
  readonly architecture?: string;
  /** Whether it has the label `node-role.kubernetes.io/master`; the first such node decides the architecture. */
  readonly master?: boolean;
  readonly addresses?: readonly NodeAddress[];
}

export interface NodeAddress {
  /** `InternalIP`, `Hostname`, `InternalDNS`, … */
  readonly type: string;
  readonly address: string;
}

/** Empty where the cluster has no proxy. */
export interface ClusterProxy {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

export interface ImageMirror {
  readonly source: string;
  readonly mirrors?: readonly string[];
  /** `NeverContactSource` or `AllowContactingSource`; only the install config hands it on. */
  readonly sourcePolicy?: string;
}

/** A pointer config; members that nobody reads here are kept. */
export interface WorkerUserData {
  readonly ignition: {
    readonly version: string;
    readonly config?: { readonly merge?: readonly { readonly source?: string | null }[] };
    readonly security?: {
      readonly tls?: { readonly certificateAuthorities?: readonly { readonly source?: string | null }[] };
    };
  };
}

/** Where the worker gets its real config; undefined where the user data names no address. */
export function workerEndpoint(userData: WorkerUserData | undefined): URL | undefined {
  const source = userData?.ignition.config?.merge?.find(({ source: url }) => /^https?:/.test(url ?? ''))?.source;
  return source == null || !URL.canParse(source) ? undefined : new URL(source);
}
