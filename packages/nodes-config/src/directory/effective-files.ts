// Which text of a file counts: the one on disk, or the one that is made from the install config and the agent config.

import type { NMStateConfig } from '../documents/types.ts';
import type { Manifest } from '../documents/written-manifests.ts';
import type { InstallSources } from '../install-files/install-files.ts';
import type { WrittenManifests } from '../manifests/render.ts';
import type { FileDiagnostic } from '../text/config-findings.ts';
import type { Texts } from './cluster-directory.ts';
import type { FindingCollector } from './finding-collector.ts';

/** The file with the networks of hosts, one document each. */
export const NETWORKS = 'cluster-manifests/nmstateconfig.yaml';

/** Files in the order in which the installer needs them, with its names for them. */
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

/** A file that the installer makes, or reads from the directory. */
export type Asset = keyof typeof ASSETS;

/** Files that depend on the agent config. */
const OF_AGENT_CONFIG: readonly string[] = [
  'cluster-manifests/infraenv.yaml',
  'cluster-manifests/nmstateconfig.yaml',
  'cluster-manifests/agent-cluster-install.yaml',
] satisfies Asset[];

/** The files of a directory that the installer uses. */
export interface EffectiveFiles {
  readonly texts: Texts;
  /** Paths of existing files that do not count, because their sources have changed and now produce another text. */
  readonly replaced: readonly string[];
  /** Files of the directory that count unchanged. */
  readonly own: ReadonlySet<string>;
  /** The manifests of files whose text is exactly the one just written. */
  readonly written: Readonly<Record<string, Manifest>>;
  /** The networks, if they are those just written. */
  readonly networks: readonly NMStateConfig[] | undefined;
}

/** A file on disk wins unless its sources have changed. */
export function effectiveFiles(
  files: Texts,
  rendered: WrittenManifests | undefined,
  previous: InstallSources | undefined,
  collector: FindingCollector,
): EffectiveFiles {
  const texts: Record<string, string> = {};
  const own = new Set(Object.keys(files));
  const replaced: string[] = [];
  for (const path of Object.keys(ASSETS)) {
    const given = files[path];
    const isDirty = given !== undefined && hasChangedFor(path, files, previous);
    const text = isDirty || given === undefined ? rendered?.files[path] : given;
    if (text !== undefined) texts[path] = text;
    if (!isDirty) continue;
    own.delete(path);
    if (text !== given) replaced.push(path);
  }
  // Findings about files that are made again; the others are checked by their own text.
  const isMade = ({ code }: FileDiagnostic): boolean =>
    !own.has(code === 'nodes-config/trust-bundle' ? 'mirror/ca-bundle.crt' : 'mirror/registries.conf');
  collector.take((rendered?.diagnostics ?? []).filter(isMade));
  const isAsWritten = (path: string): boolean => texts[path] === rendered?.files[path];
  const written = Object.entries(rendered?.manifests ?? {}).filter(([path]) => isAsWritten(path));
  const networks = isAsWritten(NETWORKS) ? rendered?.networks : undefined;
  return { texts, replaced, own, written: Object.fromEntries(written), networks };
}

/** The installer reports discarded files while it reads the directory. */
export function reportDiscarded(files: Texts, previous: InstallSources | undefined, collector: FindingCollector): void {
  for (const [path, title] of Object.entries(ASSETS)) {
    if (files[path] === undefined || !hasChangedFor(path, files, previous)) continue;
    const message = `Discarding the ${title} that was provided in the target directory because its dependencies are dirty and it needs to be regenerated`;
    const help = 'Remove the install config and the agent config to keep the manifest.';
    collector.warn({ file: path, rule: 'discarded', message, help });
  }
}

function hasChangedFor(path: string, files: Texts, previous: InstallSources | undefined): boolean {
  const install = files['install-config.yaml'];
  const agent = files['agent-config.yaml'];
  const hasNewInstall = install !== undefined && install !== previous?.installConfig;
  const hasNewAgent = agent !== undefined && agent !== previous?.agentConfig;
  return hasNewInstall || (hasNewAgent && OF_AGENT_CONFIG.includes(path));
}
