import { type ClusterReading, clusterConcerns, type FactsOptions, readCluster } from '@coreiso/cluster';
import { type ConnectedCluster, clusterFromKubeconfig } from '@coreiso/cluster/node';
import { formatDiagnostics } from '@coreiso/diagnostics';
import type { ClusterFacts } from '@coreiso/nodes-config';
import type { Arguments } from '../frame/arguments.ts';
import { wholeFile } from '../frame/input.ts';
import { warnIfShared } from '../frame/secret-file.ts';
import { parseSize } from '../frame/size.ts';
import type { Terminal } from '../frame/terminal.ts';
import { UsageError } from '../frame/usage.ts';

/** The largest accepted answer, if the environment sets it. */
export function maxAnswerBytes({ io }: Terminal): number | undefined {
  const given = io.env['COREISO_MAX_ANSWER'] || undefined;
  if (given === undefined) return undefined;
  try {
    return parseSize(given);
  } catch (error) {
    throw new UsageError(`COREISO_MAX_ANSWER: ${error instanceof Error ? error.message : error}`);
  }
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
    readFile: (path, limit) => wholeFile(terminal, path, limit),
    maxAnswerBytes: maxAnswerBytes(terminal),
    env: terminal.io.env as NodeJS.ProcessEnv,
    onWarning: (message) => terminal.say(`warning: ${message}`),
    onSecretFile: (path) => warnIfShared(terminal, path),
  });
  // Not `await using`: Node 20 runs this code as it is written.
  try {
    return await work(cluster);
  } finally {
    await cluster[Symbol.asyncDispose]();
  }
}

/** Reads the facts of a cluster, and reports at once everything that blocks new nodes. */
export async function readLive(
  args: Arguments,
  terminal: Terminal,
  options: FactsOptions = {},
): Promise<ClusterReading & { readonly value: ClusterFacts }> {
  return await withCluster(args, terminal, async (cluster) => {
    const reading = await readCluster(cluster, { ...options, signal: terminal.io.signal });
    const { facts } = reading;
    const findings = formatDiagnostics([...facts.diagnostics, ...clusterConcerns(reading)], { file: cluster.server });
    if (!facts.ok) throw new Error(`could not read cluster facts from ${cluster.server}\n\n${findings}`);
    if (findings !== '') terminal.sayText(findings.trimEnd());
    return { ...reading, value: facts.value };
  });
}
