import { type HostSummary, monitorNodes } from '@coreiso/cluster';
import { probeKubelet } from '@coreiso/cluster/node';
import { canonicalAddress } from '@coreiso/peers/ip';
import type { Arguments } from '../../../frame/arguments.ts';
import type { Action } from '../../../frame/command.ts';
import { shellWord } from '../../../frame/secret-file.ts';
import { withCluster } from '../../cluster-access.ts';
import { readHosts } from './planned-hosts.ts';
import { jsonLines, lines, summaryText } from './screen.ts';
import { readStatusAccess } from './status-report.ts';
import { readTimeLimit } from './time-limit.ts';

const FAILED = 1;
const TIMED_OUT = 3;
const TIME_LIMIT = '90m';

/** `coreiso nodes monitor`: exits with 0 once all hosts are ready, 1 if one failed, 3 if the time is up. */
export const monitor: Action = async (args, terminal) => {
  const hosts = await readHosts(args, terminal);
  if (hosts === undefined) return FAILED;
  const status = await readStatusAccess(args, terminal);
  const timeLimit = args.optional('timeout') ?? TIME_LIMIT;
  return await withCluster(args, terminal, async (cluster) => {
    const limit = AbortSignal.timeout(readTimeLimit(timeLimit));
    const signal = AbortSignal.any([terminal.io.signal, limit]);
    const nodes = monitorNodes(cluster, hosts, { signal, status, probeKubelet, approveCommand: approveCommand(args) });
    const screen = args.has('json') ? jsonLines(terminal) : lines(terminal, nodes);
    try {
      for await (const event of nodes) await screen.show(event);
      await screen.end();
    } catch (error) {
      await screen.end();
      if (!terminal.io.signal.aborted && !limit.aborted) throw error;
      terminal.sayText(summaryText(nodes.summary(), nodes.elapsed));
      if (terminal.io.signal.aborted) throw error;
      terminal.say(`Not all nodes were ready after ${timeLimit}. Repeat the command to keep watching.`);
      return nodes.summary().some(isFailed) ? FAILED : TIMED_OUT;
    }
    const failed = nodes.summary().filter(isFailed);
    if (failed.length === 0) {
      terminal.say('All nodes are ready.');
      return 0;
    }
    terminal.sayText(summaryText(nodes.summary(), nodes.elapsed));
    terminal.say(`Hosts that need attention: ${failed.map(({ host }) => host).join(', ')}.`);
    return FAILED;
  });
};

/** Returns the command to approve these hosts; none for bare addresses, since `nodes approve` needs names. */
function approveCommand(args: Arguments): string | undefined {
  const given = args.list('FILE|IP');
  if (args.has('ip-addresses') || given.some((word) => canonicalAddress(word) !== undefined)) return undefined;
  const options = ['kubeconfig', 'context'].flatMap((name) => {
    const value = args.optional(name);
    return value === undefined ? [] : [`--${name}`, shellWord(value)];
  });
  return ['coreiso nodes approve', ...options, ...given.map(shellWord)].join(' ');
}

function isFailed({ stage }: HostSummary): boolean {
  return stage === 'failed';
}
