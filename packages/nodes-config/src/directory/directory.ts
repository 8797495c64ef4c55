// What a directory of the agent-based installer means: an install config, ready-made manifests, or manifests that were written from an
// install config before and perhaps edited since.

import { type Outcome, writeGoYaml } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import type { Manifest } from '../documents/manifests.ts';
import type { NMStateConfig } from '../documents/types.ts';

import { dividedImage } from '../facts/release.ts';
import { trustBundleProblem } from '../facts/trust-bundle.ts';
import type { InstallConfigOptions } from '../install-config/install-config.ts';
import { type InstallFiles, type InstallSources, parseInstallFiles } from '../install-files/install-files.ts';
import { caBundleText, isDefaultRegistriesConf, weakCertificates } from '../manifests/mirror-files.ts';
import { type Release, shownVersion } from '../manifests/release.ts';
import { type WrittenManifests, writeManifests } from '../manifests/render.ts';
import { readAddresses } from '../rules/network-view.ts';
import type { FileDiagnostic } from '../text/findings.ts';
import type { ConfigSource } from '../text/read-text.ts';
import { type Asset, standingTexts, type Texts } from './assets.ts';
import { type ClusterInstallReading, readClusterInstall } from './cluster-install.ts';
import { readExtraManifests } from './extra-manifests.ts';
import {
  checkLabels,
  type InfraEnvReading,
  readClusterDeployment,
  readClusterImageSet,
  readInfraEnv,
  readNetworks,
  readPullSecret,
} from './manifests.ts';
import type { Reading } from './read-manifest.ts';
import { type MirroredRegistry, readRegistries } from './registries.ts';

/** The release, and what the directory held before. */
export interface DirectoryOptions extends InstallConfigOptions {
  readonly release: Release;
  /** What the manifests in the directory were once made from. */
  readonly previous?: InstallSources | undefined;
}

/** Everything an image is made from. */
export interface ClusterDirectory {
  /** Undefined where the manifests are all there is. */
  readonly installFiles: InstallFiles | undefined;
  /** Name of the file → text as it goes into an image. */
  readonly manifests: Texts;
  readonly clusterInstall: ClusterInstallReading;
  readonly infraEnv: InfraEnvReading;
  readonly networks: readonly NMStateConfig[];
  readonly domain: string;
  /** The pull secret as JSON. */
  readonly pullSecret: string;
  readonly rendezvousAddress: string;
  readonly registries: readonly MirroredRegistry[];
  readonly registriesConf: string;
  readonly caBundle: string;
  /** Name of the file → text. */
  readonly extraManifests: Texts;
}

/** What `agent create cluster-manifests` leaves in a directory. */
export interface MadeManifests {
  readonly installFiles: InstallFiles;
  /** Path below the directory → text of every manifest and mirror file; the pull secret and perhaps passwords are among them. */
  readonly files: Texts;
  /** Paths of files that are there and have another text: what they were made from has changed. */
  readonly replaced: readonly string[];
}

/**
 * Reads a directory, given as path to text, as the installer reads it before it makes an image.
 *
 * @example readDirectory({ 'cluster-manifests/infraenv.yaml': '…' }, { release: { version: '4.20.3', image: '…' } })
 */
export function readDirectory(files: Texts, options: DirectoryOptions): Outcome<ClusterDirectory, FileDiagnostic> {
  requireGiven(files, options);
  return new DirectoryReader(files, options).read();
}

/**
 * The manifests of a directory, given as path to text: made from its install config and agent config, but for those that were made
 * from the same before and perhaps edited since.
 *
 * @example makeManifests({ 'install-config.yaml': '…' }, { release: { version: '4.20.3', image: '…' } })
 */
export function makeManifests(files: Texts, options: DirectoryOptions): Outcome<MadeManifests, FileDiagnostic> {
  requireGiven(files, options);
  return new DirectoryReader(files, options).make();
}

function requireGiven(files: Texts, options: DirectoryOptions): void {
  checkArgument('files', files, 'object');
  checkArgument('options', options, 'object');
  checkArgument('options.release', options.release, 'object');
}

/** Refuses what was not read here. */
export function requireDirectory(directory: ClusterDirectory): void {
  if (directory?.clusterInstall === undefined)
    throw new TypeError('directory must be what readDirectory returns as its value');
}

type JudgedManifests = Omit<ClusterDirectory, 'installFiles' | 'rendezvousAddress' | 'extraManifests'>;

interface Standing {
  readonly texts: Texts;
  readonly replaced: readonly string[];
  /** Of those that are exactly what has just been written, the manifests that they were written from. */
  readonly written: Readonly<Record<string, Manifest>>;
  /** Files of the directory that count as they are. */
  readonly own: ReadonlySet<string>;
}

