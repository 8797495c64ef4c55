// Reads and checks the manifests of a directory in the order in which the installer reads them.
import { writeGoYaml } from '@coreiso/diagnostics';
import type { NMStateConfig } from '../documents/types.ts';
import { type ReleaseImage, shownVersion } from '../manifests/release.ts';
import type { Mode } from '../text/config-findings.ts';
import type { ConfigSource } from '../text/read-text.ts';
import type { JudgedManifests, JudgedUnconfigured } from './cluster-directory.ts';
import { readClusterInstall } from './cluster-install.ts';
import { type Asset, type EffectiveFiles, NETWORKS } from './effective-files.ts';
import type { FindingCollector } from './finding-collector.ts';
import { judgeMirrors } from './mirrors.ts';
import type { Reading } from './read-manifest.ts';
import {
  checkLabels,
  readClusterDeployment,
  readClusterImageSet,
  readInfraEnv,
  readNetworks,
  readPullSecret,
} from './site-manifests.ts';

type ManifestReader<T> = (file: string, source: ConfigSource) => Reading<T>;

/** Undefined if one of them cannot be used; findings report why. */
export function judgeManifests(
  effective: EffectiveFiles,
  { mode, release }: JudgeOptions,
  collector: FindingCollector,
): JudgedManifests | undefined {
  const { texts } = effective;
  const { optional, required } = readersOf(effective, 'Add it, or an install-config.yaml.', collector);
  const secret = required('cluster-manifests/pull-secret.yaml', (file, source) => readPullSecret(file, source, mode));
  const infraEnv = required('cluster-manifests/infraenv.yaml', (file, source) => readInfraEnv(file, source, mode));
  const networks = effectiveNetworks(effective, mode, collector);
  const clusterInstall = required('cluster-manifests/agent-cluster-install.yaml', (file, source) =>
    readClusterInstall(file, source, mode),
  );
  const deployment = required('cluster-manifests/cluster-deployment.yaml', (file, source) =>
    readClusterDeployment(file, source, mode, clusterInstall?.platformType ?? 'None'),
  );
  const imageSetText = texts['cluster-manifests/cluster-image-set.yaml'] ?? clusterImageSet(release);
  optional('cluster-manifests/cluster-image-set.yaml', imageSetText, (file, source) =>
    readClusterImageSet(file, source, release.image, mode),
  );
  if (infraEnv !== undefined && networks !== undefined)
    collector.take(checkLabels('cluster-manifests/infraenv.yaml', infraEnv.labels, networks));
  const mirrors = judgeMirrors(effective, release.image, collector);
  if (secret === undefined || infraEnv === undefined || clusterInstall === undefined || deployment === undefined)
    return undefined;
  const networkText = texts[NETWORKS];
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
    networks: networks ?? [],
    domain: deployment.domain,
    pullSecret: secret.secret,
    ...mirrors,
  };
}

/** Like `judgeManifests`, for the manifests of an image that is not tied to a site. */
export function judgeUnconfigured(
  effective: EffectiveFiles,
  { mode, release }: JudgeOptions,
  collector: FindingCollector,
): JudgedUnconfigured | undefined {
  const { texts } = effective;
  const help = '`coreiso agent create cluster-manifests` writes it.';
  const { optional, required } = readersOf(effective, help, collector);
  const infraEnv = required('cluster-manifests/infraenv.yaml', (file, source) => readInfraEnv(file, source, mode));
  const secret = required('cluster-manifests/pull-secret.yaml', (file, source) => readPullSecret(file, source, mode));
  const imageSetText = texts['cluster-manifests/cluster-image-set.yaml'] ?? clusterImageSet(release);
  optional('cluster-manifests/cluster-image-set.yaml', imageSetText, (file, source) =>
    readClusterImageSet(file, source, release.image, mode),
  );
  const networks = effectiveNetworks(effective, mode, collector);
  const mirrors = judgeMirrors(effective, release.image, collector);
  if (secret === undefined || infraEnv === undefined) return undefined;
  return {
    manifests: {
      'cluster-image-set.yaml': imageSetText,
      'infraenv.yaml': infraEnv.text,
      'pull-secret.yaml': secret.text,
    },
    infraEnv,
    networks: networks ?? [],
    pullSecret: secret.secret,
    ...mirrors,
  };
}

interface JudgeOptions {
  readonly mode: Mode;
  readonly release: ReleaseImage;
}

/** Functions that read an optional manifest and a required one. */
function readersOf(effective: EffectiveFiles, help: string, collector: FindingCollector) {
  const optional = <T>(path: Asset, text: string, read: ManifestReader<T>): T | undefined => {
    const { value, diagnostics } = readEffective(path, text, effective, read);
    collector.take(diagnostics);
    return value;
  };
  const required = <T>(path: Asset, read: ManifestReader<T>): T | undefined => {
    const text = effective.texts[path];
    if (text !== undefined) return optional(path, text, read);
    collector.fail({ file: path, rule: 'missing', message: 'missing configuration or manifest file', help });
    return undefined;
  };
  return { optional, required };
}

/** A text that has just been written is parsed only if a finding needs its lines. */
function readEffective<T>(path: Asset, text: string, { written }: EffectiveFiles, read: ManifestReader<T>): Reading<T> {
  const manifest = written[path];
  const reading = manifest && read(path, manifest);
  return reading === undefined || reading.diagnostics.length > 0 ? read(path, text) : reading;
}

/** Networks that have just been written were checked in their source file. */
function effectiveNetworks(
  { texts, networks }: EffectiveFiles,
  mode: Mode,
  collector: FindingCollector,
): readonly NMStateConfig[] | undefined {
  const text = texts[NETWORKS];
  if (networks !== undefined || text === undefined) return networks ?? [];
  const { value, diagnostics } = readNetworks(NETWORKS, text, mode);
  collector.take(diagnostics);
  return value;
}

/** The installer makes this manifest if it is missing. */
function clusterImageSet({ version, image }: ReleaseImage): string {
  return writeGoYaml({
    apiVersion: 'hive.openshift.io/v1',
    kind: 'ClusterImageSet',
    metadata: { name: `openshift-${shownVersion(version)}` },
    spec: { releaseImage: image },
    status: {},
  });
}
