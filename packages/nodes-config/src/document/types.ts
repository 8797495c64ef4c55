// What the four kinds of document say, as upstream's decoder understands them: text that is absent is empty, as in Go.
import type { Node, Path, Range } from '@coreiso/diagnostics';
import type { Keyfile } from '@coreiso/nmstate';

export type DocumentKind = 'nodes-config' | 'agent-config' | 'nmstateconfig' | 'infraenv';

/** Go names and RPM names differ only for the first two: `amd64` is `x86_64`, `arm64` is `aarch64`. */
export type RpmArchitecture = 'x86_64' | 'aarch64' | 'ppc64le' | 's390x';

/** The text that was parsed, for findings of later stages at the user's own line and column. */
export interface SourceText {
  readonly text: string;
  /**
   * Where the value at a path stands; where the path goes on into nothing, the last part that is there. Undefined for an empty
   * document, and for hosts that come from another file.
   */
  locate(path: Path): Range | undefined;
}

/** A `nodes-config.yaml`: the hosts that one image adds to a cluster. */
export interface NodesConfig {
  readonly kind: 'nodes-config';
  /** As written; empty where the cluster decides. */
  readonly cpuArchitecture: string;
  /** As written; empty where the cluster decides. */
  readonly sshKey: string;
  /** As written; only PXE output uses it. */
  readonly bootArtifactsBaseURL: string;
  readonly hosts: readonly Host[];
  /** What the image is built for: `cpuArchitecture`, or else that of the cluster; undefined where neither says. */
  readonly imageArchitecture: RpmArchitecture | undefined;
  /** The key of user `core` in the live system: `sshKey` or else the cluster's, trimmed as upstream trims; may be empty. */
  readonly imageSshKey: string;
  readonly source: SourceText;
}

/** An `agent-config.yaml`, with the hosts of the install config where it has none of its own. */
export interface AgentConfig {
  readonly kind: 'agent-config';
  readonly apiVersion: string;
  /** As written. */
  readonly rendezvousIP: string;
  /** The address the bootstrap host gets, canonical: as written, or derived from the hosts; undefined where there is none. */
  readonly rendezvousAddress: string | undefined;
  readonly additionalNTPSources: readonly string[];
  readonly bootArtifactsBaseURL: string;
  readonly minimalISO: boolean;
  readonly hosts: readonly Host[];
  readonly source: SourceText;
}

/** One entry of `hosts`: a machine, known by its MAC addresses. */
export interface Host {
  /** In the document, e.g. `['hosts', 2]`. */
  readonly path: Path;
  readonly hostname: string;
  /** `master`, `worker`, `arbiter`, or empty. */
  readonly role: string;
  readonly rootDeviceHints: RootDeviceHints;
  readonly interfaces: readonly HostInterface[];
  /** Undefined where the host gets its network from DHCP; an empty one is there nevertheless. */
  readonly networkConfig: NetworkConfig | undefined;
  readonly bmc: Bmc | undefined;
}

/** One row of the table from logical interface names to MAC addresses. */
export interface HostInterface {
  readonly path: Path;
  /** The name that `networkConfig` uses; may be empty. */
  readonly name: string;
  /** As written, in the user's letter case. */
  readonly macAddress: string;
}

/** Which disk to install to; all hints that are given must match. Absent hints are absent here, too. */
export interface RootDeviceHints {
  readonly deviceName?: string;
  readonly hctl?: string;
  readonly model?: string;
  readonly vendor?: string;
  readonly serialNumber?: string;
  readonly minSizeGigabytes?: number;
  readonly wwn?: string;
  readonly wwnWithExtension?: string;
  readonly wwnVendorExtension?: string;
  readonly rotational?: boolean;
}

/** Access to a management controller; read and checked, and used by nothing here. */
export interface Bmc {
  readonly username: string;
  readonly password: string;
  readonly address: string;
  readonly disableCertificateVerification: boolean;
}

/** A network state inside a document. */
export interface NetworkConfig {
  /** In the document, e.g. `['hosts', 2, 'networkConfig']`; append nmstate's paths to it. */
  readonly path: Path;
  /** As upstream stores it: block style, keys sorted. The order of these texts numbers the directories `host<N>`. */
  readonly text: string;
  /** As the user wrote it. */
  readonly node: Node;
  /** What nmstate makes of `text`, before any post-processing; empty where nmstate refuses it. */
  readonly keyfiles: readonly Keyfile[];
}

/** The documents of an `nmstateconfig.yaml`; empty documents are left out. */
export interface NMStateConfigs {
  readonly kind: 'nmstateconfig';
  readonly items: readonly NMStateConfig[];
}

/** One manifest: the network of one host. */
export interface NMStateConfig {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly interfaces: readonly HostInterface[];
  /** Undefined where `spec.config` is absent. */
  readonly config: NetworkConfig | undefined;
  readonly source: SourceText;
}

/** An `infraenv.yaml`, as far as it concerns an image. */
export interface InfraEnv {
  readonly kind: 'infraenv';
  readonly name: string;
  readonly namespace: string;
  readonly sshAuthorizedKey: string;
  /** As written. */
  readonly cpuArchitecture: string;
  readonly imageArchitecture: RpmArchitecture | undefined;
  readonly pullSecretName: string;
  readonly nmStateConfigLabels: Readonly<Record<string, string>>;
  readonly additionalNTPSources: readonly string[];
  readonly additionalTrustBundle: string;
  readonly ignitionConfigOverride: string;
  readonly kernelArguments: readonly KernelArgument[];
  readonly proxy: InfraEnvProxy;
  readonly source: SourceText;
}

/** `append`, `replace` or `delete`, as the service knows them. */
export interface KernelArgument {
  readonly operation: string;
  readonly value: string;
}

export interface InfraEnvProxy {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}
