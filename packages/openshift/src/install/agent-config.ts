// The Ignition config of the live system that installs a new cluster.
import type { Config } from '@coreiso/ignition';
import { imageFacts, imageFiles, type ServiceCredentials, shownVersion } from '@coreiso/nodes-config';
import { unsignedToken } from '../credentials/tokens.ts';
import { listServiceConfig, type ServiceListing } from '../join/service/listing.ts';
import { serviceConfig } from '../join/service/service-config.ts';
import { type AgentSite, requireSite } from './agent-site.ts';

/**
 * The Ignition config of the live system of a new cluster; `osImage` is the live image as the service lists it. Equal sites and
 * credentials give equal configs.
 *
 * @example agentConfigOf(site, credentials).systemd?.units?.map(({ name }) => name)
 */
export function agentConfigOf(
  site: AgentSite,
  credentials: ServiceCredentials,
  osImage?: { readonly url: string; readonly version: string },
): Config {
  requireSite(site);
  const { directory, release } = site;
  const facts = imageFacts(directory, release);
  return serviceConfig({
    workflow: 'install',
    rendezvousAddress: facts.rendezvousAddress,
    architecture: facts.architecture,
    releaseImage: release.image,
    version: shownVersion(release.version),
    title: `${facts.domain} is installed from here.`,
    required: facts.required,
    imageType: facts.imageType,
    mirrors: directory.registries.map(({ location, mirrors }) => ({ source: location, mirrors })),
    hasTrustBundle: facts.hasTrustBundle,
    hasStaticNetwork: facts.hasStaticNetwork,
    sshKey: directory.infraEnv.sshKey,
    files: imageFiles(directory).map(({ path, mode, text }) => ({ path, mode, contents: text })),
    osImage,
    credentials,
  });
}

/** Placeholders for secrets. */
const UNMADE: ServiceCredentials = {
  signers: {
    'admin-kubeconfig-signer': { certificate: '', key: '' },
    'kube-apiserver-lb-signer': { certificate: '', key: '' },
    'kube-apiserver-localhost-signer': { certificate: '', key: '' },
    'kube-apiserver-service-network-signer': { certificate: '', key: '' },
  },
  passwordHash: '*',
  tokens: {
    agent: unsignedToken('agentAuth'),
    user: unsignedToken('userAuth'),
    watcher: unsignedToken('watcherAuth'),
    publicKey: '',
    expires: undefined,
  },
  infraEnvId: '',
};

/**
 * Every file and unit of that config, without making secrets, in the form of the recordings of the installer. Contains the pull
 * secret.
 *
 * @example planAgentConfig(site).files.find(({ path }) => path === '/etc/assisted/rendezvous-host.env')?.env
 */
export function planAgentConfig(site: AgentSite): ServiceListing {
  return listServiceConfig(agentConfigOf(site, UNMADE), 'install');
}
