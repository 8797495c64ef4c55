import { parseInstallConfig, topologyOf } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { Failure } from '../../frame/failure.ts';
import { showFindings } from '../../frame/show-findings.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { columns } from '../nodes/profiles.ts';
import { readSiteDirectory } from './directory.ts';

interface Machines {
  readonly counts: Parameters<typeof topologyOf>[0];
  readonly platform: string;
  readonly cpuPartitioningMode: string | undefined;
}

/** Whether the routers of a single node need a load balancer once it has workers. */
const LOAD_BALANCER = { none: 'not needed', provided: 'needed, and provided by the platform' } as const;

/** `coreiso agent topology`. */
export const topology: Action = async (args, terminal) => {
  const machines = args.has('dir') ? await fromDirectory(args, terminal) : fromArguments(args);
  if (machines === undefined) return 1;
  const { counts, platform, cpuPartitioningMode } = machines;
  const addedWorkers = Number(args.optional('added-workers') ?? 0);
  const { proposed, ...found } = topologyOf(counts, platform, { cpuPartitioningMode, addedWorkers });
  const differences = proposed?.differences ?? [];
  if (args.has('json')) {
    const loadBalancer = proposed === undefined ? {} : { loadBalancer: proposed.loadBalancer };
    await terminal.printJson({ ...found, ...loadBalancer, differencesFromProposal: differences });
    return 0;
  }
  const rows = columns(
    [
      ['Control plane', found.controlPlane],
      ['Infrastructure', found.infrastructure],
      ['Ingress', found.ingressPlacement],
      ['Masters take workloads', found.mastersSchedulable ? 'yes' : 'no'],
      ['CPU partitioning', found.cpuPartitioning],
      ...(proposed === undefined ? [] : [['Load balancer', LOAD_BALANCER[proposed.loadBalancer]] as const]),
    ],
    '',
  );
  const notes = differences.map((difference) => `\n${difference}`).join('');
  await terminal.showText(`${rows}\n${notes === '' ? '' : `${notes}\n`}`);
  return 0;
};

function fromArguments(args: Arguments): Machines {
  const count = (name: string, missing: number): number => Number(args.optional(name) ?? missing);
  return {
    counts: { controlPlane: count('control-plane', 3), arbiter: count('arbiters', 0), compute: count('workers', 0) },
    platform: args.optional('platform') ?? 'none',
    cpuPartitioningMode: args.optional('cpu-partitioning'),
  };
}

async function fromDirectory(args: Arguments, terminal: Terminal): Promise<Machines | undefined> {
  const { files, state } = await readSiteDirectory(args, terminal);
  const text = files['install-config.yaml'] ?? state?.consumed?.['install-config.yaml'];
  if (text === undefined)
    throw new Failure('cannot tell the topology: there is no install-config.yaml', {
      help: 'pass --control-plane and --platform instead of --dir',
    });
  const outcome = parseInstallConfig(text, { mode: 'compatible', environment: terminal.io.env });
  if (!outcome.ok) {
    showFindings(terminal, outcome.diagnostics, text, 'install-config.yaml');
    return undefined;
  }
  const { controlPlane, arbiter, compute, platform, cpuPartitioningMode } = outcome.value.values;
  const name = Object.entries(platform).find(([, values]) => values !== undefined)?.[0] ?? '';
  return {
    counts: {
      controlPlane: controlPlane?.replicas ?? 0,
      arbiter: arbiter?.replicas ?? 0,
      compute: compute.reduce((sum, { replicas = 0 }) => sum + replicas, 0),
    },
    // If another platform is set too, `none` still decides about ingress.
    platform: platform.none === undefined ? name : 'none',
    cpuPartitioningMode,
  };
}
