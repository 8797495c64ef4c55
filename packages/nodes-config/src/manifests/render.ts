import { type Path, writeGoYaml } from '@coreiso/diagnostics';
import type { NMStateConfig } from '../documents/types.ts';
import { type Manifest, nmStateConfigText } from '../documents/written-manifests.ts';
import { registriesConf } from '../facts/mirrors.ts';
import { type InstallFiles, requireInstallFiles } from '../install-files/install-files.ts';
import { configDiagnostic, type Rule } from '../text/codes.ts';
import type { FileDiagnostic } from '../text/config-findings.ts';
import { ClusterManifests } from './cluster-manifests.ts';
import { caBundleText, mirrorsOf, unmatchedRelease, weakCertificates } from './mirror-files.ts';
import { type ReleaseImage, requireRelease } from './release.ts';

/** The files of a new cluster with their source values, so that they need not be read again. */
export interface WrittenManifests {
  /** Path below the directory → text; they contain the pull secret and may contain passwords. */
  readonly files: Readonly<Record<string, string>>;
  readonly diagnostics: readonly FileDiagnostic[];
  /** Path below the directory → the manifest; without those of the networks, which share one file. */
  readonly manifests: Readonly<Record<string, Manifest>>;
  /** The manifests of the networks, as reading their file returns them. */
  readonly networks: readonly NMStateConfig[];
}

/**
 * The files that `agent create cluster-manifests` writes for a new cluster, path to text, with the same bytes, and the messages
 * of the installer. They contain the pull secret and may contain passwords.
 *
 * @example renderManifests(installFiles, { version: '4.20.3', image: 'quay.example.test/ocp/release:4.20.3-x86_64' }).files['cluster-manifests/infraenv.yaml']
 */
export function renderManifests(
  installFiles: InstallFiles,
  release: ReleaseImage,
): { readonly files: Readonly<Record<string, string>>; readonly diagnostics: readonly FileDiagnostic[] } {
  const { files, diagnostics } = writeManifests(installFiles, release);
  return { files, diagnostics };
}

/** Like `renderManifests`, and returns the manifests that the texts were written from. */
export function writeManifests(installFiles: InstallFiles, release: ReleaseImage): WrittenManifests {
  requireInstallFiles('installFiles', installFiles);
  requireRelease(release);
  const { values } = installFiles.installConfig;
  const cluster = new ClusterManifests(installFiles, release);
  const hostNetworks = cluster.hostNetworks();
  const networks = nmStateConfigText(hostNetworks);
  const manifests = {
    'cluster-manifests/agent-cluster-install.yaml': cluster.agentClusterInstall(),
    'cluster-manifests/cluster-deployment.yaml': cluster.clusterDeployment(),
    'cluster-manifests/cluster-image-set.yaml': cluster.clusterImageSet(),
    'cluster-manifests/infraenv.yaml': cluster.infraEnv(),
    'cluster-manifests/pull-secret.yaml': cluster.pullSecret(),
  };
  const texts = Object.entries(manifests).map(([path, manifest]) => [path, writeGoYaml(manifest)]);
  return {
    manifests,
    files: {
      ...Object.fromEntries(texts),
      ...(networks === undefined ? {} : { 'cluster-manifests/nmstateconfig.yaml': networks }),
      'mirror/ca-bundle.crt': caBundleText(values.additionalTrustBundle),
      'mirror/registries.conf': registriesConf(mirrorsOf(values)),
    },
    networks: hostNetworks.map(({ name, labels, host: { interfaces, networkConfig } }) => {
      const { source } = installFiles.agentConfig;
      return { name, namespace: values.metadata.namespace, labels, interfaces, config: networkConfig, source };
    }),
    diagnostics: mirrorFindings(installFiles, release),
  };
}

/** The installer's messages about the files of `mirror/`. */
function mirrorFindings(
  { installConfig: { values, source } }: InstallFiles,
  { image }: ReleaseImage,
): FileDiagnostic[] {
  const warn = (rule: Rule, message: string, path: Path, help: string): FileDiagnostic => {
    const finding = { severity: 'warning', code: `nodes-config/${rule}`, message, path, help } as const;
    return { ...configDiagnostic(finding, source.locate(path)), upstream: true, file: 'install-config.yaml' };
  };
  const unmatched = unmatchedRelease(values, image);
  const sources = [values.imageDigestSources.length > 0 ? 'imageDigestSources' : 'imageContentSources'];
  const help = 'Add an entry whose `source` is the release image without its digest.';
  return [
    ...(unmatched === undefined ? [] : [warn('mirrors', unmatched, sources, help)]),
    ...weakCertificates(values.additionalTrustBundle).map((message) =>
      warn('trust-bundle', message, ['additionalTrustBundle'], 'Take the certificate of the authority that signed it.'),
    ),
  ];
}
