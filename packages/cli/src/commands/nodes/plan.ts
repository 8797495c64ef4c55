import { type DrawnNetwork, drawNetworks, linksOf } from '@coreiso/nmstate/forms';
import {
  type HostPlans,
  type Machine,
  type NodesConfig,
  parseNodesConfig,
  simulateBoot,
  splitMessages,
} from '@coreiso/nodes-config';
import { type NodesPlan, outlineBoots, planNodes } from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { parseValues } from '../../frame/values.ts';
import { readPlannedCluster } from './cluster.ts';
import { configFindingData, readConfigFile, showConfigFindings, withConfigLines } from './config-file.ts';
import { planOptions, readStatusToken } from './plan-options.ts';
import { bootText, planText } from './plan-text.ts';

/** `coreiso nodes plan`: validates as upstream does. */
export const plan: Action = async (args, terminal) => {
  const file = await readConfigFile(args, terminal);
  const planned = await readPlannedCluster(args, terminal);
  const machines = await readMachines(args, terminal);
  const config = parseNodesConfig(file.bytes, { cluster: planned.facts, mode: 'compatible' });
  const statusToken = await readStatusToken(args, terminal, 'new');
  const options = { ...(await planOptions(args, terminal, planned)), statusToken };
  const hosts = config.ok ? planNodes(config.value, options) : undefined;
  const findings = config.ok
    ? [...config.diagnostics, ...withConfigLines(hosts?.diagnostics ?? [], config.value)]
    : config.diagnostics;
  if (args.has('json')) {
    await terminal.printJson({
      ...splitMessages(config.diagnostics),
      diagnostics: findings.map(configFindingData),
      ...planData(hosts, machines),
    });
  } else {
    showConfigFindings(terminal, file, findings);
    if (config.ok && args.has('svg')) await terminal.print(drawNetworks(drawnHosts(config.value)));
    else if (hosts !== undefined) {
      const boots = machines.map((machine) => bootText(machine, simulateBoot(hosts, machine)));
      await terminal.showText([planText(hosts), ...boots].join('\n'));
    }
  }
  return config.ok ? 0 : 1;
};

/** Returns the hosts to draw, each with its future name; a host without a network gets its addresses from the site. */
function drawnHosts({ hosts }: NodesConfig): DrawnNetwork[] {
  return hosts.map(({ hostname, networkConfig }, index) => ({
    title: hostname === '' ? `host ${index}` : hostname,
    links: networkConfig === undefined ? [] : linksOf({ node: networkConfig.node }),
  }));
}

function planData(hosts: NodesPlan | undefined, machines: readonly Machine[]): object {
  if (hosts === undefined) return { files: [], boots: [] };
  return {
    join: hosts.join,
    expires: hosts.expires,
    hosts: hosts.hosts.map((host) => ({ name: host.name, path: host.path, ...outlineBoots(hosts, host) })),
    files: hosts.files.map((file) => ({ ...file, mode: octal(file.mode) })),
    boots: machines.map((machine) => bootData(hosts, machine)),
  };
}

/** Returns a boot for `--json`. */
export function bootData(hosts: HostPlans, machine: Machine): object {
  const { host, matched, directory, files, diagnostics } = simulateBoot(hosts, machine);
  return {
    host: host?.name ?? null,
    matched: matched.map(({ name }) => name),
    directory,
    files: files?.map((file) => ({ ...file, mode: octal(file.mode) })) ?? null,
    diagnostics: diagnostics.map(configFindingData),
  };
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

/** Reads the machines of `--machines`, whose boots are simulated. */
export async function readMachines(args: Arguments, terminal: Terminal): Promise<Machine[]> {
  const file = args.optional('machines');
  if (file === undefined) return [];
  return parseValues(await readNamed(terminal, file), file).map((value, index) => {
    if (isMachine(value)) return value;
    throw new Error(`${file}: machine ${index} has no nics, a table from interface name to MAC address`);
  });
}

function isMachine(value: unknown): value is Machine {
  if (typeof value !== 'object' || value === null || !('nics' in value)) return false;
  const { nics } = value;
  return typeof nics === 'object' && nics !== null && Object.values(nics).every((mac) => typeof mac === 'string');
}
