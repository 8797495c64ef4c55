import { BASE_HELP, baseOptions } from '../../frame/base-options.ts';
import type { Command } from '../../frame/command.ts';
import type { Option } from '../../frame/usage.ts';
import { checkDigest, directory, force, json } from '../shared-arguments.ts';

/** Options that select files of a stream, with the names of coreos-installer. */
const fileOptions: readonly Option[] = [
  { name: 'platform', value: 'NAME', help: 'Platform of the files: metal, qemu, aws, … (default: metal)' },
  { name: 'format', value: 'NAME', help: 'Format of the files: iso, pxe, raw.xz, … (default: iso)' },
];

/** Commands on base images. */
export const baseCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'list',
    summary: 'List the images of a stream, of a release or of the cache',
    about: `Without an argument it lists the cache; of a stream its files for all architectures, live images by default; of a release its version and the container image with its live images.\n\n${BASE_HELP}`,
    positionals: [{ name: 'BASE', help: 'Source: stream:NAME, stream:FILE or release:PULLSPEC' }],
    options: [
      ...baseOptions,
      ...fileOptions,
      { name: 'all', conflicts: ['platform', 'format', 'architecture'], help: 'List all files of the stream' },
      json,
    ],
    examples: ['coreiso base list', 'coreiso base list stream:stable', 'coreiso base list --format pxe stream:testing'],
    load: async () => (await import('./list.ts')).list,
  },
  {
    kind: 'command',
    name: 'fetch',
    summary: 'Download and verify a base image',
    about: `Prints the path of each file. Resumes an interrupted download. Checks the digest that a stream or release gives, and the OpenPGP signature of a file that has one, by the keys of Fedora and Red Hat and those of the file that COREISO_SIGNING_KEYS names.\n\n${BASE_HELP}`,
    positionals: [
      { name: 'BASE', required: true, help: 'Source: stream:NAME, stream:FILE, release:PULLSPEC or an address' },
    ],
    options: [
      ...baseOptions,
      ...fileOptions,
      { name: 'sha256', value: 'HEX', check: checkDigest, help: 'Expected digest of the file at an address' },
      { name: 'output', short: 'o', value: 'FILE', conflicts: ['directory'], help: 'Write a copy to this file' },
      directory('Write copies into this directory, under their names'),
      { name: 'decompress', short: 'd', help: 'Write copies decompressed' },
      { name: 'insecure', help: 'Take a file whose signature cannot be fetched' },
      force('Replace existing files'),
      json,
    ],
    examples: [
      'coreiso base fetch stream:stable',
      'coreiso base fetch --format pxe -C /srv/http stream:stable',
      'coreiso base fetch --platform qemu --format qcow2.xz -d -C images stream:next',
      'coreiso base fetch -o rhcos-live.iso release:quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64',
      'coreiso base fetch --sha256 3b1c… https://mirror.example/rhcos-live.iso',
    ],
    load: async () => (await import('./fetch.ts')).fetchBase,
  },
  {
    kind: 'command',
    name: 'verify',
    summary: 'Check that a file is a published base image',
    about: `Compares the SHA-256 digest of the whole file. For a customised image use coreiso iso verify --base, which leaves out its areas.\n\n${BASE_HELP}`,
    positionals: [
      { name: 'FILE', required: true, help: 'File, or its http(s) address' },
      { name: 'BASE', help: 'Expected image: a file, stream:NAME, stream:FILE or release:PULLSPEC' },
    ],
    options: [...baseOptions, { name: 'sha256', value: 'HEX', check: checkDigest, help: 'Expected digest' }, json],
    examples: [
      'coreiso base verify rhcos-live.iso stream:bootimages.yaml',
      'coreiso base verify --sha256 3b1c… rhcos-live.iso',
    ],
    load: async () => (await import('./verify.ts')).verify,
  },
];
