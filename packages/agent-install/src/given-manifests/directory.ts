// What a directory of the agent-based installer means: an install config, ready-made manifests, or manifests that were written from an
// install config before and perhaps edited since.
import { writeGoYaml } from '@coreiso/diagnostics';
import { canonicalAddressAsGo } from '@coreiso/diagnostics/ip';
import type { NMStateConfig } from '@coreiso/nodes-config';
import { readAddresses, trustBundleProblem } from '@coreiso/nodes-config/document';
import { caBundleText } from '../manifests/mirror-files.ts';
import { type Release, shownVersion } from '../manifests/release.ts';
import { type RenderedSite, renderManifests } from '../manifests/render.ts';
import type { InstallConfigOptions } from '../site/install-config.ts';
import { parseSite, type Site, type SiteSources } from '../site/site.ts';
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
import type { ManifestDiagnostic } from './read-manifest.ts';
import { type MirroredRegistry, readRegistries } from './registries.ts';

export interface DirectoryOptions extends InstallConfigOptions {
  readonly release: Release;
  /** What the manifests in the directory were once made from. */
  readonly previous?: SiteSources | undefined;
}

/** Everything an image is made from. */
export interface ClusterDirectory {
  /** Undefined where the manifests are all there is. */
  readonly site: Site | undefined;
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
  readonly site: Site;
  /** Path below the directory → text of every manifest and mirror file; the pull secret and perhaps passwords are among them. */
  readonly files: Texts;
  /** Paths of files that are there and have another text: what they were made from has changed. */
  readonly replaced: readonly string[];
}

type DirectoryOutcome<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly ManifestDiagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly ManifestDiagnostic[] };

/**
 * Reads a directory, given as path to text, as the installer reads it before it makes an image.
 *
 * @example readDirectory({ 'cluster-manifests/infraenv.yaml': '…' }, { release: { version: '4.20.3', image: '…' } })
 */
export function readDirectory(files: Texts, options: DirectoryOptions): DirectoryOutcome<ClusterDirectory> {
  return new DirectoryReader(files, options).read();
}

/**
 * The manifests of a directory, given as path to text: made from its install config and agent config, but for those that were made
 * from the same before and perhaps edited since.
 *
 * @example makeManifests({ 'install-config.yaml': '…' }, { release: { version: '4.20.3', image: '…' } })
 */
export function makeManifests(files: Texts, options: DirectoryOptions): DirectoryOutcome<MadeManifests> {
  return new DirectoryReader(files, options).make();
}

type JudgedManifests = Omit<ClusterDirectory, 'site' | 'rendezvousAddress' | 'extraManifests'>;

class DirectoryReader {
  readonly #files: Texts;
  readonly #options: DirectoryOptions;
  readonly #diagnostics: ManifestDiagnostic[] = [];

  constructor(files: Texts, options: DirectoryOptions) {
    this.#files = files;
    this.#options = options;
  }

  read(): DirectoryOutcome<ClusterDirectory> {
    const site = this.#site();
    if (site === 'refused') return this.#outcome<ClusterDirectory>(undefined);
    const rendered = site && renderManifests(site, this.#options.release);
    return this.#outcome(this.#judgeImage(this.#standing(rendered).texts, site));
  }

  make(): DirectoryOutcome<MadeManifests> {
    const site = this.#site();
    if (site === undefined) {
      const cure = 'Add an install-config.yaml; `coreiso agent validate` checks manifests that are there already.';
      this.#fail('install-config.yaml', 'missing', 'there is nothing to make manifests from', cure, 'ours');
    }
    if (site === undefined || site === 'refused') return this.#outcome<MadeManifests>(undefined);
    const rendered = renderManifests(site, this.#options.release);
    this.#take(rendered.diagnostics);
    const { texts, replaced } = this.#standing(rendered);
    const isEdited = Object.entries(texts).some(([path, text]) => text !== rendered.files[path]);
    if (isEdited) this.#judge(texts);
    return this.#outcome({ site, files: texts, replaced });
  }

  #outcome<T>(value: T | undefined): DirectoryOutcome<T> {
    const diagnostics = this.#diagnostics;
    return value === undefined || this.#hasError() ? { ok: false, diagnostics } : { ok: true, value, diagnostics };
  }

  #hasError(): boolean {
    return this.#diagnostics.some(({ severity }) => severity === 'error');
  }

