import type { ServiceCredentials } from '@coreiso/nodes-config';
import type { LiveFile } from '../live-files.ts';

/** Workflow names of upstream's programs: a new cluster, or nodes for an existing one. */
export type Workflow = 'install' | 'addnodes';

/** Settings of every service, whether the machine knows its site or not. */
export interface CommonSettings {
  readonly workflow: Workflow;
  /** RPM's name of the architecture. */
  readonly architecture: string;
  readonly releaseImage: string;
  readonly version: string;
  /** Number of machines that the installation waits for. */
  readonly required: { readonly controlPlane: number; readonly arbiter: number; readonly worker: number };
  /** Repositories and their mirrors. */
  readonly mirrors: readonly { readonly source: string; readonly mirrors?: readonly string[] }[];
  /** Settings that follow from the input: manifests, hosts, networks, mirrors, certificates. */
  readonly files: readonly LiveFile[];
  /** The live system itself, if it is known. */
  readonly osImage?: { readonly url: string; readonly version: string } | undefined;
  readonly credentials: Pick<ServiceCredentials, 'tokens' | 'infraEnvId'>;
  /** Authentication: holders of an image token may use the service; with `none`, everyone. */
  readonly authentication?: 'tokens' | 'none' | undefined;
}

/** Settings of the service of a site. */
export interface ServiceSettings extends CommonSettings {
  /** Address at which machines reach the service. */
  readonly rendezvousAddress: string;
  /** Name of the cluster on the console. */
  readonly title: string;
  readonly imageType: 'full-iso' | 'minimal-iso';
  readonly hasTrustBundle: boolean;
  readonly hasStaticNetwork: boolean;
  /** SSH keys of user core; may be empty or have several lines. */
  readonly sshKey: string;
  readonly credentials: ServiceCredentials;
}
