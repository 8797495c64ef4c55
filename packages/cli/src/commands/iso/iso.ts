import { baseOptions } from '../../frame/base-options.ts';
import type { Command, Group } from '../../frame/command.ts';
import type { Option } from '../../frame/usage.ts';
import { customizeOptions, liveKargOptions } from '../customize-options.ts';
import {
  checkDigest,
  directory,
  force,
  growOptions,
  isoFile,
  json,
  keyfiles,
  output,
  sync,
} from '../shared-arguments.ts';

/** Options for the destination of an edited image and its growth. */
const edited: readonly Option[] = [output, sync, ...growOptions('no-grow')];

const ignitionCommands: Group = {
  kind: 'group',
  name: 'ignition',
  standsIn: true,
  summary: 'Embed, show or remove an Ignition config',
  commands: [
    {
      kind: 'command',
      name: 'embed',
      summary: 'Embed an Ignition config',
      about: 'Embeds the config byte for byte, without any check: coreiso ignition validate checks it.',
      positionals: [isoFile],
      options: [
        force('Replace an embedded config'),
        { name: 'ignition-file', short: 'i', value: 'path', help: 'Config to embed (default: standard input)' },
        output,
        sync,
        ...growOptions('no-grow'),
      ],
      examples: [
        'coreiso iso ignition embed -i worker.ign rhcos-live.iso',
        'coreiso iso ignition embed -i worker.ign -o worker.iso rhcos-live.iso',
      ],
      load: async () => (await import('../../drop-in/iso-ignition.ts')).embed,
    },
    {
      kind: 'command',
      name: 'show',
      summary: 'Print the embedded Ignition config',
      positionals: [isoFile],
      examples: ['coreiso iso ignition show worker.iso'],
      load: async () => (await import('../../drop-in/iso-ignition.ts')).show,
    },
    {
      kind: 'command',
      name: 'remove',
      summary: 'Remove the embedded Ignition config',
      positionals: [isoFile],
      options: [...edited],
      examples: ['coreiso iso ignition remove worker.iso'],
      load: async () => (await import('../../drop-in/iso-ignition.ts')).remove,
    },
  ],
};

/** The old names of these commands, from when an Ignition config was all that could be embedded. */
const oldIgnitionCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'embed',
    standsIn: true,
    hidden: true,
    summary: 'Old name of iso ignition embed',
    positionals: [isoFile],
    options: [
      { name: 'config', short: 'c', value: 'path', help: 'Config to embed (default: standard input)' },
      force('Replace an embedded config'),
      output,
    ],
    load: async () => (await import('../../drop-in/iso-ignition.ts')).embedByOldName,
  },
  {
    kind: 'command',
    name: 'show',
    standsIn: true,
    hidden: true,
    summary: 'Old name of iso ignition show',
    positionals: [isoFile],
    load: async () => (await import('../../drop-in/iso-ignition.ts')).showByOldName,
  },
  {
    kind: 'command',
    name: 'remove',
    standsIn: true,
    hidden: true,
    summary: 'Old name of iso ignition remove',
    positionals: [isoFile],
    options: [output],
    load: async () => (await import('../../drop-in/iso-ignition.ts')).removeByOldName,
  },
];

const networkCommands: Group = {
  kind: 'group',
  name: 'network',
  standsIn: true,
  summary: 'Embed, extract or remove NetworkManager keyfiles',
  commands: [
    {
      kind: 'command',
      name: 'embed',
      summary: 'Embed keyfiles',
      positionals: [isoFile],
      options: [keyfiles, force('Replace all embedded keyfiles'), ...edited],
      examples: ['coreiso iso network embed -k eno1.nmconnection rhcos-live.iso'],
      load: async () => (await import('../../drop-in/iso-network.ts')).embed,
    },
    {
      kind: 'command',
      name: 'extract',
      summary: 'Print the embedded keyfiles, or write them to files',
      positionals: [isoFile],
      options: [directory('Write the keyfiles into this directory')],
      examples: ['coreiso iso network extract -C keyfiles worker.iso'],
      load: async () => (await import('../../drop-in/iso-network.ts')).extract,
    },
    {
      kind: 'command',
      name: 'remove',
      summary: 'Remove the embedded keyfiles',
      positionals: [isoFile],
      options: [...edited],
      examples: ['coreiso iso network remove worker.iso'],
      load: async () => (await import('../../drop-in/iso-network.ts')).remove,
    },
  ],
};

