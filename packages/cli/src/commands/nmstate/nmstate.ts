import type { Command } from '../../frame/command.ts';
import { fixOptions } from '../../frame/fix/fix-options.ts';
import { showSecrets } from '../shared-arguments.ts';
import { templateCommand } from '../template.ts';

/** Commands on network state. */
export const nmstateCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'gc',
    standsIn: true,
    summary: 'Print the keyfiles for a network state, as nmstatectl gc does',
    positionals: [
      { name: 'STATE_FILE', required: true, help: 'Network state or policy, YAML or JSON; - for standard input' },
    ],
    options: [{ name: 'quiet', short: 'q', help: 'Print no notes on standard error' }],
    examples: ['coreiso nmstate gc -q bond.yaml'],
    load: async () => (await import('../../drop-in/nmstate/gc.ts')).generate,
  },
  {
    kind: 'command',
    name: 'validate',
    standsIn: true,
    summary: 'Check a network state or policy, as nmstatectl validate does',
    positionals: [{ name: 'STATE_FILE', help: 'Network state or policy, YAML or JSON (default: standard input)' }],
    options: [
      {
        name: 'current',
        short: 'c',
        value: 'FILE',
        rare: true,
        help: 'Not supported: states are checked without a machine',
      },
      { name: 'quiet', short: 'q', help: 'Accepted for compatibility; ignored' },
    ],
    details:
      'Prints a valid state as it was written; nmstatectl prints it in its own order. The desired state of a policy is not checked, because there is no current state.',
    examples: ['coreiso nmstate validate bond.yaml'],
    load: async () => (await import('../../drop-in/nmstate/validate.ts')).validate,
  },
  {
    kind: 'command',
    name: 'check',
    summary: 'Check a network state, and show every mistake with its line',
    about:
      'Reports everything that nmstate refuses, and mistakes that it silently ignores: routes to missing interfaces, missing ports, misspelt keys.',
    positionals: [{ name: 'STATE_FILE', required: true, help: 'Network state, YAML or JSON; - for standard input' }],
    options: [
      { name: 'output', short: 'o', value: 'DIR', help: 'Write the keyfiles to this directory, with mode 0600' },
      ...fixOptions,
      { name: 'json', help: 'Print the findings and keyfiles as JSON' },
      showSecrets,
    ],
    examples: [
      'coreiso nmstate check bond.yaml',
      'coreiso nmstate check --fix bond.yaml',
      'coreiso nmstate check -o keyfiles bond.yaml',
    ],
    load: async () => (await import('./check.ts')).check,
  },
  {
    kind: 'command',
    name: 'draw',
    summary: 'Draw the interfaces of a network state as SVG',
    about: 'Shows each interface above the interfaces that it uses. The picture has light and dark colours.',
    positionals: [{ name: 'STATE_FILE', required: true, help: 'Network state, YAML or JSON; - for standard input' }],
    options: [{ name: 'title', value: 'TEXT', help: 'Name of the host (default: the name of the file)' }],
    examples: ['coreiso nmstate draw bond.yaml > bond.svg'],
    load: async () => (await import('./draw.ts')).draw,
  },
  templateCommand({
    what: 'a network state',
    command: 'nmstate',
    file: 'network.yaml',
    next: 'coreiso nmstate check network.yaml',
    text: async () => (await import('@coreiso/nmstate')).sampleState,
  }),
];
