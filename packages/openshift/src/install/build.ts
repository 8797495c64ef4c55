import { stringifyConfig } from '@coreiso/ignition';
import type { ByteSource, Compression, LiveImage } from '@coreiso/iso';
import { imageFacts } from '@coreiso/nodes-config';
import { type Credentials, requireCredentials } from '../credentials/credentials.ts';
import { adminKubeconfig } from '../credentials/kubeconfig.ts';
import { OpenshiftError } from '../errors.ts';
import type { NamedOutput } from '../images/changes.ts';
import { configImage } from '../images/config-image.ts';
import { checkBase, openBase, openImageBuilder } from '../images/image-builder.ts';
import { agentConfigOf } from './agent-config.ts';
import { type AgentSite, requireSite } from './agent-site.ts';

/** Options of the image of a new cluster. */
export interface AgentImageOptions {
  /** `minimal-iso` by default on platform external or if the agent config requests it, else `iso`. */
  readonly form?: 'iso' | 'minimal-iso' | 'pxe' | undefined;
  /** Whether an image may grow if its area is too small (default: yes). */
  readonly grow?: boolean | undefined;
  /** `gzip` by default. */
  readonly compression?: Compression | undefined;
  /** Address of the network-boot files, instead of that in the agent config. */
  readonly bootArtifactsBaseURL?: string | undefined;
  /** Address of the root file system of a minimal image, if it is elsewhere. */
  readonly rootfsUrl?: string | undefined;
  /** The address of the base image. */
  readonly baseUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The image of a new cluster, and the files that later commands read. */
export interface AgentImage {
  readonly outputs: readonly NamedOutput[];
  /** Files for later commands, by path below the installation directory. All but the first are secret. */
  readonly files: Readonly<
    Record<
      'rendezvousIP' | 'auth/kubeconfig' | 'auth/kubeadmin-password',
      { readonly text: string; readonly mode: number }
    >
  >;
  /** Notes for the user, one sentence each, for example that an image grew. */
  readonly notes: readonly string[];
}

/**
 * Computes the image that installs a new cluster, or its network-boot files, and the files for later commands. The base stays
 * unchanged.
 *
 * @example const { outputs, files } = await buildAgentImage(await fileSource('rhcos-live.iso'), site, credentials)
 */
export async function buildAgentImage(
  base: ByteSource | LiveImage,
  site: AgentSite,
  credentials: Credentials,
  options: AgentImageOptions = {},
): Promise<AgentImage> {
  checkBase(base);
  requireSite(site);
  requireCredentials(credentials);
  const { directory, release } = site;
  const { signal, compression, grow = true, baseUrl } = options;
  const facts = imageFacts(directory, release);
  const form = options.form ?? (facts.imageType === 'minimal-iso' ? 'minimal-iso' : 'iso');
  const image = await openBase(base, { architecture: facts.architecture || undefined, signal });
  const url = options.bootArtifactsBaseURL ?? directory.installFiles?.agentConfig.bootArtifactsBaseURL ?? '';
  if (form === 'minimal-iso' && url === '' && !options.rootfsUrl) {
    const help = 'give bootArtifactsBaseURL, or the address of the root file system';
    throw new OpenshiftError('OPENSHIFT_NO_ROOTFS_URL', `no RootFSURL found for ${facts.architecture}: ${help}`);
  }
  const osImage = { url: baseUrl ?? `file:///${image.volumeId}.iso`, version: image.volumeId };
  const config = stringifyConfig(agentConfigOf(site, credentials, osImage));
  const builder = await openImageBuilder(
    image,
    {
      prefix: 'agent',
      architecture: facts.architecture,
      bootArtifactsBaseURL: url,
      rootfsUrl: options.rootfsUrl,
      kernelArguments: facts.kernelArguments.split(' ').filter((word) => word !== ''),
    },
    { form, grow, images: 'all-hosts', signal, compression },
  );
  const changes = { ignition: new TextEncoder().encode(config), keyfiles: [], files: [] };
  const { outputs, notes } = await builder.make({ prefix: 'agent', changes });
  return {
    outputs: [...outputs, ...builder.shared],
    files: filesBeside(site, credentials, facts.rendezvousAddress),
    notes,
  };
}

/**
 * Computes the config image of a site, and the files for later commands. Machines that booted an image without settings read them
 * from it.
 *
 * @example const { outputs, files } = await buildConfigImage(site, credentials)
 */
export async function buildConfigImage(site: AgentSite, credentials: Credentials): Promise<AgentImage> {
  requireSite(site);
  requireCredentials(credentials);
  const source = await configImage(agentConfigOf(site, credentials));
  const { rendezvousAddress } = site.directory;
  return {
    outputs: [{ name: 'agentconfig.noarch.iso', source }],
    files: filesBeside(site, credentials, rendezvousAddress),
    notes: [],
  };
}

const PRIVATE = 0o600;

function filesBeside({ directory }: AgentSite, credentials: Credentials, address: string): AgentImage['files'] {
  const [name = '', ...domain] = directory.domain.split('.');
  const kubeconfig = adminKubeconfig(credentials, { name, baseDomain: domain.join('.') });
  return {
    rendezvousIP: { text: address, mode: 0o644 },
    'auth/kubeconfig': { text: kubeconfig, mode: PRIVATE },
    'auth/kubeadmin-password': { text: credentials.password, mode: PRIVATE },
  };
}
