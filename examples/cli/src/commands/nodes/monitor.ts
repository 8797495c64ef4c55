import {
  type ExpectedHost,
  expectedHosts,
  type HostSummary,
  hostsAt,
  type MonitorEvent,
  monitorNodes,
} from '@coreiso/cluster';
import { probeKubelet } from '@coreiso/cluster/node';
import { canonicalAddress } from '@coreiso/diagnostics/ip';
import { parseNodesConfig, planHosts } from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { withCluster } from '../cluster-access.ts';
import { showConfigFindings } from './config-file.ts';

const TIMED_OUT = 3;

/** `coreiso nodes monitor`: exit 0 once all are ready, 1 where one failed, 3 where the time is up. */
export const monitor: Action = async (args, terminal) => {
  const hosts = await readHosts(args, terminal);
  if (hosts === undefined) return 1;
  return await withCluster(args, terminal, async (cluster) => {
    const limit = AbortSignal.timeout(minutes(args) * 60_000);
    const nodes = monitorNodes(cluster, hosts, { signal: AbortSignal.any([terminal.io.signal, limit]), probeKubelet });
    const screen = args.has('json') ? jsonLines(terminal) : table(terminal, () => nodes.summary());
    try {
      for await (const event of nodes) await screen(event);
      if (!args.has('json')) terminal.say('All nodes are ready.');
      return 0;
    } catch (error) {
      if (!terminal.io.signal.aborted && !limit.aborted) throw error;
      terminal.say(summaryText(nodes.summary()));
      if (terminal.io.signal.aborted) throw error;
      terminal.say(`Not all nodes were ready after ${minutes(args)} minutes.`);
      return nodes.summary().some(({ stage }) => stage === 'failed') ? 1 : TIMED_OUT;
    }
  });
};

function minutes(args: Arguments): number {
  return Number(args.optional('timeout') ?? 90);
}

/** Hosts of a config, or addresses. */
export async function readHosts(args: Arguments, terminal: Terminal): Promise<readonly ExpectedHost[] | undefined> {
  const given = args.list('FILE|IP');
  if (given.length > 0 && given.every((word) => canonicalAddress(word) !== undefined)) return hostsAt(given);
  const [name = 'nodes-config.yaml', more] = given;
  if (more !== undefined) throw new Error(`${more} is not an IP address; give one FILE, or addresses only`);
  const file = { name, bytes: await readNamed(terminal, name) };
  const config = parseNodesConfig(file.bytes, { mode: 'compatible' });
  if (!config.ok) {
    showConfigFindings(terminal, file, config.diagnostics);
    return undefined;
  }
  return expectedHosts(
    planHosts(config.value, { join: 'network-only' }),
    Object.fromEntries(args.list('address').map(splitAddress)),
  );
}

function splitAddress(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

type Screen = (event: MonitorEvent) => Promise<void>;

function jsonLines(terminal: Terminal): Screen {
  return (event) => terminal.print(`${JSON.stringify(event)}\n`);
}

/** Lines of what happens; on a terminal with the state of all hosts below them. */
function table(terminal: Terminal, summary: () => readonly HostSummary[]): Screen {
  let shown = 0;
  return async (event) => {
    const isWatched = terminal.io.stdout.isTTY === true;
    const wipe = isWatched && shown > 0 ? `\u001b[${shown}A\u001b[J` : '';
    const below = isWatched ? `\n${summaryText(summary())}\n` : '';
    shown = below === '' ? 0 : below.split('\n').length - 1;
    await terminal.print(`${wipe}${lineText(event)}\n${below}`);
  };
}

function lineText({ at, host, level, message, command }: MonitorEvent): string {
  const mark = level === 'warning' ? 'warning: ' : '';
  return `${duration(at)} ${host}: ${mark}${message}${command === undefined ? '' : `\n    ${command}`}`;
}

function summaryText(hosts: readonly HostSummary[]): string {
  const rows = hosts.map(({ host, address = '-', stage, waitsFor, since }) => [
    host,
    address,
    stage,
    waitsFor,
    `since ${duration(since)}`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `1:05:09` since the start. */
function duration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}
