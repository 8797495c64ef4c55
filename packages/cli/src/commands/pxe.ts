import type { Command, Group } from '../frame/command.ts';
import type { Positional } from '../frame/usage.ts';
import { customizeOptions } from './customize-options.ts';
import { directory, keyfiles, output, sync } from './shared-arguments.ts';

const archive: Positional = { name: 'initrd', help: 'Archive or initramfs; standard input by default' };
const archiveOutput = { ...output, help: 'File to write or overwrite; standard output by default' };

/** Commands on what is booted over the network. */
export const pxeCommands: readonly (Command | Group)[] = [
  {
    kind: 'command',
    name: 'customize',
    summary: 'Make a live initramfs that installs, or runs, without being asked',
    positionals: [{ name: 'path', required: true, help: 'Live initramfs of CoreOS' }],
    options: [
      ...customizeOptions,
      { ...output, required: true, help: 'File to write, or - for standard output' },
      sync,
    ],
    examples: ['coreiso pxe customize --dest-device /dev/sda -o worker.img initrd.img'],
    load: async () => (await import('../drop-in/pxe-customize.ts')).customize,
  },
  {
    kind: 'group',
    name: 'ignition',
    summary: 'An Ignition config as an archive beside the initramfs',
    commands: [
      {
        kind: 'command',
        name: 'wrap',
        summary: 'Put an Ignition config into an archive',
        options: [
          { name: 'ignition-file', short: 'i', value: 'path', help: 'Config to wrap; standard input by default' },
          archiveOutput,
        ],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).wrapIgnition,
      },
      {
        kind: 'command',
        name: 'unwrap',
        summary: 'Print the Ignition config in an archive',
        positionals: [archive],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).unwrapIgnition,
      },
    ],
  },
  {
    kind: 'group',
    name: 'network',
    summary: 'NetworkManager keyfiles as an archive beside the initramfs',
    commands: [
      {
        kind: 'command',
        name: 'wrap',
        summary: 'Put keyfiles into an archive',
        options: [keyfiles, archiveOutput],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).wrapNetwork,
      },
      {
        kind: 'command',
        name: 'unwrap',
        summary: 'Print the keyfiles in an archive, or write them to files',
        positionals: [archive],
        options: [directory('Write the keyfiles into this directory')],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).unwrapNetwork,
      },
    ],
  },
];
