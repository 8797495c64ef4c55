import type { ServiceCredentials } from '@coreiso/nodes-config';
import type { LiveFile } from '../live-files.ts';

/** As upstream's programs are told: a new cluster, or nodes for one that is there. */
export type Workflow = 'install' | 'addnodes';

/** What every service is started with, whether the machine knows its site or not. */
export interface CommonSettings {
  readonly workflow: Workflow;
  /** As RPM names it. */
  readonly architecture: string;
  readonly releaseImage: string;
  readonly version: string;
  /** How many machines the installation waits for. */
  readonly required: { readonly controlPlane: number; readonly arbiter: number; readonly worker: number };
  /** Repositories with the places they are mirrored to. */
  readonly mirrors: readonly { readonly source: string; readonly mirrors?: readonly string[] }[];
  /** What follows from the input: manifests, hosts, networks, mirrors, certificates. */
  readonly files: readonly LiveFile[];
  /** The live system itself, as far as someone knows it. */
  readonly osImage?: { readonly url: string; readonly version: string } | undefined;
  readonly credentials: Pick<ServiceCredentials, 'tokens' | 'infraEnvId'>;
  /** Who may use the service: anyone who has a token of the image, unless it is `none`. */
  readonly authentication?: 'tokens' | 'none' | undefined;
}

/** What the service of a site is started with. */
export interface ServiceSettings extends CommonSettings {
  /** Where machines look for the service. */
  readonly rendezvousAddress: string;
  /** What the console calls the cluster. */
  readonly title: string;
  readonly imageType: 'full-iso' | 'minimal-iso';
  readonly hasTrustBundle: boolean;
  readonly hasStaticNetwork: boolean;
  /** Of user core; may be empty, or several lines. */
  readonly sshKey: string;
  readonly credentials: ServiceCredentials;
}
