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
  /** The texts that an image contains, by file name. */
  readonly manifests: Texts;
  /** Settings from the AgentClusterInstall. */
  readonly clusterInstall: {
    readonly text: string;
    readonly platformType: string;
    readonly externalName: string;
    readonly counts: { readonly controlPlane: number; readonly arbiter: number; readonly worker: number };
    readonly virtualAddresses: { readonly api: readonly string[]; readonly ingress: readonly string[] };
    /** The value of the annotation; empty if it is not JSON. */
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
    /** The address of the registry itself; empty if the file does not give it. */
    readonly location: string;
    /** The prefix of image names that this entry applies to, if it is not the location. */
    readonly prefix?: string;
    /** Tried in this order, before the registry itself. */
    readonly mirrors: readonly string[];
    /** Whether mirrors are used only for images that are named by digest. */
    readonly digestOnly?: boolean;
    /** Whether only the mirrors may be used. */
    readonly blocked?: boolean;
    /** The location and mirrors whose certificates are not checked. */
    readonly insecure?: readonly string[];
  }[];
  readonly registriesConf: string;
  readonly caBundle: string;
}

/** The settings in the files of `mirror/`. */
export type JudgedMirrors = Pick<ClusterDirectory, 'registries' | 'registriesConf' | 'caBundle'>;

/** The settings in manifests and mirror files that do not depend on a site. */
export type JudgedUnconfigured = Omit<JudgedManifests, 'clusterInstall' | 'domain'>;

/** The settings in manifests and mirror files together. */
export type JudgedManifests = Omit<ClusterDirectory, 'installFiles' | 'rendezvousAddress' | 'extraManifests'>;