  /** Once something has failed, the installer does not get any further; what else is wrong is told as ours. */
  #take(diagnostics: readonly ManifestDiagnostic[]): void {
    const isReached = !this.#hasError();
    this.#diagnostics.push(...diagnostics.map((one) => (isReached ? one : { ...one, upstream: false })));
  }

  #site(): Site | undefined | 'refused' {
    const { previous } = this.#options;
    const installConfig = this.#files['install-config.yaml'] ?? previous?.installConfig;
    if (installConfig === undefined) return undefined;
    const agentConfig = this.#files['agent-config.yaml'] ?? previous?.agentConfig;
    const outcome = parseSite({ installConfig, agentConfig }, this.#options);
    this.#take(outcome.diagnostics);
    return outcome.ok ? outcome.value : 'refused';
  }

  #standing(rendered: RenderedSite | undefined): { readonly texts: Texts; readonly replaced: readonly string[] } {
    const { texts, discarded } = standingTexts(this.#files, rendered?.files ?? {}, this.#options.previous);
    for (const { path, title } of discarded) {
      const message = `Discarding the ${title} that was provided in the target directory because its dependencies are dirty and it needs to be regenerated`;
      const cure = 'Remove the install config and the agent config to keep the manifest.';
      const code = 'agent-install/discarded';
      this.#take([{ severity: 'warning', code, message, path: [], cure, upstream: true, file: path }]);
    }
    return { texts, replaced: discarded.flatMap(({ path }) => (texts[path] === this.#files[path] ? [] : [path])) };
  }

  #fail(file: string, rule: string, message: string, cure: string, origin: 'upstream' | 'ours' = 'upstream'): void {
    const upstream = origin === 'upstream';
    this.#take([{ severity: 'error', code: `agent-install/${rule}`, message, path: [], cure, upstream, file }]);
  }

  /** Runs the reader of a file that must be there. */
  #required<T>(
    path: Asset,
    texts: Texts,
    read: (
      file: string,
      text: string,
    ) => { readonly value: T | undefined; readonly diagnostics: readonly ManifestDiagnostic[] },
  ): T | undefined {
    const text = texts[path];
    if (text === undefined) {
      const cure = `Add ${path}, or an install-config.yaml.`;
      this.#fail(path, 'missing', 'missing configuration or manifest file', cure);
      return undefined;
    }
    const { value, diagnostics } = read(path, text);
    this.#take(diagnostics);
    return value;
  }

  /** What manifests say, each judged when its turn comes. */
  #judge(texts: Texts): JudgedManifests | undefined {
    const { mode = 'strict', release } = this.#options;
    const secret = this.#required('cluster-manifests/pull-secret.yaml', texts, (file, text) =>
      readPullSecret(file, text, mode),
    );
    const infraEnv = this.#required('cluster-manifests/infraenv.yaml', texts, (file, text) =>
      readInfraEnv(file, text, mode),
    );
    const networkFile = 'cluster-manifests/nmstateconfig.yaml';
    const networks = readNetworks(networkFile, texts[networkFile] ?? '', mode);
    this.#take(networks.diagnostics);
    const clusterInstall = this.#required('cluster-manifests/agent-cluster-install.yaml', texts, (file, text) =>
      readClusterInstall(file, text, mode),
    );
    const deployment = this.#required('cluster-manifests/cluster-deployment.yaml', texts, (file, text) =>
      readClusterDeployment(file, text, mode),
    );
    const imageSet = 'cluster-manifests/cluster-image-set.yaml';
    const imageSetText = texts[imageSet] ?? clusterImageSet(release);
    this.#take(readClusterImageSet(imageSet, imageSetText, release.image, mode).diagnostics);
    if (infraEnv !== undefined && networks.value !== undefined)
      this.#take(checkLabels('cluster-manifests/infraenv.yaml', infraEnv.labels, networks.value));
    const mirrors = this.#mirrors(texts);
    if (secret === undefined || infraEnv === undefined || clusterInstall === undefined || deployment === undefined)
      return undefined;
    const networkText = texts[networkFile];
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

  #judgeImage(texts: Texts, site: Site | undefined): ClusterDirectory | undefined {
    const judged = this.#judge(texts);
    const rendezvousAddress = this.#rendezvous(site, judged?.networks ?? []);
    const extra = readExtraManifests(this.#files, this.#options.mode ?? 'strict');
    this.#take(extra.diagnostics);
    return judged && { ...judged, site, rendezvousAddress, extraManifests: extra.value };
  }

  #mirrors(texts: Texts): Pick<ClusterDirectory, 'registries' | 'registriesConf' | 'caBundle'> {
    const path = 'mirror/registries.conf';
    const registriesConf = texts[path] ?? '';
    const reading = readRegistries(registriesConf);
    if (!reading.ok) {
      const cure = `Look at line ${reading.line}: ${reading.fault}.`;
      this.#fail(path, 'registries', `failed to unmarshal ${path}: (${reading.line}, 1): ${reading.fault}`, cure);
    }
    const registries = reading.ok ? reading.registries : [];
    if (registries.some(({ location }) => location === '')) {
      const message = `Location key not found in ${path}`;
      const cure = 'Add `location` to every registry.';
      const code = 'agent-install/registries';
      this.#take([{ severity: 'warning', code, message, path: [], cure, upstream: true, file: path }]);
    }
    const bundle = texts['mirror/ca-bundle.crt'] ?? '';
    const problem = bundle === '' ? undefined : trustBundleProblem(bundle);
    if (problem !== undefined)
      this.#fail(
        'mirror/ca-bundle.crt',
        'trust-bundle',
        problem,
        'Keep PEM certificates, with nothing behind the last one.',
      );
    return { registries, registriesConf, caBundle: caBundleText(bundle) };
  }

  /** Of the agent config where there is one, else the first address of the manifests. */
  #rendezvous(site: Site | undefined, networks: readonly NMStateConfig[]): string {
    if (site?.agentConfig.rendezvousAddress !== undefined) return site.agentConfig.rendezvousAddress;
    for (const { config } of networks) {
      const reading = config && readAddresses(config.node, config.path);
      const [first] = reading?.ok ? reading.addresses : [];
      const address = first && canonicalAddressAsGo(first.text);
      if (address !== undefined) return address;
    }
    const message =
      'missing rendezvousIP in agent-config, at least one host networkConfig, or at least one NMStateConfig manifest: invalid NMState configurations provided, no interface IPs set';
    const cure = 'Give one control-plane host a static address in nmstateconfig.yaml.';
    this.#fail('cluster-manifests/nmstateconfig.yaml', 'rendezvous', message, cure);
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
