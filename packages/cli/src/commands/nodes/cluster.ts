import type { ClusterFacts } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import { Failure } from '../../frame/failure.ts';
import { readSecret } from '../../frame/secret-file.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { joinTakes } from './plan-arguments.ts';

/**
 * Reads `--cluster`, or the live cluster. `--cluster` takes facts or the output of `oc get -o yaml` or `-o json`, in one or
 * many files.
 */
export async function readCluster(args: Arguments, terminal: Terminal): Promise<ClusterFacts | undefined> {
  if (isLive(args)) return (await readLive(args, terminal)).value;
  const given = args.optional('cluster');
  if (given === undefined) return undefined;
  const { readFacts } = await import('../cluster-facts.ts');
  return await readFacts(terminal, given);
}

/** Whether the command reads a live cluster. */
function isLive(args: Arguments): boolean {
  return ['live', 'kubeconfig', 'context'].some((name) => args.has(name));
}

/** The cluster package is loaded on first use. */
const readLive: typeof import('../cluster-access.ts')['readLive'] = async (...given) =>
  (await import('../cluster-access.ts')).readLive(...given);

/** Returns the failure of a command that needs a cluster and got none. */
export function noFacts(): Failure {
  return new Failure('no cluster facts', {
    help: 'pass --cluster FACTS, or --live to read them through the kubeconfig',
  });
}

/** The inputs of a plan: facts, and, if they were read from a live cluster, its tokens. */
export interface PlannedCluster {
  readonly facts: ClusterFacts | undefined;
  readonly tokens: KeptTokens | undefined;
}

/** Objects that may include Secret `agent-auth-token`, and their origin. */
export interface KeptTokens {
  readonly from: string;
  readonly objects: unknown;
}

/** Reads the cluster for a plan, which may need tokens: from the file that `--auth-token` names, or from the live cluster. */
export async function readPlannedCluster(args: Arguments, terminal: Terminal): Promise<PlannedCluster> {
  const file = args.optional('auth-token');
  const kept = file === undefined ? undefined : { from: file, objects: await readSecret(terminal, file) };
  if (!isLive(args)) return { facts: await readCluster(args, terminal), tokens: kept };
  const needsTokens = joinTakes(args.optional('join'), 'credentials') && kept === undefined;
  const { value, objects } = await readLive(args, terminal, { needsTokens });
  return { facts: value, tokens: needsTokens ? { from: 'the cluster', objects } : kept };
}
