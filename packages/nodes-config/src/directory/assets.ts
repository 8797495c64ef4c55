// Which text of a file counts: the one on the disk, or the one that is made from the install config and the agent config.
import type { InstallSources } from '../install-files/install-files.ts';

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

/** A file that the installer makes, or takes from the directory. */
export type Asset = keyof typeof ASSETS;

/** What an agent config has a say in. */
const OF_AGENT_CONFIG: readonly string[] = [
  'cluster-manifests/infraenv.yaml',
  'cluster-manifests/nmstateconfig.yaml',
  'cluster-manifests/agent-cluster-install.yaml',
] satisfies Asset[];

/** Path or name of a file → its text. */
export type Texts = Readonly<Record<string, string>>;

interface Standing {
  readonly texts: Texts;
  /** Files on the disk that do not count, and upstream's names for them. */
  readonly discarded: readonly { readonly path: string; readonly title: string }[];
}

/** A file on the disk wins, unless what it was made from has changed. */
export function standingTexts(files: Texts, rendered: Texts, previous: InstallSources | undefined): Standing {
  const texts: Record<string, string> = {};
  const discarded: { path: string; title: string }[] = [];
  for (const [path, title] of Object.entries(ASSETS)) {
    const own = files[path];
    const isDirty = hasChangedFor(path, files, previous);
    if (own !== undefined && isDirty) discarded.push({ path, title });
    const text = own !== undefined && !isDirty ? own : rendered[path];
    if (text !== undefined) texts[path] = text;
  }
  return { texts, discarded };
}

function hasChangedFor(path: string, files: Texts, previous: InstallSources | undefined): boolean {
  const install = files['install-config.yaml'];
  const agent = files['agent-config.yaml'];
  const hasNewInstall = install !== undefined && install !== previous?.installConfig;
  const hasNewAgent = agent !== undefined && agent !== previous?.agentConfig;
  return hasNewInstall || (hasNewAgent && OF_AGENT_CONFIG.includes(path));
}
