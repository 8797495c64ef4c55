import type { ClusterFacts } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import { Failure } from '../../frame/failure.ts';
import { readSecret } from '../../frame/secret-file.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { joinTakes } from './plan-arguments.ts';

/** The `--cluster` of a command: facts, or what `oc get -o yaml` and `-o json` printed, in one file or many; or the live cluster. */
export async function readCluster(args: Arguments, terminal: Terminal): Promise<ClusterFacts | undefined> {
  if (isLive(args)) return (await readLive(args, terminal)).value;
  const given = args.optional('cluster');
  if (given === undefined) return undefined;
  const { readFacts } = await import('../cluster-facts.ts');
  return await readFacts(terminal, given);
}

/** Whether a command was asked to speak to a cluster. */
function isLive(args: Arguments): boolean {
  return ['live', 'kubeconfig', 'context'].some((name) => args.has(name));
}

/** The cluster package is loaded on first use. */
const readLive: typeof import('../cluster-access.ts')['readLive'] = async (...given) =>
  (await import('../cluster-access.ts')).readLive(...given);

/** A command that is about a cluster, and was told of none. */
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

/** Objects among which Secret `agent-auth-token` is, if there is one, and whose they are. */
export interface KeptTokens {
  readonly from: string;
  readonly objects: unknown;
}

/** The same for a plan, which may need tokens: of the file that `--auth-token` names, or of the live cluster. */
export async function readPlannedCluster(args: Arguments, terminal: Terminal): Promise<PlannedCluster> {
  const file = args.optional('auth-token');
  const kept = file === undefined ? undefined : { from: file, objects: await readSecret(terminal, file) };
  if (!isLive(args)) return { facts: await readCluster(args, terminal), tokens: kept };
  const needsTokens = joinTakes(args.optional('join'), 'credentials') && kept === undefined;
  const { value, objects } = await readLive(args, terminal, { needsTokens });
  return { facts: value, tokens: needsTokens ? { from: 'the cluster', objects } : kept };
}