const NO_NETWORKS: Reading<readonly NMStateConfig[]> = { value: [], diagnostics: [] };

type ManifestReader<T> = (file: string, source: ConfigSource) => Reading<T>;

/** A text that has just been written is parsed only where something is to be said of its lines. */
function readStanding<T>(path: string, text: string, { written }: Standing, read: ManifestReader<T>): Reading<T> {
  const manifest = written[path];
  const reading = manifest && read(path, manifest);
  return reading === undefined || reading.diagnostics.length > 0 ? read(path, text) : reading;
}

class DirectoryReader {
  readonly #files: Texts;
  readonly #options: DirectoryOptions;
  readonly #diagnostics: FileDiagnostic[] = [];

  constructor(files: Texts, options: DirectoryOptions) {
    this.#files = files;
    this.#options = options;
  }

  read(): Outcome<ClusterDirectory, FileDiagnostic> {
    const installFiles = this.#installFiles();
    if (installFiles === 'refused') return this.#outcome<ClusterDirectory>(undefined);
    const rendered = installFiles && writeManifests(installFiles, this.#options.release);
    const standing = this.#standing(rendered);
    return this.#outcome(this.#judgeImage(standing, installFiles));
  }

  make(): Outcome<MadeManifests, FileDiagnostic> {
    const installFiles = this.#installFiles();
    if (installFiles === undefined) {
      const help = 'Add an install-config.yaml; `coreiso agent validate` checks manifests that are there already.';
      this.#fail('install-config.yaml', 'missing', 'there is nothing to make manifests from', help, 'ours');
    }
    if (installFiles === undefined || installFiles === 'refused') return this.#outcome<MadeManifests>(undefined);
    const rendered = writeManifests(installFiles, this.#options.release);
    const standing = this.#standing(rendered);
    const { texts, replaced } = standing;
    const isEdited = Object.entries(texts).some(([path, text]) => text !== rendered.files[path]);
    if (isEdited) this.#judge(standing);
    return this.#outcome({ installFiles, files: texts, replaced });
  }

  #outcome<T>(value: T | undefined): Outcome<T, FileDiagnostic> {
    const diagnostics = this.#diagnostics;
    return value === undefined || this.#hasError() ? { ok: false, diagnostics } : { ok: true, value, diagnostics };
  }

  #hasError(): boolean {
    return this.#diagnostics.some(({ severity }) => severity === 'error');
  }

