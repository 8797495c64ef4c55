import type { NMStateConfigs } from '../documents/types.ts';
import type { InstallFiles } from '../install-files/install-files.ts';

/** Path or name of a file → its text. */
export type Texts = Readonly<Record<string, string>>;

/** All inputs of an image. */
export interface ClusterDirectory {
  /** Undefined if there are only manifests. */
  readonly installFiles: InstallFiles | undefined;
  readonly rendezvousAddress: string;
  /** Name of the file → text. */
  readonly extraManifests: Texts;
  /** Texts by file name, as they go into an image. */
  readonly manifests: Texts;
  /** Settings from the AgentClusterInstall. */
  readonly clusterInstall: {
    readonly text: string;
    readonly platformType: string;
    readonly externalName: string;
    readonly counts: { readonly controlPlane: number; readonly arbiter: number; readonly worker: number };
    readonly virtualAddresses: { readonly api: readonly string[]; readonly ingress: readonly string[] };
    /** What the annotation says; empty where it is no JSON. */
    readonly overrides: Readonly<Record<string, unknown>>;
  };
  /** Settings from the InfraEnv. */
  readonly infraEnv: {
    readonly text: string;
    readonly architecture: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly sshKey: string;
    readonly ntpSources: readonly string[];
    readonly proxy: { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string } | undefined;
  };
  readonly networks: NMStateConfigs['items'];
  readonly domain: string;
  /** The pull secret as JSON. */
  readonly pullSecret: string;
  /** The entries of `registries.conf`. */
  readonly registries: readonly {
    /** Where the registry itself is; empty where the file does not say. */
    readonly location: string;
    /** What names of images begin with for this to apply, where that is not the location. */
    readonly prefix?: string;
    /** Asked in this order, before the registry itself. */
    readonly mirrors: readonly string[];
    /** Whether mirrors are asked for images that are named by digest only. */
    readonly digestOnly?: boolean;
    /** Whether nothing but the mirrors may be asked. */
    readonly blocked?: boolean;
    /** Of location and mirrors those whose certificates are not checked. */
    readonly insecure?: readonly string[];
  }[];
  readonly registriesConf: string;
  readonly caBundle: string;
}

/** What the files of `mirror/` say. */
export type JudgedMirrors = Pick<ClusterDirectory, 'registries' | 'registriesConf' | 'caBundle'>;

/** What the manifests and mirror files say that name no site. */
export type JudgedUnconfigured = Omit<JudgedManifests, 'clusterInstall' | 'domain'>;

/** What manifests and mirror files say together. */
export type JudgedManifests = Omit<ClusterDirectory, 'installFiles' | 'rendezvousAddress' | 'extraManifests'>;
