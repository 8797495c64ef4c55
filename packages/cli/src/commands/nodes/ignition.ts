import { writeFile } from 'node:fs/promises';
import { formatDiagnostics } from '@coreiso/diagnostics';
import { type ClusterFacts, type HostPlan, parseNodesConfig, planHosts } from '@coreiso/nodes-config';
import { workerIgnition } from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import { STDOUT } from '../../frame/output.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { noFacts, readCluster } from './cluster.ts';
import { readConfigFile } from './config-file.ts';

/** `coreiso nodes ignition`. */
export const ignition: Action = async (args, terminal) => {
  const cluster = await readCluster(args, terminal);
  if (cluster === undefined) {
    throw noFacts();
  }
  const text = workerIgnition(cluster, await namedHost(args, terminal, cluster));
  const output = args.optional('output');
  if (output === undefined || output === STDOUT) {
    await terminal.print(text);
    return 0;
  }
  const flag = args.has('force') ? 'w' : 'wx';
  await inContext(`cannot write ${output}`, () => writeFile(terminal.path(output), text, { mode: 0o600, flag }));
  terminal.say(`Install a worker: coreos-installer install --ignition-file ${output} DEVICE`);
  return 0;
};

/** Returns the host of the nodes-config that `--host` names. */
async function namedHost(args: Arguments, terminal: Terminal, cluster: ClusterFacts): Promise<HostPlan | undefined> {
  const wanted = args.optional('host');
  if (wanted === undefined) return undefined;
  const { name, bytes } = await readConfigFile(args, terminal);
  const mode = args.has('compatible') ? 'compatible' : 'strict';
  const config = parseNodesConfig(bytes, { cluster, mode });
  if (!config.ok) throw new Error(`${name} has errors\n\n${formatDiagnostics(config.diagnostics, { file: name })}`);
  const { hosts } = planHosts(config.value);
  const host = hosts.find((one) => one.name === wanted);
  if (host === undefined)
    throw new Error(`${name} has no host ${wanted}; expected one of ${hosts.map((one) => one.name).join(', ')}`);
  return host;
}
