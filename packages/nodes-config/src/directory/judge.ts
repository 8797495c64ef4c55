// What the manifests of a directory say, each judged when the installer would come to it.
import { writeGoYaml } from '@coreiso/diagnostics';
import type { NMStateConfig } from '../documents/types.ts';
import { type ReleaseImage, shownVersion } from '../manifests/release.ts';
import type { Mode } from '../text/config-findings.ts';
import type { ConfigSource } from '../text/read-text.ts';
import type { JudgedManifests, JudgedUnconfigured } from './cluster-directory.ts';
import { readClusterInstall } from './cluster-install.ts';
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
import { type Asset, NETWORKS, type Standing } from './standing.ts';
import type { Told } from './told.ts';

type ManifestReader<T> = (file: string, source: ConfigSource) => Reading<T>;

/** Undefined where one of them cannot be used; findings tell why. */
export function judgeManifests(
  standing: Standing,
  { mode, release }: JudgeOptions,
  told: Told,
): JudgedManifests | undefined {
  const { texts } = standing;
  const { optional, required } = readersOf(standing, 'Add it, or an install-config.yaml.', told);
  const secret = required('cluster-manifests/pull-secret.yaml', (file, source) => readPullSecret(file, source, mode));
  const infraEnv = required('cluster-manifests/infraenv.yaml', (file, source) => readInfraEnv(file, source, mode));
  const networks = standingNetworks(standing, mode, told);
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
    told.take(checkLabels('cluster-manifests/infraenv.yaml', infraEnv.labels, networks));
  const mirrors = judgeMirrors(standing, release.image, told);
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

/** The same of the manifests that an image is made from which knows no site. */
export function judgeUnconfigured(
  standing: Standing,
  { mode, release }: JudgeOptions,
  told: Told,
): JudgedUnconfigured | undefined {
  const { texts } = standing;
  const help = '`coreiso agent create cluster-manifests` writes it.';
  const { optional, required } = readersOf(standing, help, told);
  const infraEnv = required('cluster-manifests/infraenv.yaml', (file, source) => readInfraEnv(file, source, mode));
  const secret = required('cluster-manifests/pull-secret.yaml', (file, source) => readPullSecret(file, source, mode));
  const imageSetText = texts['cluster-manifests/cluster-image-set.yaml'] ?? clusterImageSet(release);
  optional('cluster-manifests/cluster-image-set.yaml', imageSetText, (file, source) =>
    readClusterImageSet(file, source, release.image, mode),
  );
  const networks = standingNetworks(standing, mode, told);
  const mirrors = judgeMirrors(standing, release.image, told);
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

/** Read the text of a manifest, and one that has to be there. */
function readersOf(standing: Standing, help: string, told: Told) {
  const optional = <T>(path: Asset, text: string, read: ManifestReader<T>): T | undefined => {
    const { value, diagnostics } = readStanding(path, text, standing, read);
    told.take(diagnostics);
    return value;
  };
  const required = <T>(path: Asset, read: ManifestReader<T>): T | undefined => {
    const text = standing.texts[path];
    if (text !== undefined) return optional(path, text, read);
    told.fail({ file: path, rule: 'missing', message: 'missing configuration or manifest file', help });
    return undefined;
  };
  return { optional, required };
}

/** A text that has just been written is parsed only where something is to be said of its lines. */
function readStanding<T>(path: Asset, text: string, { written }: Standing, read: ManifestReader<T>): Reading<T> {
  const manifest = written[path];
  const reading = manifest && read(path, manifest);
  return reading === undefined || reading.diagnostics.length > 0 ? read(path, text) : reading;
}

/** Networks that have just been written were judged where they come from. */
function standingNetworks({ texts, networks }: Standing, mode: Mode, told: Told): readonly NMStateConfig[] | undefined {
  const text = texts[NETWORKS];
  if (networks !== undefined || text === undefined) return networks ?? [];
  const { value, diagnostics } = readNetworks(NETWORKS, text, mode);
  told.take(diagnostics);
  return value;
}

/** The installer makes this manifest where it is missing. */
function clusterImageSet({ version, image }: ReleaseImage): string {
  return writeGoYaml({
    apiVersion: 'hive.openshift.io/v1',
    kind: 'ClusterImageSet',
    metadata: { name: `openshift-${shownVersion(version)}` },
    spec: { releaseImage: image },
    status: {},
  });
}
