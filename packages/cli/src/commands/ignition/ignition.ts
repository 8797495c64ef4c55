import type { Command } from '../../frame/command.ts';
import type { Positional } from '../../frame/usage.ts';

const configFile: Positional = { name: 'FILE', required: true, help: 'Ignition config; - for standard input' };

/** Commands on Ignition configs. */
export const ignitionCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'validate',
    summary: 'Report what is wrong with a config, as ignition-validate does',
    positionals: [configFile],
    examples: ['coreiso ignition validate worker.ign'],
    load: async () => (await import('../../drop-in/ignition-validate.ts')).validateFile,
  },
  {
    kind: 'command',
    name: 'merge',
    summary: 'Print the config that Ignition makes of a parent and a child',
    about: 'The child wins. Both are raised to the newer version of the two before they are merged.',
    positionals: [
      { name: 'PARENT', required: true, help: 'Ignition config; - for standard input' },
      { name: 'CHILD', required: true, help: 'Ignition config that is merged into it' },
    ],
    options: [{ name: 'transcript', help: 'Print where each value came from instead' }],
    load: async () => (await import('./actions.ts')).mergeFiles,
  },
  {
    kind: 'command',
    name: 'translate',
    summary: 'Print a config in another version of the specification',
    positionals: [configFile],
    options: [{ name: 'to', value: 'VERSION', required: true, help: 'Version to write, such as 3.4.0' }],
    examples: ['coreiso ignition translate --to 3.4.0 old.ign'],
    load: async () => (await import('./actions.ts')).translateFile,
  },
  {
    kind: 'command',
    name: 'show',
    summary: 'Print what a config does, without its secrets and with expiry dates',
    positionals: [configFile],
    options: [{ name: 'json', help: 'Print the redacted config and the dates as JSON' }],
    load: async () => (await import('./actions.ts')).show,
  },
];