const kargsOutput = { ...output, value: 'PATH' };

const kargsCommands: Group = {
  kind: 'group',
  name: 'kargs',
  standsIn: true,
  summary: 'Show or change kernel arguments',
  commands: [
    {
      kind: 'command',
      name: 'modify',
      summary: 'Change kernel arguments',
      about: 'Deletes first, then appends, then replaces, in whatever order the options are given.',
      positionals: [isoFile],
      options: [
        { name: 'append', short: 'a', value: 'KARG', repeatable: true, help: 'Argument to append' },
        { name: 'delete', short: 'd', value: 'KARG', repeatable: true, help: 'Argument to delete, with its value' },
        {
          name: 'replace',
          short: 'r',
          value: 'KARG=OLDVAL=NEWVAL',
          repeatable: true,
          help: 'Argument to give another value: key=old=new',
        },
        kargsOutput,
        sync,
      ],
      examples: ['coreiso iso kargs modify -a console=ttyS0 -d quiet rhcos-live.iso'],
      load: async () => (await import('../../drop-in/iso-kargs.ts')).modify,
    },
    {
      kind: 'command',
      name: 'reset',
      summary: 'Restore the default kernel arguments',
      positionals: [isoFile],
      options: [kargsOutput, sync],
      examples: ['coreiso iso kargs reset worker.iso'],
      load: async () => (await import('../../drop-in/iso-kargs.ts')).reset,
    },
    {
      kind: 'command',
      name: 'show',
      summary: 'Print the kernel arguments',
      positionals: [isoFile],
      options: [{ name: 'default', short: 'd', help: 'Print those that the image was built with' }],
      examples: ['coreiso iso kargs show worker.iso'],
      load: async () => (await import('../../drop-in/iso-kargs.ts')).show,
    },
  ],
};

const extractCommands: Group = {
  kind: 'group',
  name: 'extract',
  standsIn: true,
  summary: 'Extract network-boot (PXE) files or a minimal ISO',
  commands: [
    {
      kind: 'command',
      name: 'pxe',
      summary: 'Extract kernel, initramfs and root file system',
      positionals: [isoFile],
      options: [{ name: 'output-dir', short: 'o', value: 'PATH', help: 'Directory to write to (default: .)' }, sync],
      examples: ['coreiso iso extract pxe -o /srv/http rhcos-live.iso'],
      load: async () => (await import('../../drop-in/iso-extract.ts')).extractPxe,
    },
    {
      kind: 'command',
      name: 'minimal-iso',
      summary: 'Extract a small ISO that fetches its root file system at boot',
      positionals: [isoFile, { name: 'OUTPUT_ISO', help: 'File to write (default: standard output)' }],
      options: [
        { name: 'output-rootfs', value: 'PATH', help: 'File to write the root file system to' },
        { name: 'rootfs-url', value: 'URL', help: 'Address of the root file system' },
        sync,
      ],
      examples: [
        'coreiso iso extract minimal-iso rhcos-live.iso minimal.iso --output-rootfs rootfs.img --rootfs-url http://10.0.0.1/rootfs.img',
      ],
      load: async () => (await import('../../drop-in/iso-extract.ts')).extractMinimalIso,
    },
  ],
};

