import type { Command } from '../../frame/command.ts';
import { fixOptions } from '../../frame/fix/fix-options.ts';
import type { Positional } from '../../frame/usage.ts';
import { json, showSecrets } from '../shared-arguments.ts';

const configFile: Positional = { name: 'FILE', required: true, help: 'Ignition config; - for standard input' };

/** Commands on Ignition configs. */
export const ignitionCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'validate',
    standsIn: true,
    summary: 'Check a config, as ignition-validate does',
    positionals: [configFile],
    examples: ['coreiso ignition validate worker.ign'],
    load: async () => (await import('../../drop-in/ignition-validate.ts')).validateFile,
  },
  {
    kind: 'command',
    name: 'check',
    summary: 'Check a config, and show every mistake with its line',
    about:
      'Reports everything that Ignition refuses, all type errors at once, and mistakes that people make: octal modes, Butane text, content for contents.',
    positionals: [configFile],
    options: [...fixOptions, json, showSecrets],
    examples: ['coreiso ignition check worker.ign', 'coreiso ignition check --fix worker.ign'],
    load: async () => (await import('./check.ts')).check,
  },
  {
    kind: 'command',
    name: 'merge',
    summary: 'Merge two configs, as Ignition does',
    about: 'The child wins. Both are first translated to the newer version of the two.',
    positionals: [
      { name: 'PARENT', required: true, help: 'Ignition config; - for standard input' },
      { name: 'CHILD', required: true, help: 'Ignition config to merge into the parent' },
    ],
    options: [{ name: 'transcript', help: 'Print the origin of each value' }],
    examples: ['coreiso ignition merge base.ign worker.ign', 'coreiso ignition merge --transcript base.ign worker.ign'],
    load: async () => (await import('./actions.ts')).mergeFiles,
  },
  {
    kind: 'command',
    name: 'translate',
    summary: 'Translate a config to another version of the specification',
    positionals: [configFile],
    options: [{ name: 'to', value: 'VERSION', required: true, help: 'Version of the specification, such as 3.4.0' }],
    examples: ['coreiso ignition translate --to 3.4.0 old.ign'],
    load: async () => (await import('./actions.ts')).translateFile,
  },
  {
    kind: 'command',
    name: 'show',
    summary: 'Summarise a config: contents without secrets, and expiry dates',
    positionals: [configFile],
    options: [{ name: 'json', help: 'Print the redacted config and the dates as JSON' }],
    examples: ['coreiso ignition show worker.ign'],
    load: async () => (await import('./actions.ts')).show,
  },
];
