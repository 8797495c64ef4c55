import { join } from 'node:path';
import { stringifyConfig } from '@coreiso/ignition';
import { readUnconfigured } from '@coreiso/nodes-config';
import { makeCredentials, unconfiguredConfigOf } from '@coreiso/openshift';
import type { Action } from '../../frame/command.ts';
import { writeNewFiles } from '../../frame/write-directory.ts';
import { readSiteDirectory, requiredRelease } from './directory.ts';
import { showSiteFindings, siteFindingData } from './site-findings.ts';

/** The installer's name for the file. */
const NAME = 'unconfigured-agent.ign';

/** `coreiso agent create unconfigured-ignition`. */
export const createUnconfiguredIgnition: Action = async (args, terminal) => {
  const directory = await readSiteDirectory(args, terminal);
  const { dir, files } = directory;
  const release = requiredRelease(args, terminal, directory);
  const outcome = readUnconfigured(files, { release, mode: 'compatible' });
  const { diagnostics } = outcome;
  if (!args.has('json')) showSiteFindings(terminal, directory, diagnostics);
  const path = join(dir, NAME);
  if (outcome.ok) {
    const credentials = await makeCredentials({ clock: () => new Date() });
    const configuredBy = args.has('interactive') ? 'person' : 'config-image';
    const config = unconfiguredConfigOf(outcome.value, release, credentials, { configuredBy });
    await writeNewFiles(terminal, dir, { [NAME]: stringifyConfig(config) }, args.has('force') ? 'replace' : 'refuse');
  }
  const steps = args.has('interactive') ? interactiveSteps(path) : siteSteps(path, dir);
  if (args.has('json'))
    await terminal.printJson({
      ...siteFindingData(diagnostics),
      ...(outcome.ok ? { file: path, nextSteps: steps } : {}),
    });
  else if (outcome.ok) await terminal.showLines([path, '', 'Next:', ...steps.map((step) => `  ${step}`)]);
  return outcome.ok ? 0 : 1;
};

const embed = (path: string): string => `coreiso iso ignition embed -i ${path} -o factory.iso rhcos-live.iso`;

function siteSteps(path: string, dir: string): string[] {
  return [
    embed(path),
    `coreiso agent create config-image --dir SITE   # for each site, not ${dir}`,
    'Boot the machines of any site from factory.iso, with the config image of the site on a second drive.',
  ];
}

function interactiveSteps(path: string): string[] {
  return [
    embed(path),
    'Boot the machines from factory.iso, and choose on the console of each which one runs the service.',
  ];
}