/** Commands on ISO images, live or not. */
export const isoCommands: readonly (Command | Group)[] = [
  {
    kind: 'command',
    name: 'customize',
    standsIn: true,
    summary: 'Make an image that installs CoreOS unattended',
    about:
      'Replaces the embedded Ignition config, keyfiles and files; keeps the kernel arguments, unless --live-karg options change them. An image that is customised already needs -f. With a --dest option the live system runs the installer.',
    positionals: [isoFile],
    options: [...customizeOptions, ...liveKargOptions, force('Replace an earlier customisation'), ...edited],
    examples: ['coreiso iso customize --dest-device /dev/sda --dest-ignition worker.ign -o worker.iso rhcos-live.iso'],
    load: async () => (await import('../../drop-in/iso-customize.ts')).customize,
  },
  ignitionCommands,
  networkCommands,
  kargsCommands,
  extractCommands,
  {
    kind: 'command',
    name: 'reset',
    standsIn: true,
    summary: 'Remove all customisations',
    positionals: [isoFile],
    options: [output, sync],
    examples: ['coreiso iso reset worker.iso'],
    load: async () => (await import('../../drop-in/iso-customize.ts')).reset,
  },
  ...oldIgnitionCommands,
  {
    kind: 'command',
    name: 'recover',
    summary: 'Undo an edit that was interrupted on another host',
    about:
      'Every command undoes an interrupted edit of the image it opens, unless the program that made it ran on another host or in another container and may still be running. Use this command when you know that it is not.',
    positionals: [{ ...isoFile, help: 'Image file' }],
    examples: ['coreiso iso recover worker.iso'],
    load: async () => (await import('./recover.ts')).recover,
  },
  {
    kind: 'command',
    name: 'inspect',
    summary: 'Describe an image: areas, room, contents, kernel arguments',
    about: 'Describes damaged and truncated images, too, as far as possible.',
    positionals: [isoFile],
    options: [json],
    examples: ['coreiso iso inspect rhcos-live.iso'],
    load: async () => (await import('./inspect.ts')).inspectImage,
  },
  {
    kind: 'command',
    name: 'diff',
    summary: 'Compare two images',
    about:
      'Compares areas, kernel arguments, embedded files and the files of the file system, by name and digest. Contents are not shown, because they may be secret. Exit status: 0 equal; 1 different.',
    positionals: [
      { name: 'A', required: true, help: 'First image' },
      { name: 'B', required: true, help: 'Second image' },
    ],
    options: [json],
    examples: ['coreiso iso diff rhcos-live.iso worker.iso'],
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    kind: 'command',
    name: 'verify',
    summary: 'Check an image for damage, or against its base image',
    about:
      'Checks every record, the areas, the checksums of archives and partition tables, and the digest of the minimal image, and follows every way in which firmware starts the image. With --base or --sha256 it also checks that the image equals that base outside its areas. Exit status: 0 all checks passed; 1 a check failed.',
    positionals: [isoFile],
    options: [
      {
        name: 'base',
        value: 'BASE',
        help: 'Base image: a file, an address, stream:NAME, stream:FILE or release:PULLSPEC',
      },
      { name: 'sha256', value: 'HEX', check: checkDigest, repeatable: true, help: 'SHA-256 digest of the base image' },
      ...baseOptions,
      json,
    ],
    examples: [
      'coreiso iso verify rhcos-live.iso',
      'coreiso iso verify --base rhcos-live.iso worker.iso',
      'coreiso iso verify --base stream:stable worker.iso',
    ],
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    kind: 'command',
    name: 'ls',
    summary: 'List the files of any ISO image',
    about: 'Shows mode, size and path of every file, by its long name (Rock Ridge or Joliet).',
    positionals: [isoFile, { name: 'PATH', help: 'File or directory to list' }],
    options: [{ name: 'json', help: 'Print the list as JSON' }],
    examples: ['coreiso iso ls rhcos-live.iso /images', 'coreiso iso ls --json any.iso'],
    load: async () => (await import('./ls.ts')).list,
  },
  {
    kind: 'command',
    name: 'cat',
    summary: 'Print files of any ISO image',
    positionals: [isoFile, { name: 'PATH', required: true, repeatable: true, help: 'File inside the image' }],
    examples: ['coreiso iso cat rhcos-live.iso /coreos/kargs.json'],
    load: async () => (await import('./cat.ts')).cat,
  },
];
