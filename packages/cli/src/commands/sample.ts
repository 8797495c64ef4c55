import type { Command } from '../frame/command.ts';

/** A live image to try things on. */
export const sampleCommand: Command = {
  kind: 'command',
  name: 'sample-iso',
  summary: 'Write a small live image to try things on',
  about:
    'Its areas and metadata are genuine; its kernel, initramfs and root file system are a few lines of text, so it does not boot.',
  positionals: [{ name: 'OUT', help: 'File to write, or - for standard output' }],
  options: [
    { name: 'list', conflicts: ['kind', 'size'], help: 'List the kinds of images instead' },
    { name: 'kind', value: 'KIND', help: 'Generation and architecture; the newest for x86_64 by default' },
    { name: 'size', value: 'BYTES', check: checkSize, help: 'Make the image at least this large' },
    { name: 'json', help: 'Print the list as JSON' },
  ],
  examples: ['coreiso sample-iso --list', 'coreiso sample-iso --kind 2023-07.s390x sample.iso'],
  load: async () => (await import('./sample-iso.ts')).makeSample,
};

function checkSize(text: string): void {
  if (!/^\d{1,15}$/.test(text)) throw new Error('expected a size, such as 3000000 or 1G');
}
