// Writes the settings of hosts to a small separate image, for machines that booted without settings.

import type { NodesConfig } from '@coreiso/nodes-config';
import { buildNodesConfigImage, planNodes } from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import { refuseTerminal, STDOUT, writeToStdout } from '../../frame/output.ts';
import { sizeText } from '../../frame/size.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';
import type { PlannedCluster } from './cluster.ts';
import { type ConfigFile, configFindingData, showConfigFindings, withConfigLines } from './config-file.ts';
import { prepareTargets, writeTargets } from './outputs.ts';
import { planOptions, tokenOutputs } from './plan-options.ts';

/** The only join whose machines can wait for their settings. */
const JOIN = 'service';

/** `coreiso nodes image --config-iso`. */
export async function writeConfigIso(
  config: NodesConfig,
  file: ConfigFile,
  planned: PlannedCluster,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  const [join = JOIN, output] = [args.optional('join'), args.optional('output')];
  if (join !== JOIN) throw new UsageError(`machines that join ${join} do not read a config image: pass --join ${JOIN}`);
  if (output === STDOUT) refuseTerminal(terminal);
  const plan = planNodes(config, await planOptions(args, terminal, planned, JOIN));
  const { outputs } = await buildNodesConfigImage(plan);
  showConfigFindings(terminal, file, withConfigLines(plan.diagnostics, config));
  const [image] = outputs;
  if (output === STDOUT && image !== undefined) {
    await writeToStdout(terminal, image.source);
    return 0;
  }
  const all = [...outputs, ...tokenOutputs(plan, planned)];
  const replace = args.has('force');
  const targets = await prepareTargets(terminal, all, { output, report: undefined, replace });
  await writeTargets(terminal, targets, { replace, durable: args.has('sync') });
  const { expires } = plan;
  if (args.has('json')) {
    const written = targets.map(({ path, source }) => ({ path, size: source.size }));
    await terminal.printJson({
      outputs: written,
      join: plan.join,
      expires,
      diagnostics: plan.diagnostics.map(configFindingData),
    });
    return 0;
  }
  const count = `${plan.hosts.length} ${plan.hosts.length === 1 ? 'host' : 'hosts'}`;
  await terminal.showLines([
    ...targets.map(({ path, source }) => `${path}  ${sizeText(source.size)}`),
    '',
    `For ${count}. Attach it to machines that run an image without settings (coreiso agent create unconfigured-ignition); the service of the installer then OVERWRITES the disk that their root device hints choose.`,
    `Its tokens expire at ${expires}.`,
  ]);
  return 0;
}
