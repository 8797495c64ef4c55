// The files and settings of an image that follow from a directory.

import { checkArgument } from '@coreiso/peers/arguments';
import type { ClusterDirectory, JudgedUnconfigured } from '../directory/cluster-directory.ts';
import { requireDirectory } from '../directory/directory.ts';
import { mirroredRegistries, releaseImageMirror } from '../facts/release.ts';
import { type HostPlans, planHosts } from '../hosts/plan-hosts.ts';
import { requireSafeNames } from '../hosts/safe-names.ts';
import { defaultImageStream } from '../install-config/defaults.ts';
import type { ReleaseImage } from '../manifests/release.ts';
import type { Host } from '../rules/host.ts';
import type { SourceText } from '../text/lookup.ts';
import { fencingFiles, type ImageFiles } from './fencing.ts';

/** Settings of machines that boot the image. */
export interface ImageFacts {
  readonly rendezvousAddress: string;
  readonly architecture: string;
  /** Appended to the kernel command line, with a leading blank; may be empty. */
  readonly kernelArguments: string;
  readonly osImageStream: string;
  /** The name that the console shows. */
  readonly domain: string;
  readonly required: { readonly controlPlane: number; readonly arbiter: number; readonly worker: number };
  readonly imageType: 'full-iso' | 'minimal-iso';
  /** The mirror of the release image; may be empty. */
  readonly releaseImageMirror: string;
  /** Registries that are mirrored, separated by commas; empty if there are none. */
  readonly mirroredRegistries: string;
  readonly hasMirrors: boolean;
  readonly hasTrustBundle: boolean;
  readonly hasStaticNetwork: boolean;
  readonly sshKeys: readonly string[];
}

/**
 * Makes the settings of machines that boot the image.
 *
 * @example imageFacts(directory, { version: '4.20.3', image: '…' }).rendezvousAddress
 */
export function imageFacts(directory: ClusterDirectory, release: ReleaseImage): ImageFacts {
  requireDirectory(directory);
  checkArgument('release', release, 'object');
  const { version, image } = release;
  const { clusterInstall, infraEnv, registries, installFiles } = directory;
  const { platformType, externalName, counts, overrides } = clusterInstall;
  const stream = overrides['osImageStream'];
  const console = externalName === 'oci' ? ' console=ttyS0' : '';
  const fips = overrides['fips'] === true ? ' fips=1' : '';
  const isMinimal = installFiles?.agentConfig.minimalISO === true || platformType === 'External';
  return {
    rendezvousAddress: directory.rendezvousAddress,
    architecture: infraEnv.architecture,
    kernelArguments: `${console}${fips}`,
    osImageStream: typeof stream === 'string' && stream !== '' ? stream : defaultImageStream(version),
    domain: directory.domain,
    required: counts,
    imageType: isMinimal ? 'minimal-iso' : 'full-iso',
    releaseImageMirror: releaseImageMirror(image, mirrorsOf(directory)),
    mirroredRegistries: mirroredRegistries(mirrorsOf(directory)),
    hasMirrors: registries.length > 0,
    hasTrustBundle: directory.caBundle !== '',
    hasStaticNetwork: directory.networks.length > 0,
    sshKeys: infraEnv.sshKey.split('\n').filter((line) => line.trim() !== ''),
  };
}

export function mirrorsOf({
  registries,
}: Pick<ClusterDirectory, 'registries'>): { readonly source: string; readonly mirrors: readonly string[] }[] {
  return registries.map(({ location, mirrors }) => ({ source: location, mirrors }));
}

const SECRET = 0o600;
const READABLE = 0o644;

/**
 * The files of the live system that depend on the input; they contain the pull secret and may contain passwords.
 *
 * @example imageFiles(directory).map(({ path }) => path)
 */
export function imageFiles(directory: ClusterDirectory): {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}[] {
  requireDirectory(directory);
  return filesOf(directory);
}

