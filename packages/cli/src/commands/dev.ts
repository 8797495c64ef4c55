import type { Group } from '../frame/command.ts';
import type { Positional } from '../frame/usage.ts';
import { directory, isoFile } from './shared-arguments.ts';

const initrdArguments: readonly Positional[] = [
  { name: 'initrd', required: true, help: 'Archive or initramfs; - for standard input' },
  { name: 'glob', repeatable: true, help: 'Only files whose paths match one of these patterns' },
];

/** Commands that show internals of images; their output may change. */
export const devCommands: readonly Group[] = [
  {
    kind: 'group',
    name: 'show',
    summary: 'Print the contents',
    commands: [
      {
        kind: 'command',
        name: 'iso',
        summary: 'Print the descriptors and records of an ISO image as JSON',
        positionals: [isoFile],
        options: [
          { name: 'ignition', conflicts: ['kargs'], help: 'Print the place of the initrd area' },
          { name: 'kargs', conflicts: ['ignition'], help: 'Print the places of the kernel argument areas' },
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
        summary: 'Show the extents of a file (empty files only)',
        positionals: [{ name: 'PATH', required: true, help: 'File to map' }],
        load: async () => (await import('../drop-in/dev-show.ts')).showFiemap,
      },
    ],
  },
  {
    kind: 'group',
    name: 'extract',
    summary: 'Extract the contents to files',
    commands: [
      {
        kind: 'command',
        name: 'initrd',
        summary: 'Write the files of an initramfs to a directory',
        positionals: initrdArguments,
        options: [
          directory('Directory to write to (default: .)'),
          { name: 'verbose', short: 'v', help: 'Print the path of every file' },
        ],
        load: async () => (await import('../drop-in/dev-initrd.ts')).extractInitrd,
      },
    ],
  },
];
