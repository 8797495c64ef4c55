import type { Command } from '../frame/command.ts';
import { parseSize } from '../frame/size.ts';

/** The command that makes a live image for experiments. */
export const sampleCommand: Command = {
  kind: 'command',
  name: 'sample-iso',
  summary: 'Write a small live image to try things on',
  about:
    'The image has the areas and metadata of a real one. Its kernel, initramfs and root file system are a few lines of text: it does not boot.',
  positionals: [{ name: 'OUT', help: 'File to write, or - for standard output' }],
  options: [
    { name: 'list', conflicts: ['kind', 'size'], help: 'List the kinds of images' },
    { name: 'kind', value: 'KIND', help: 'Generation and architecture (default: the newest for x86_64)' },
    { name: 'size', value: 'SIZE', check: (text) => void parseSize(text), help: 'Minimum size, such as 64M or 1G' },
    { name: 'json', help: 'Print the list as JSON' },
  ],
  examples: [
    'coreiso sample-iso sample.iso',
    'coreiso sample-iso --list',
    'coreiso sample-iso --kind 2023-07.s390x sample.iso',
  ],
  load: async () => (await import('./sample-iso.ts')).makeSample,
};
