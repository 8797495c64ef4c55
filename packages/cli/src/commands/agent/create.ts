import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentConfigTemplate, makeManifests } from '@coreiso/nodes-config';
import { AGENT_STATE_FILE, agentStateOf, editedFiles } from '@coreiso/openshift';
import type { Action } from '../../frame/command.ts';
import { alreadyExists, Failure, inContext } from '../../frame/failure.ts';
import { writeDirectory } from '../../frame/write-directory.ts';
import { readSiteDirectory, removeConsumed, requiredRelease } from './directory.ts';
import { showSiteFindings, siteFindingData } from './site-findings.ts';

/** `coreiso agent create cluster-manifests`: validates as upstream does. */
export const createClusterManifests: Action = async (args, terminal) => {
  const directory = await readSiteDirectory(args, terminal);
  const { dir, files, state: before, previous } = directory;
  const release = requiredRelease(args, terminal, directory);
  const environment = terminal.io.env;
  const options = { environment, version: release.version, release, previous, mode: 'compatible' } as const;
  const outcome = makeManifests(files, options);
  const diagnostics = [...directory.diagnostics, ...outcome.diagnostics];
  if (outcome.ok) {
    const inputs = args.has('consume') ? 'consumed' : 'kept';
    const edited = await editedFiles(files, outcome.value.replaced, before);
    if (edited.length > 0 && !args.has('force') && inputs === 'kept') {
      const names = edited.map((path) => join(dir, path)).join(', ');
      throw new Failure(`${names}: edited, or made from other input than ${dir} has now`, {
        help: 'pass --force to replace these files',
      });
    }
    const state = await agentStateOf(files, outcome.value, { before, inputs });
    const text = `${JSON.stringify(state, null, 2)}\n`;
    await inContext(`cannot write to ${dir}`, () =>
      writeDirectory(terminal.path(dir), { ...outcome.value.files, [AGENT_STATE_FILE]: text }),
    );
    if (inputs === 'consumed') removeConsumed(directory, state, terminal);
  }
  if (args.has('json'))
    await terminal.printJson({ ...siteFindingData(diagnostics), files: outcome.ok ? outcome.value.files : {} });
  else {
    showSiteFindings(terminal, directory, diagnostics);
    if (outcome.ok) for (const path of Object.keys(outcome.value.files)) await terminal.print(`${join(dir, path)}\n`);
  }
  return outcome.ok ? 0 : 1;
};

/** `coreiso agent create agent-config-template`. */
export const createAgentConfigTemplate: Action = async (args, terminal) => {
  const dir = args.optional('dir') ?? '.';
  const name = 'agent-config.yaml';
  const path = join(dir, name);
  if (existsSync(terminal.path(path)) && !args.has('force')) throw alreadyExists([path]);
  const files = { [name]: agentConfigTemplate() };
  await inContext(`cannot write ${path}`, () => writeDirectory(terminal.path(dir), files));
  if (args.has('json')) await terminal.printJson({ files });
  else await terminal.print(`${path}\n`);
  return 0;
};
