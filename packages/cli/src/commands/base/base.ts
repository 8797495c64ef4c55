import { BASE_HELP, baseOptions } from '../../frame/base-options.ts';
import type { Command } from '../../frame/command.ts';
import { checkDigest, force } from '../shared-arguments.ts';

const json = { name: 'json', help: 'Print JSON' };

/** Commands on the images that others are made from. */
export const baseCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'list',
    summary: 'List the images of a stream or a release, or those that are here',
    about: `Without an argument: what is in the cache. Of a stream: its files for all machines, live images by default. Of a release: its version and the container image that has its live images.\n\n${BASE_HELP}`,
    positionals: [{ name: 'BASE', help: 'stream:NAME, stream:FILE or release:PULLSPEC' }],
    options: [
      ...baseOptions,
      { name: 'artifact', value: 'NAME', help: 'What the files are for: metal by default, qemu, aws, …' },
      { name: 'format', value: 'NAME', help: 'iso by default; pxe, raw.xz, …' },
      { name: 'all', conflicts: ['artifact', 'format', 'architecture'], help: 'All files of the stream' },
      json,
    ],
    examples: ['coreiso base list', 'coreiso base list stream:stable', 'coreiso base list --format pxe stream:testing'],
    load: async () => (await import('./list.ts')).list,
  },
  {
    kind: 'command',
    name: 'fetch',
    summary: 'Fetch a base image, verified, into the cache or a file',
    about: `Prints the path. What was interrupted is continued the next time; several commands may fetch at once, and one of them does it.\n\n${BASE_HELP}`,
    positionals: [{ name: 'BASE', required: true, help: 'stream:NAME, stream:FILE, release:PULLSPEC or an address' }],
    options: [
      ...baseOptions,
      { name: 'sha256', value: 'HEX', check: checkDigest, help: 'What the file at an address must be' },
      { name: 'output', short: 'o', value: 'FILE', help: 'Write a copy to this file' },
      force('Replace the file'),
      json,
    ],
    examples: [
      'coreiso base fetch stream:stable',
      'coreiso base fetch -o rhcos-live.iso release:quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64',
      'coreiso base fetch --sha256 3b1c… https://mirror.example/rhcos-live.iso',
    ],
    load: async () => (await import('./fetch.ts')).fetchBase,
  },
  {
    kind: 'command',
    name: 'verify',
    summary: 'Tell whether a file is a base image as it was published',
    about: `Compares the SHA-256 digest of the whole file. An image that was customised is another file: coreiso iso verify --base looks at what lies outside its areas.\n\n${BASE_HELP}`,
    positionals: [
      { name: 'FILE', required: true, help: 'The file, or its http(s) address' },
      { name: 'BASE', help: 'What it should be: stream:NAME, stream:FILE or release:PULLSPEC' },
    ],
    options: [
      ...baseOptions,
      { name: 'sha256', value: 'HEX', check: checkDigest, help: 'What it should be, as a digest' },
      json,
    ],
    examples: [
      'coreiso base verify rhcos-live.iso stream:bootimages.yaml',
      'coreiso base verify --sha256 3b1c… rhcos-live.iso',
    ],
    load: async () => (await import('./verify.ts')).verify,
  },
];
