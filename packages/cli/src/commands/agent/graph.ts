import type { Action } from '../../frame/command.ts';

/** The inputs of a new cluster. */
const INPUTS = ['install-config.yaml', 'agent-config.yaml', 'the release'] as const;
const [INSTALL, AGENT, RELEASE] = INPUTS;
const SECRETS = 'new credentials';
const BASE = 'the live image';

const MANIFESTS = 'cluster-manifests';
const MIRROR = 'mirror';
const SETTINGS = "the machines' settings";

/** Outputs → their inputs. The user's files appear only as inputs. */
export const GRAPH: Readonly<Record<string, readonly string[]>> = {
  [`${MANIFESTS}/pull-secret.yaml`]: [INSTALL],
  [`${MANIFESTS}/cluster-deployment.yaml`]: [INSTALL],
  [`${MANIFESTS}/cluster-image-set.yaml`]: [INSTALL, RELEASE],
  [`${MANIFESTS}/agent-cluster-install.yaml`]: [INSTALL, AGENT, RELEASE],
  [`${MANIFESTS}/infraenv.yaml`]: [INSTALL, AGENT],
  [`${MANIFESTS}/nmstateconfig.yaml`]: [INSTALL, AGENT],
  [`${MIRROR}/registries.conf`]: [INSTALL],
  [`${MIRROR}/ca-bundle.crt`]: [INSTALL],
  rendezvousIP: [AGENT, `${MANIFESTS}/nmstateconfig.yaml`],
  [SETTINGS]: [
    `${MANIFESTS}/pull-secret.yaml`,
    `${MANIFESTS}/cluster-deployment.yaml`,
    `${MANIFESTS}/cluster-image-set.yaml`,
    `${MANIFESTS}/agent-cluster-install.yaml`,
    `${MANIFESTS}/infraenv.yaml`,
    `${MANIFESTS}/nmstateconfig.yaml`,
    `${MIRROR}/registries.conf`,
    `${MIRROR}/ca-bundle.crt`,
    'openshift/*.yaml',
    AGENT,
    'rendezvousIP',
    RELEASE,
    SECRETS,
  ],
  'auth/kubeconfig': [SECRETS, `${MANIFESTS}/cluster-deployment.yaml`],
  'auth/kubeadmin-password': [SECRETS],
  'tls/*': [SECRETS],
  'agent.ARCH.iso': [SETTINGS, BASE],
  'boot-artifacts/*': [SETTINGS, BASE],
  'agentconfig.noarch.iso': [SETTINGS],
  'unconfigured-agent.ign': [
    `${MANIFESTS}/pull-secret.yaml`,
    `${MANIFESTS}/infraenv.yaml`,
    `${MANIFESTS}/cluster-image-set.yaml`,
    `${MANIFESTS}/nmstateconfig.yaml`,
    `${MIRROR}/registries.conf`,
    `${MIRROR}/ca-bundle.crt`,
    AGENT,
    RELEASE,
    SECRETS,
  ],
};

/** `coreiso agent graph`. */
export const graph: Action = async (args, terminal) => {
  // A list, not an object: some files have names of secrets, and an object would hide their values.
  const list = Object.entries(GRAPH).map(([file, from]) => ({ file, from }));
  if (args.has('json')) await terminal.printJson(list);
  else await terminal.print(dotText());
  return 0;
};

/** Writes the graph in the DOT language of Graphviz. */
function dotText(): string {
  const edges = Object.entries(GRAPH).flatMap(([made, sources]) =>
    sources.map((source) => `  ${JSON.stringify(source)} -> ${JSON.stringify(made)};\n`),
  );
  return `digraph agent {\n  rankdir=LR;\n  node [shape=box];\n${edges.join('')}}\n`;
}
