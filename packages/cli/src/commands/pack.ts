import type { Command } from '../frame/command.ts';

/** Commands for people who build live images. */
export const packCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'osmet',
    summary: 'Not supported: needs the block device of an installed system',
    positionals: [{ name: 'DEV', required: true, help: 'Source device' }],
    options: [
      { name: 'output', value: 'FILE', required: true, help: 'File to write' },
      { name: 'checksum', value: 'SHA256', required: true, help: 'SHA-256 of the device' },
      { name: 'description', value: 'TEXT', required: true, help: 'What is on the device' },
      { name: 'fast', help: 'Compress less' },
    ],
    load: async () => (await import('../drop-in/pack.ts')).packOsmet,
  },
  {
    kind: 'command',
    name: 'minimal-iso',
    summary: 'Put the recipe for a minimal image into a full one',
    positionals: [
      { name: 'FULL_ISO', required: true, help: 'Live image with room for the recipe' },
      { name: 'MINIMAL_ISO', required: true, help: 'The same image without its root file system' },
    ],
    options: [{ name: 'consume', help: 'Delete the minimal image afterwards' }],
    load: async () => (await import('../drop-in/pack.ts')).packMinimalIso,
  },
];