/** Like `imageFiles`, for a directory that may have no site. */
export function filesOf(
  directory: JudgedUnconfigured & Pick<ClusterDirectory, 'installFiles' | 'extraManifests'>,
): ImageFiles {
  const { manifests, extraManifests, infraEnv, installFiles, caBundle, pullSecret, registriesConf } = directory;
  const named = (folder: string, files: Readonly<Record<string, string>>, mode: number): ImageFiles =>
    Object.entries(files).map(([name, text]) => ({ path: `${folder}/${name}`, mode, text }));
  const agentConfig = installFiles?.agentConfig.source.text ?? '';
  return [
    ...named('/etc/assisted/manifests', manifests, SECRET),
    ...(agentConfig === '' ? [] : named('/etc/assisted/manifests', { 'agent-config.yaml': agentConfig }, SECRET)),
    ...named('/etc/assisted/extra-manifests', extraManifests, READABLE),
    ...networkFiles(directory),
    ...hostFiles(installFiles?.agentConfig.hosts ?? [], installFiles?.agentConfig.source).filter(
      ({ path }) => !path.startsWith(NETWORK),
    ),
    ...(installFiles === undefined ? [] : fencingFiles(installFiles)),
    { path: '/etc/containers/registries.conf', mode: READABLE, text: registriesConf },
    ...(caBundle === '' ? [] : [{ path: '/etc/pki/ca-trust/source/anchors/domain.crt', mode: SECRET, text: caBundle }]),
    ...(infraEnv.ntpSources.length === 0
      ? []
      : [{ path: '/etc/chrony.conf', mode: READABLE, text: chronyConf(infraEnv.ntpSources) }]),
    { path: '/etc/systemd/system.conf.d/10-default-env.conf', mode: SECRET, text: proxyConf(infraEnv.proxy) },
    { path: '/root/.docker/config.json', mode: SECRET, text: pullSecret },
  ];
}

const NETWORK = '/etc/assisted/network/';

/** Hosts as manifests describe them: only by their networks. */
export function hostsOfNetworks(networks: ClusterDirectory['networks']): Host[] {
  return networks.map(({ config, interfaces }, index) => ({
    path: ['hosts', index],
    hostname: '',
    role: '',
    rootDeviceHints: {},
    interfaces,
    networkConfig: config,
    bmc: undefined,
  }));
}

function networkFiles({ networks }: Pick<ClusterDirectory, 'networks'>): ImageFiles {
  return hostFiles(hostsOfNetworks(networks)).filter(({ path }) => path.startsWith(NETWORK));
}

function hostFiles(hosts: readonly Host[], source?: SourceText): ImageFiles {
  const plan = hostPlans(hosts, source);
  requireSafeNames(plan);
  return plan.files.map(({ path, mode, contents }) => ({ path, mode, text: contents }));
}

const NO_TEXT: SourceText = { text: '', locate: () => undefined };

/** The settings of hosts, for any cluster. */
export function hostPlans(hosts: readonly Host[], source: SourceText = NO_TEXT): HostPlans {
  return planHosts({
    kind: 'nodes-config',
    cpuArchitecture: '',
    sshKey: '',
    bootArtifactsBaseURL: '',
    hosts,
    imageArchitecture: undefined,
    imageSshKey: '',
    source,
  });
}

function chronyConf(sources: readonly string[]): string {
  const servers = sources.map((source) => `server ${source} iburst\n`).join('');
  return `${servers}makestep 1.0 3\nrtcsync\nlogdir /var/log/chrony\n`;
}

function proxyConf(proxy: ClusterDirectory['infraEnv']['proxy']): string {
  if (proxy === undefined) return '';
  // A percent sign begins a specifier of systemd; upstream escapes it only in addresses.
  const address = (url: string): string => url.replaceAll('%', '%%');
  const variables = {
    HTTP_PROXY: address(proxy.httpProxy),
    HTTPS_PROXY: address(proxy.httpsProxy),
    NO_PROXY: proxy.noProxy,
  };
  const lines = Object.entries(variables).flatMap(([name, value]) =>
    value === '' ? [] : [`DefaultEnvironment=${name}="${value}"\n`],
  );
  return `[Manager]\n${lines.join('')}`;
}
