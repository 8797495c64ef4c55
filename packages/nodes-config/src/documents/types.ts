// The values of the four kinds of document, as upstream's decoder reads them: absent text is empty, as in Go.
import type { Host } from '../rules/host.ts';
import type { SourceText } from '../text/lookup.ts';

/** Kinds of documents that name hosts, or settings of their images. */
export type DocumentKind = 'nodes-config' | 'agent-config' | 'nmstateconfig' | 'infraenv';

/** A `nodes-config.yaml`: the hosts that one image adds to a cluster. */
export interface NodesConfig {
  readonly kind: 'nodes-config';
  /** As written; empty if the cluster decides. */
  readonly cpuArchitecture: string;
  /** As written; empty if the cluster decides. */
  readonly sshKey: string;
  /** As written; only PXE output uses it. */
  readonly bootArtifactsBaseURL: string;
  readonly hosts: readonly Host[];
  /** The architecture of the image: `cpuArchitecture`, or else that of the cluster; undefined if neither is set. */
  readonly imageArchitecture: 'x86_64' | 'aarch64' | 'ppc64le' | 's390x' | undefined;
  /** The key of user `core` in the live system: `sshKey` or else the cluster's, trimmed as upstream trims; may be empty. */
  readonly imageSshKey: string;
  readonly source: SourceText;
}

/** An `agent-config.yaml`, with the hosts of the install config if it has none. */
export interface AgentConfig {
  readonly kind: 'agent-config';
  readonly apiVersion: string;
  /** As written. */
  readonly rendezvousIP: string;
  /** The canonical address of the bootstrap host, as written or derived from the hosts; undefined if there is none. */
  readonly rendezvousAddress: string | undefined;
  readonly additionalNTPSources: readonly string[];
  readonly bootArtifactsBaseURL: string;
  readonly minimalISO: boolean;
  readonly hosts: readonly Host[];
  readonly source: SourceText;
}

/** The documents of an `nmstateconfig.yaml`; empty documents are left out. */
export interface NMStateConfigs {
  readonly kind: 'nmstateconfig';
  /** One manifest each: the network of one host. */
  readonly items: readonly {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly interfaces: Host['interfaces'];
    /** Undefined if `spec.config` is absent. */
    readonly config: Host['networkConfig'];
    readonly source: SourceText;
  }[];
}

/** One manifest: the network of one host. */
export type NMStateConfig = NMStateConfigs['items'][number];

/** The settings of an `infraenv.yaml` that an image needs. */
export interface InfraEnv {
  readonly kind: 'infraenv';
  readonly name: string;
  readonly namespace: string;
  readonly sshAuthorizedKey: string;
  /** As written. */
  readonly cpuArchitecture: string;
  readonly imageArchitecture: 'x86_64' | 'aarch64' | 'ppc64le' | 's390x' | undefined;
  readonly pullSecretName: string;
  readonly nmStateConfigLabels: Readonly<Record<string, string>>;
  readonly additionalNTPSources: readonly string[];
  readonly additionalTrustBundle: string;
  readonly ignitionConfigOverride: string;
  /** `append`, `replace` or `delete`, as the service knows them. */
  readonly kernelArguments: readonly {
    readonly operation: string;
    readonly value: string;
  }[];
  /** The proxy of the live system; empty if none is set. */
  readonly proxy: {
    readonly httpProxy: string;
    readonly httpsProxy: string;
    readonly noProxy: string;
  };
  readonly source: SourceText;
}
