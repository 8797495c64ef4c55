import type { Command, Positional } from '../frame/command.ts';

const isoFile: Positional = { name: 'ISO', required: true, help: 'Path to an ISO image' };

/** Commands on any ISO 9660 image. */
export const isoCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'ls',
    summary: 'List the files of any ISO image',
    about: 'Shows mode, size and path of every file, with the long names people know (Rock Ridge or Joliet).',
    positionals: [isoFile, { name: 'PATH', help: 'Only this file, or what is below this directory' }],
    options: [{ name: 'json', help: 'Print one JSON list instead' }],
    examples: ['coreiso iso ls rhcos-live.iso /images', 'coreiso iso ls --json any.iso'],
    load: async () => (await import('./iso-ls.ts')).list,
  },
  {
    kind: 'command',
    name: 'cat',
    summary: 'Print files of any ISO image',
    positionals: [isoFile, { name: 'PATH', required: true, repeatable: true, help: 'File inside the image' }],
    examples: ['coreiso iso cat rhcos-live.iso /coreos/kargs.json'],
    load: async () => (await import('./iso-cat.ts')).cat,
  },
];
