import type { ServiceCredentials } from '@coreiso/nodes-config';
import type { LiveFile } from '../live-files.ts';

/** As upstream's programs are told: a new cluster, or nodes for one that is there. */
export type Workflow = 'install' | 'addnodes';

/** What the service on the node is started with. */
export interface ServiceSettings {
  readonly workflow: Workflow;
  /** Where machines look for the service. */
  readonly rendezvousAddress: string;
  /** As RPM names it. */
  readonly architecture: string;
  readonly releaseImage: string;
  readonly version: string;
  /** What the console calls the cluster. */
  readonly title: string;
  /** How many machines the installation waits for. */
  readonly required: { readonly controlPlane: number; readonly arbiter: number; readonly worker: number };
  readonly imageType: 'full-iso' | 'minimal-iso';
  /** Repositories with the places they are mirrored to. */
  readonly mirrors: readonly { readonly source: string; readonly mirrors?: readonly string[] }[];
  readonly hasTrustBundle: boolean;
  readonly hasStaticNetwork: boolean;
  /** Of user core; may be empty, or several lines. */
  readonly sshKey: string;
  /** What follows from the input: manifests, hosts, networks, mirrors, certificates. */
  readonly files: readonly LiveFile[];
  /** The live system itself, as far as somebody knows it. */
  readonly osImage?: { readonly url: string; readonly version: string } | undefined;
  readonly credentials: ServiceCredentials;
}
