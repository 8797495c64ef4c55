import { type ClusterReading, clusterConcerns, type FactsOptions, readCluster } from '@coreiso/cluster';
import { type ConnectedCluster, clusterFromKubeconfig } from '@coreiso/cluster/node';
import { formatDiagnostics } from '@coreiso/diagnostics';
import type { ClusterFacts } from '@coreiso/nodes-config';
import type { Arguments } from '../frame/arguments.ts';
import { wholeFile } from '../frame/input.ts';
import type { Terminal } from '../frame/terminal.ts';

/** Whether a command was asked to speak to a cluster. */
export function isLive(args: Arguments): boolean {
  return ['live', 'kubeconfig', 'context'].some((name) => args.has(name));
}

/** Runs work with the cluster that the options name. */
export async function withCluster<T>(
  args: Arguments,
  terminal: Terminal,
  work: (cluster: ConnectedCluster) => Promise<T>,
): Promise<T> {
  return await withClusterOf(
    { kubeconfig: args.optional('kubeconfig'), context: args.optional('context') },
    terminal,
    work,
  );
}

/** Runs work with the cluster of a kubeconfig. */
export async function withClusterOf<T>(
  { kubeconfig, context }: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined },
  terminal: Terminal,
  work: (cluster: ConnectedCluster) => Promise<T>,
): Promise<T> {
  const cluster = await clusterFromKubeconfig({
    kubeconfig: kubeconfig && terminal.path(kubeconfig),
    context,
    readFile: (path) => wholeFile(terminal, path),
    env: terminal.io.env as NodeJS.ProcessEnv,
    onWarning: (message) => terminal.say(`warning: ${message}`),
  });
  // Not declared with `await using`: the program runs on Node 20 as it is written.
  try {
    return await work(cluster);
  } finally {
    await cluster[Symbol.asyncDispose]();
  }
}

/** What the cluster says of itself; what stands in the way of new nodes is said at once. */
export async function readLive(
  args: Arguments,
  terminal: Terminal,
  options: FactsOptions = {},
): Promise<ClusterReading & { readonly value: ClusterFacts }> {
  return await withCluster(args, terminal, async (cluster) => {
    const reading = await readCluster(cluster, { ...options, signal: terminal.io.signal });
    const { facts } = reading;
    const findings = formatDiagnostics([...facts.diagnostics, ...clusterConcerns(reading)], { file: cluster.server });
    if (!facts.ok) throw new Error(`the facts of ${cluster.server} cannot be had\n\n${findings}`);
    if (findings !== '') terminal.say(findings.trimEnd());
    return { ...reading, value: facts.value };
  });
}
