import type { Command, Group } from '../frame/command.ts';
import type { Positional } from '../frame/usage.ts';
import { customizeOptions } from './customize-options.ts';
import { directory, keyfiles, output, sync } from './shared-arguments.ts';

const archive: Positional = { name: 'initrd', help: 'Archive or initramfs (default: standard input)' };
const archiveOutput = { ...output, help: 'File to write or overwrite (default: standard output)' };

/** Commands on files for network boot. */
export const pxeCommands: readonly (Command | Group)[] = [
  {
    kind: 'command',
    name: 'customize',
    summary: 'Make an initramfs that installs CoreOS unattended',
    positionals: [{ name: 'path', required: true, help: 'Live initramfs' }],
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
    summary: 'Wrap an Ignition config for network boot',
    commands: [
      {
        kind: 'command',
        name: 'wrap',
        summary: 'Wrap an Ignition config in an archive',
        options: [
          { name: 'ignition-file', short: 'i', value: 'path', help: 'Config to wrap (default: standard input)' },
          archiveOutput,
        ],
        examples: ['coreiso pxe ignition wrap -i worker.ign -o worker.img'],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).wrapIgnition,
      },
      {
        kind: 'command',
        name: 'unwrap',
        summary: 'Print the Ignition config in an archive',
        positionals: [archive],
        examples: ['coreiso pxe ignition unwrap worker.img'],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).unwrapIgnition,
      },
    ],
  },
  {
    kind: 'group',
    name: 'network',
    summary: 'Wrap NetworkManager keyfiles for network boot',
    commands: [
      {
        kind: 'command',
        name: 'wrap',
        summary: 'Wrap keyfiles in an archive',
        options: [keyfiles, archiveOutput],
        examples: ['coreiso pxe network wrap -k eno1.nmconnection -o network.img'],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).wrapNetwork,
      },
      {
        kind: 'command',
        name: 'unwrap',
        summary: 'Print the keyfiles in an archive, or write them to files',
        positionals: [archive],
        options: [directory('Folder to write the keyfiles to')],
        examples: ['coreiso pxe network unwrap -C keyfiles network.img'],
        load: async () => (await import('../drop-in/pxe-wrap.ts')).unwrapNetwork,
      },
    ],
  },
];
