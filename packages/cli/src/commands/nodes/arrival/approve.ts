import { type ApprovalVerdict, judgeRequests, readNetworks, readRequest } from '@coreiso/cluster';
import { formatDiagnostics } from '@coreiso/diagnostics';
import type { Action } from '../../../frame/command.ts';
import { isConfirmed, type Question } from '../../../frame/confirm.ts';
import { withCluster } from '../../cluster-access.ts';
import { readHosts } from './planned-hosts.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** `coreiso nodes approve`: shows its checks, asks, and approves only requests that pass. */
export const approve: Action = async (args, terminal) => {
  const hosts = await readHosts(args, terminal);
  if (hosts === undefined) return 1;
  const { signal } = terminal.io;
  const planned = hosts.flatMap(({ nodeName, addresses, dynamicVersions }) =>
    nodeName === undefined ? [] : [{ name: nodeName, addresses, dynamicVersions }],
  );
  if (planned.length === 0)
    throw new Error('no host of the config has a name: requests are recognised by the names of hosts');
  return await withCluster(args, terminal, async (cluster) => {
    const [requests, nodes, networks] = await Promise.all([
      cluster.list(REQUESTS, { signal }),
      cluster.list('/api/v1/nodes', { signal }),
      readNetworks(cluster, { signal }),
    ]);
    const known = networks.ok ? networks.value : undefined;
    const verdicts = await judgeRequests(requests.items.map(readRequest), nodes.items, planned, known);
    const good = verdicts.filter(({ isApprovable }) => isApprovable);
    if (args.has('json')) await terminal.printJson(verdicts.map(verdictData));
    else for (const verdict of verdicts) await terminal.showLines(verdictText(verdict));
    const hasRefusedNames = verdicts.some(({ names }) => names.some(({ origin }) => origin === 'refused'));
    if (!networks.ok && hasRefusedNames) terminal.sayText(formatDiagnostics(networks.diagnostics));
    if (good.length === 0) {
      terminal.say(
        verdicts.length === 0 ? 'No request of a planned node waits for approval.' : 'No request can be approved.',
      );
      return verdicts.length === 0 ? 0 : 1;
    }
    if (!args.has('yes') && !(await isConfirmed(terminal, question(good.length)))) {
      terminal.say('Nothing was approved.');
      return 1;
    }
    for (const { request, node } of good) {
      await cluster.approve(request.object, `${node} is planned`, { signal });
      terminal.say(`approved ${request.name} of ${node}`);
    }
    return good.length === verdicts.length ? 0 : 1;
  });
};

function question(count: number): Question {
  return {
    text: `Approve ${count} request${count === 1 ? '' : 's'}`,
    purpose: 'to approve requests that pass',
    usage: 'coreiso nodes approve --yes [FILE]',
  };
}

function verdictText({ request, node, kind, checks, names, isApprovable, fingerprint }: ApprovalVerdict): string[] {
  const which = kind === 'client' ? 'first' : 'second';
  const rows = checks.map(
    ({ what, passed, found }) => `  ${passed ? 'ok  ' : 'FAIL'} ${what}${passed || found === '' ? '' : `: ${found}`}`,
  );
  const origins = names.map(({ value, reason }) => `  name ${value}: ${reason}`);
  const verdict = isApprovable ? 'can be approved' : 'is refused';
  const lines = [`${request.name}: the ${which} request of ${node} ${verdict}`, ...rows, ...origins];
  return [...lines, `  key  SHA-256 ${fingerprint}`, ''];
}

function verdictData({ request, node, kind, checks, names, isApprovable, fingerprint }: ApprovalVerdict): object {
  return { request: request.name, node, kind, isApprovable, fingerprint, checks, names };
}