  /** Once something has failed, the installer does not get any further; what else is wrong is told as ours. */
  #take(diagnostics: readonly FileDiagnostic[]): void {
    const isReached = !this.#hasError();
    this.#diagnostics.push(...diagnostics.map((one) => (isReached ? one : { ...one, upstream: false })));
  }

  #installFiles(): InstallFiles | undefined | 'refused' {
    const { previous } = this.#options;
    const installConfig = this.#files['install-config.yaml'] ?? previous?.installConfig;
    if (installConfig === undefined) return undefined;
    const agentConfig = this.#files['agent-config.yaml'] ?? previous?.agentConfig;
    const outcome = parseInstallFiles({ installConfig, agentConfig }, this.#options);
    // What was said about files that are remembered is not said again.
    const isHere = (file: string): boolean => this.#files[file] !== undefined;
    const isNews = ({ file, severity }: FileDiagnostic): boolean =>
      severity === 'error' || isHere(file) || isHere('install-config.yaml');
    this.#take(outcome.diagnostics.filter(isNews));
    if (!outcome.ok) return 'refused';
    if (isHere('install-config.yaml') && !isHere('agent-config.yaml')) this.#checkRemembered(outcome.value);
    return outcome.value;
  }

  /** Between two steps the installer forgets that a host has no network: what it remembers is an empty one, which nmstate refuses. */
  #checkRemembered({ agentConfig: { hosts, source } }: InstallFiles): void {
    if (this.#options.previous?.agentConfig === undefined || source.locate(['hosts', 0]) === undefined) return;
    const help = 'Put agent-config.yaml beside the new install-config.yaml again.';
    const found = hosts.flatMap(({ networkConfig }, index): FileDiagnostic[] => {
      const message = `failed to validate network yaml for host ${index}, failed to execute 'nmstatectl gc', error: invalid type: unit value, expected struct NetworkState`;
      const file = 'agent-config.yaml';
      const finding = { severity: 'error', code: 'nodes-config/forgotten-network', message, path: [], help } as const;
      return networkConfig === undefined ? [{ ...finding, upstream: true, file }] : [];
    });
    this.#take(found);
  }

  /** Which texts count; what is said about those that are made anew is said here. */
  #standing(rendered: WrittenManifests | undefined): Standing {
    const { texts, discarded } = standingTexts(this.#files, rendered?.files ?? {}, this.#options.previous);
    for (const { path, title } of discarded) {
      const message = `Discarding the ${title} that was provided in the target directory because its dependencies are dirty and it needs to be regenerated`;
      const help = 'Remove the install config and the agent config to keep the manifest.';
      const code = 'nodes-config/discarded';
      this.#take([{ severity: 'warning', code, message, path: [], help, upstream: true, file: path }]);
    }
    const own = new Set(Object.keys(this.#files));
    for (const { path } of discarded) own.delete(path);
    const isMade = ({ code }: FileDiagnostic): boolean =>
      !own.has(code === 'nodes-config/trust-bundle' ? 'mirror/ca-bundle.crt' : 'mirror/registries.conf');
    this.#take((rendered?.diagnostics ?? []).filter(isMade));
    const replaced = discarded.flatMap(({ path }) => (texts[path] === this.#files[path] ? [] : [path]));
    const written = Object.entries(rendered?.manifests ?? {}).filter(([path]) => texts[path] === rendered?.files[path]);
    return { texts, written: Object.fromEntries(written), replaced, own };
  }

  #fail(file: string, rule: string, message: string, help: string, origin: 'upstream' | 'ours' = 'upstream'): void {
    const upstream = origin === 'upstream';
    this.#take([{ severity: 'error', code: `nodes-config/${rule}`, message, path: [], help, upstream, file }]);
  }

  /** Runs the reader of a file that must be there. */
  #required<T>(path: Asset, standing: Standing, read: ManifestReader<T>): T | undefined {
    const text = standing.texts[path];
    if (text === undefined) {
      const help = `Add ${path}, or an install-config.yaml.`;
      this.#fail(path, 'missing', 'missing configuration or manifest file', help);
      return undefined;
    }
    const { value, diagnostics } = readStanding(path, text, standing, read);
    this.#take(diagnostics);
    return value;
  }

  /** What manifests say, each judged when its turn comes. */
  #judge(standing: Standing): JudgedManifests | undefined {
    const { texts, own } = standing;
    const { mode = 'strict', release } = this.#options;
    const secret = this.#required('cluster-manifests/pull-secret.yaml', standing, (file, source) =>
      readPullSecret(file, source, mode),
    );
    const infraEnv = this.#required('cluster-manifests/infraenv.yaml', standing, (file, source) =>
      readInfraEnv(file, source, mode),
    );
    const networkFile = 'cluster-manifests/nmstateconfig.yaml';
    const networkText = texts[networkFile];
    const networks = networkText === undefined ? NO_NETWORKS : readNetworks(networkFile, networkText, mode);
    this.#take(networks.diagnostics);
    const clusterInstall = this.#required('cluster-manifests/agent-cluster-install.yaml', standing, (file, source) =>
      readClusterInstall(file, source, mode),
    );
    const deployment = this.#required('cluster-manifests/cluster-deployment.yaml', standing, (file, source) =>
      readClusterDeployment(file, source, mode),
    );
    const imageSet = 'cluster-manifests/cluster-image-set.yaml';
    const imageSetText = texts[imageSet] ?? clusterImageSet(release);
    const readImageSet: ManifestReader<true> = (file, source) => readClusterImageSet(file, source, release.image, mode);
    this.#take(readStanding(imageSet, imageSetText, standing, readImageSet).diagnostics);
    if (infraEnv !== undefined && networks.value !== undefined)
      this.#take(checkLabels('cluster-manifests/infraenv.yaml', infraEnv.labels, networks.value));
    const mirrors = this.#mirrors(texts, own);
    if (secret === undefined || infraEnv === undefined || clusterInstall === undefined || deployment === undefined)
      return undefined;
    return {
      manifests: {
        'agent-cluster-install.yaml': clusterInstall.text,
        'cluster-deployment.yaml': texts['cluster-manifests/cluster-deployment.yaml'] ?? '',
        'cluster-image-set.yaml': imageSetText,
        'infraenv.yaml': infraEnv.text,
        ...(networkText === undefined ? {} : { 'nmstateconfig.yaml': networkText }),
        'pull-secret.yaml': secret.text,
      },
      clusterInstall,
      infraEnv,
      networks: networks.value ?? [],
      domain: deployment.domain,
      pullSecret: secret.secret,
      ...mirrors,
    };
  }

  #judgeImage(standing: Standing, installFiles: InstallFiles | undefined): ClusterDirectory | undefined {
    const judged = this.#judge(standing);
    const rendezvousAddress = this.#rendezvous(installFiles, judged?.networks ?? []);
    const extra = readExtraManifests(this.#files, this.#options.mode ?? 'strict');
    this.#take(extra.diagnostics);
    return judged && { ...judged, installFiles, rendezvousAddress, extraManifests: extra.value };
  }

  #mirrors(
    texts: Texts,
    own: ReadonlySet<string>,
  ): Pick<ClusterDirectory, 'registries' | 'registriesConf' | 'caBundle'> {
    const path = 'mirror/registries.conf';
    const registriesConf = texts[path] ?? '';
    const reading = readRegistries(registriesConf);
    for (const { message, range } of reading.ok ? [] : reading.diagnostics) {
      const line = range?.start.line;
      const help = `Look at line ${line}: ${message}.`;
      this.#fail(path, 'registries', `failed to unmarshal ${path}: (${line}, 1): ${message}`, help);
    }
    const registries = reading.ok ? reading.value : [];
    if (registries.some(({ location }) => location === '')) {
      const message = `Location key not found in ${path}`;
      const help = 'Add `location` to every registry.';
      const code = 'nodes-config/registries';
      this.#take([{ severity: 'warning', code, message, path: [], help, upstream: true, file: path }]);
    }
    this.#checkRelease(registries, registriesConf, own);
    const bundle = texts['mirror/ca-bundle.crt'] ?? '';
    const problem = bundle === '' ? undefined : trustBundleProblem(bundle);
    if (problem !== undefined)
      this.#fail(
        'mirror/ca-bundle.crt',
        'trust-bundle',
        problem.message,
        'Keep PEM certificates, with nothing behind the last one.',
      );
    for (const message of own.has('mirror/ca-bundle.crt') ? weakCertificates(bundle) : []) {
      const help = 'Take the certificate of the authority that signed it.';
      const finding = { severity: 'warning', code: 'nodes-config/trust-bundle', message, path: [], help } as const;
      this.#take([{ ...finding, upstream: true, file: 'mirror/ca-bundle.crt' }]);
    }
    return { registries, registriesConf, caBundle: caBundleText(bundle) };
  }

  /** Whether the release image is mirrored, where there are mirrors at all. */
  #checkRelease(registries: readonly MirroredRegistry[], text: string, own: ReadonlySet<string>): void {
    const file = 'mirror/registries.conf';
    const { image } = this.#options.release;
    const found = registries.find(({ location }) => location === dividedImage(image).source);
    if (found !== undefined && found.mirrors.length === 0) {
      const message = 'the entry of the release image has no mirror, and the installer crashes over it';
      this.#fail(file, 'registries', message, 'Add a `[[registry.mirror]]`, or remove the entry.', 'ours');
    }
    const isSilent = !own.has(file) || isDefaultRegistriesConf(text) || registries.some(({ location }) => !location);
    if (found !== undefined || isSilent) return;
    const message = `${file} should have an entry matching the releaseImage ${image}`;
    const help = 'Add an entry whose `location` is the release image without its digest.';
    const code = 'nodes-config/registries';
    this.#take([{ severity: 'warning', code, message, path: [], help, upstream: true, file }]);
  }

  /** Of the agent config where there is one, else the first address of the manifests. */
  #rendezvous(installFiles: InstallFiles | undefined, networks: readonly NMStateConfig[]): string {
    if (installFiles?.agentConfig.rendezvousAddress !== undefined) return installFiles.agentConfig.rendezvousAddress;
    for (const { config } of networks) {
      const reading = config && readAddresses(config.node, config.path);
      const [first] = reading?.ok ? reading.addresses : [];
      const address = first && canonicalAddressAsGo(first.text);
      if (address !== undefined) return address;
    }
    const message =
      'missing rendezvousIP in agent-config, at least one host networkConfig, or at least one NMStateConfig manifest: invalid NMState configurations provided, no interface IPs set';
    const help = 'Give one control-plane host a static address in nmstateconfig.yaml.';
    this.#fail('cluster-manifests/nmstateconfig.yaml', 'rendezvous', message, help);
    return '';
  }
}

/** The installer makes this manifest where it is missing. */
function clusterImageSet({ version, image }: Release): string {
  return writeGoYaml({
    apiVersion: 'hive.openshift.io/v1',
    kind: 'ClusterImageSet',
    metadata: { name: `openshift-${shownVersion(version)}` },
    spec: { releaseImage: image },
    status: {},
  });
}
