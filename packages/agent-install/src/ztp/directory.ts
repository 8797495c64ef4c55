// What a directory of the agent-based installer means: an install config, ready-made manifests, or manifests that were written from an
// install config before and perhaps edited since.
import { goKey, goYaml, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import { compareBytes } from '@coreiso/diagnostics/go';
import { canonicalAddressAsGo } from '@coreiso/diagnostics/ip';
import type { NMStateConfig } from '@coreiso/nodes-config';
import { readAddresses, readAll, trustBundleProblem } from '@coreiso/nodes-config/document';
import { caBundleText } from '../manifests/mirror-files.ts';
import { type Release, shownVersion } from '../manifests/release.ts';
import { renderManifests } from '../manifests/render.ts';
import type { InstallConfigOptions } from '../site/install-config.ts';
import { parseSite, type Site, type SiteSources } from '../site/site.ts';
import {
  type ClusterInstallReading,
  checkLabels,
  type InfraEnvReading,
  type ManifestDiagnostic,
  readClusterDeployment,
  readClusterImageSet,
  readClusterInstall,
  readInfraEnv,
  readNetworks,
  readPullSecret,
} from './read-manifests.ts';
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
  readonly manifests: Readonly<Record<string, string>>;
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
  readonly extraManifests: Readonly<Record<string, string>>;
}

type DirectoryOutcome =
  | { readonly ok: true; readonly value: ClusterDirectory; readonly diagnostics: readonly ManifestDiagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly ManifestDiagnostic[] };

/** Files in the order in which the installer needs them, and its names for them. */
const ASSETS = {
  'cluster-manifests/pull-secret.yaml': 'Agent PullSecret',
  'cluster-manifests/infraenv.yaml': 'InfraEnv Config',
  'cluster-manifests/nmstateconfig.yaml': 'NMState Config',
  'cluster-manifests/agent-cluster-install.yaml': 'AgentClusterInstall Config',
  'cluster-manifests/cluster-deployment.yaml': 'ClusterDeployment Config',
  'cluster-manifests/cluster-image-set.yaml': 'ClusterImageSet Config',
  'mirror/registries.conf': 'Mirror Registries Config',
  'mirror/ca-bundle.crt': 'Mirror Registries Certificate File',
} as const;

type Asset = keyof typeof ASSETS;

/** What an agent config has a say in. */
const OF_AGENT_CONFIG: readonly Asset[] = [
  'cluster-manifests/infraenv.yaml',
  'cluster-manifests/nmstateconfig.yaml',
  'cluster-manifests/agent-cluster-install.yaml',
];

/**
 * Reads a directory, given as path to text, as the installer reads it before it makes an image.
 *
 * @example readDirectory({ 'cluster-manifests/infraenv.yaml': '…' }, { release: { version: '4.20.3', image: '…' } })
 */
export function readDirectory(files: Readonly<Record<string, string>>, options: DirectoryOptions): DirectoryOutcome {
  return new DirectoryReader(files, options).read();
}

class DirectoryReader {
  readonly #files: Readonly<Record<string, string>>;
  readonly #options: DirectoryOptions;
  readonly #diagnostics: ManifestDiagnostic[] = [];

  constructor(files: Readonly<Record<string, string>>, options: DirectoryOptions) {
    this.#files = files;
    this.#options = options;
  }

  read(): DirectoryOutcome {
    const site = this.#site();
    if (site === 'refused') return { ok: false, diagnostics: this.#diagnostics };
    const texts = this.#texts(site);
    const value = this.#judge(texts, site);
    return value === undefined || this.#hasError()
      ? { ok: false, diagnostics: this.#diagnostics }
      : { ok: true, value, diagnostics: this.#diagnostics };
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

  /** A file on the disk wins, unless what it was made from has changed. */
  #texts(site: Site | undefined): Readonly<Record<string, string>> {
    const rendered = site === undefined ? {} : renderManifests(site, this.#options.release).files;
    const texts: Record<string, string> = {};
    for (const [path, title] of Object.entries(ASSETS)) {
      const own = this.#files[path];
      const isDirty = this.#isDirty(path);
      if (own !== undefined && isDirty) this.#discard(path, title);
      const text = own !== undefined && !isDirty ? own : rendered[path];
      if (text !== undefined) texts[path] = text;
    }
    return texts;
  }

  #isDirty(path: string): boolean {
    const { previous } = this.#options;
    const install = this.#files['install-config.yaml'];
    const agent = this.#files['agent-config.yaml'];
    const hasNewInstall = install !== undefined && install !== previous?.installConfig;
    const hasNewAgent = agent !== undefined && agent !== previous?.agentConfig;
    return hasNewInstall || (hasNewAgent && OF_AGENT_CONFIG.some((one) => one === path));
  }

  #discard(file: string, title: string): void {
    const message = `Discarding the ${title} that was provided in the target directory because its dependencies are dirty and it needs to be regenerated`;
    const cure = 'Remove the install config and the agent config to keep the manifest.';
    this.#take([
      { severity: 'warning', code: 'agent-install/discarded', message, path: [], cure, upstream: true, file },
    ]);
  }

  #fail(file: string, rule: string, message: string, cure: string, origin: 'upstream' | 'ours' = 'upstream'): void {
    const upstream = origin === 'upstream';
    this.#take([{ severity: 'error', code: `agent-install/${rule}`, message, path: [], cure, upstream, file }]);
  }

  /** Runs the reader of a file that must be there. */
  #required<T>(
    path: Asset,
    texts: Readonly<Record<string, string>>,
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

  #judge(texts: Readonly<Record<string, string>>, site: Site | undefined): ClusterDirectory | undefined {
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
    const rendezvousAddress = this.#rendezvous(site, networks.value ?? []);
    const extraManifests = this.#extraManifests();
    if (secret === undefined || infraEnv === undefined || clusterInstall === undefined || deployment === undefined)
      return undefined;
    const networkText = texts[networkFile];
    return {
      site,
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
      rendezvousAddress,
      ...mirrors,
      extraManifests,
    };
  }

  #mirrors(
    texts: Readonly<Record<string, string>>,
  ): Pick<ClusterDirectory, 'registries' | 'registriesConf' | 'caBundle'> {
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

  /** One file a document, keys sorted; empty documents do not count. */
  #extraManifests(): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    const paths = Object.keys(this.#files).filter((path) => /^openshift\/[^/]+\.ya?ml$/.test(path));
    for (const path of paths.sort(compareBytes)) {
      const [, base = '', extension = ''] = /^openshift\/(.+)(\.ya?ml)$/.exec(path) ?? [];
      const reading = readAll(this.#files[path] ?? '', `failed to read ${path}: `, this.#options.mode ?? 'strict');
      if (!reading.ok) {
        this.#take(reading.findings.diagnostics().map((one) => ({ ...one, file: path })));
        continue;
      }
      const roots = reading.documents.flatMap(({ root }) => root ?? []);
      for (const [position, root] of roots.entries()) {
        const value = toPlain(root, goYaml, goKey);
        if (root.kind !== 'mapping')
          this.#fail(
            path,
            'extra-manifest',
            `document ${position} of ${path} is no manifest`,
            'Write a map of keys and values.',
            'ours',
          );
        else if (typeof value === 'object' && value !== null && 'kind' in value && value['kind'] === 'Node')
          this.#fail(
            path,
            'extra-manifest',
            'a Node among the extra manifests breaks the installation: machines register themselves, and the service waits for them',
            'Remove it; label nodes when they are there, or by a MachineConfig.',
            'ours',
          );
        found[`${base}-${position}${extension}`] = writeGoYaml(value);
      }
    }
    return found;
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
