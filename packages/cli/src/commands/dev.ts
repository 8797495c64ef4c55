import type { Group } from '../frame/command.ts';
import type { Positional } from '../frame/usage.ts';
import { directory, isoFile } from './shared-arguments.ts';

const initrdArguments: readonly Positional[] = [
  { name: 'initrd', required: true, help: 'Archive or initramfs; - for standard input' },
  { name: 'glob', repeatable: true, help: 'Only files whose paths match one of these patterns' },
];

/** Commands that show what others work with; their output may change. */
export const devCommands: readonly Group[] = [
  {
    kind: 'group',
    name: 'show',
    summary: 'Print what is inside',
    commands: [
      {
        kind: 'command',
        name: 'iso',
        summary: 'Print the descriptors and records of an ISO image as JSON',
        positionals: [isoFile],
        options: [
          { name: 'ignition', conflicts: ['kargs'], help: 'Where the initrd area is instead' },
          { name: 'kargs', conflicts: ['ignition'], help: 'Where the areas for kernel arguments are instead' },
        ],
        load: async () => (await import('../drop-in/dev-show.ts')).showIso,
      },
      {
        kind: 'command',
        name: 'initrd',
        summary: 'List the files of an initramfs',
        positionals: initrdArguments,
        load: async () => (await import('../drop-in/dev-initrd.ts')).showInitrd,
      },
      {
        kind: 'command',
        name: 'fiemap',
        summary: 'Not done here but for empty files',
        positionals: [{ name: 'PATH', required: true, help: 'File to map' }],
        load: async () => (await import('../drop-in/dev-show.ts')).showFiemap,
      },
    ],
  },
  {
    kind: 'group',
    name: 'extract',
    summary: 'Write what is inside to files',
    commands: [
      {
        kind: 'command',
        name: 'initrd',
        summary: 'Write the files of an initramfs to a directory',
        positionals: initrdArguments,
        options: [
          directory('Directory to write to; the current one by default'),
          { name: 'verbose', short: 'v', help: 'Print the path of every file' },
        ],
        load: async () => (await import('../drop-in/dev-initrd.ts')).extractInitrd,
      },
    ],
  },
];
