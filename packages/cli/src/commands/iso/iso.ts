import { baseOptions } from '../../frame/base-options.ts';
import type { Command, Group } from '../../frame/command.ts';
import { customizeOptions, liveKargOptions } from '../customize-options.ts';
import { checkDigest, directory, force, grow, isoFile, keyfiles, output, sync } from '../shared-arguments.ts';

const ignitionCommands: Group = {
  kind: 'group',
  name: 'ignition',
  summary: 'The Ignition config of a live image',
  commands: [
    {
      kind: 'command',
      name: 'embed',
      summary: 'Put an Ignition config into a live image',
      about: 'The config is taken as it is, byte for byte, without any check.',
      positionals: [isoFile],
      options: [
        force('Replace the config that is there'),
        { name: 'ignition-file', short: 'i', value: 'path', help: 'Config to embed; standard input by default' },
        output,
        sync,
        grow,
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
      summary: 'Print the Ignition config in a live image',
      positionals: [isoFile],
      load: async () => (await import('../../drop-in/iso-ignition.ts')).show,
    },
    {
      kind: 'command',
      name: 'remove',
      summary: 'Take the Ignition config out of a live image',
      positionals: [isoFile],
      options: [output, sync, grow],
      load: async () => (await import('../../drop-in/iso-ignition.ts')).remove,
    },
  ],
};

/** As they were called before there was anything else to embed. */
const oldIgnitionCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'embed',
    hidden: true,
    summary: 'Old name of iso ignition embed',
    positionals: [isoFile],
    options: [
      { name: 'config', short: 'c', value: 'path', help: 'Config to embed; standard input by default' },
      force('Replace the config that is there'),
      output,
    ],
    load: async () => (await import('../../drop-in/iso-ignition.ts')).embedByOldName,
  },
  {
    kind: 'command',
    name: 'show',
    hidden: true,
    summary: 'Old name of iso ignition show',
    positionals: [isoFile],
    load: async () => (await import('../../drop-in/iso-ignition.ts')).showByOldName,
  },
  {
    kind: 'command',
    name: 'remove',
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
  summary: 'The NetworkManager keyfiles of a live image',
  commands: [
    {
      kind: 'command',
      name: 'embed',
      summary: 'Put keyfiles into a live image',
      positionals: [isoFile],
      options: [keyfiles, force('Replace the keyfiles that are there, all of them'), output, sync, grow],
      examples: ['coreiso iso network embed -k eno1.nmconnection rhcos-live.iso'],
      load: async () => (await import('../../drop-in/iso-network.ts')).embed,
    },
    {
      kind: 'command',
      name: 'extract',
      summary: 'Print the keyfiles in a live image, or write them to files',
      positionals: [isoFile],
      options: [directory('Write the keyfiles into this directory')],
      load: async () => (await import('../../drop-in/iso-network.ts')).extract,
    },
    {
      kind: 'command',
      name: 'remove',
      summary: 'Take the keyfiles out of a live image',
      positionals: [isoFile],
      options: [output, sync, grow],
      load: async () => (await import('../../drop-in/iso-network.ts')).remove,
    },
  ],
};

const kargsOutput = { ...output, value: 'PATH' };

const kargsCommands: Group = {
  kind: 'group',
  name: 'kargs',
  summary: 'The kernel arguments of a live image',
  commands: [
    {
      kind: 'command',
      name: 'modify',
      summary: 'Change the kernel arguments of a live image',
      about: 'Deletions come first, then additions, then replacements, whatever their order here.',
      positionals: [isoFile],
      options: [
        { name: 'append', short: 'a', value: 'KARG', repeatable: true, help: 'Argument to add' },
        { name: 'delete', short: 'd', value: 'KARG', repeatable: true, help: 'Argument to remove, with its value' },
        {
          name: 'replace',
          short: 'r',
          value: 'KARG=OLDVAL=NEWVAL',
          repeatable: true,
          help: 'Argument to give another value',
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
      summary: 'Put the default kernel arguments back',
      positionals: [isoFile],
      options: [kargsOutput, sync],
      load: async () => (await import('../../drop-in/iso-kargs.ts')).reset,
    },
    {
      kind: 'command',
      name: 'show',
      summary: 'Print the kernel arguments of a live image',
      positionals: [isoFile],
      options: [{ name: 'default', short: 'd', help: 'Those that the image was built with' }],
      load: async () => (await import('../../drop-in/iso-kargs.ts')).show,
    },
  ],
};

const extractCommands: Group = {
  kind: 'group',
  name: 'extract',
  summary: 'Get other ways to boot out of a live image',
  commands: [
    {
      kind: 'command',
      name: 'pxe',
      summary: 'Write kernel, initramfs and root file system to files',
      positionals: [isoFile],
      options: [
        { name: 'output-dir', short: 'o', value: 'PATH', help: 'Directory to write to; the current one by default' },
        sync,
      ],
      load: async () => (await import('../../drop-in/iso-extract.ts')).extractPxe,
    },
    {
      kind: 'command',
      name: 'minimal-iso',
      summary: 'Write a small image that fetches its root file system',
      positionals: [isoFile, { name: 'OUTPUT_ISO', help: 'File to write; standard output by default' }],
      options: [
        { name: 'output-rootfs', value: 'PATH', help: 'Write the root file system to this file' },
        { name: 'rootfs-url', value: 'URL', help: 'Where the small image will find its root file system' },
        sync,
      ],
      examples: [
        'coreiso iso extract minimal-iso rhcos-live.iso minimal.iso --output-rootfs rootfs.img --rootfs-url http://10.0.0.1/rootfs.img',
      ],
      load: async () => (await import('../../drop-in/iso-extract.ts')).extractMinimalIso,
    },
  ],
};

/** Commands on ISO images: live ones, and any. */
export const isoCommands: readonly (Command | Group)[] = [
  {
    kind: 'command',
    name: 'customize',
    summary: 'Make a live image that installs, or runs, without being asked',
    about:
      'Replaces everything that was embedded before. Options for the installed system make the live one run the installer when it boots.',
    positionals: [isoFile],
    options: [...customizeOptions, ...liveKargOptions, force('Replace earlier customisations'), output, sync, grow],
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
    summary: 'Bring a live image back to how it was built',
    positionals: [isoFile],
    options: [output, sync],
    load: async () => (await import('../../drop-in/iso-customize.ts')).reset,
  },
  ...oldIgnitionCommands,
  {
    kind: 'command',
    name: 'recover',
    summary: 'Undo an edit that was interrupted elsewhere',
    about:
      'Every command undoes an interrupted edit of the image it opens, unless the program that made it ran on another host or in another container and might still be at work. Use this one when you know that it is not.',
    positionals: [{ ...isoFile, help: 'Path of the ISO image' }],
    examples: ['coreiso iso recover worker.iso'],
    load: async () => (await import('./recover.ts')).recover,
  },
  {
    kind: 'command',
    name: 'inspect',
    summary: 'Describe a live image: areas, room, contents, kernel arguments',
    about: 'Also tells what can be told of an image that is damaged or cut.',
    positionals: [isoFile],
    options: [{ name: 'json', help: 'Print one JSON object instead' }],
    examples: ['coreiso iso inspect rhcos-live.iso'],
    load: async () => (await import('./inspect.ts')).inspectImage,
  },
  {
    kind: 'command',
    name: 'diff',
    summary: 'Tell how two live images differ',
    about:
      'Areas, kernel arguments, what is embedded, and the files of the file system, by name and digest. Contents are not shown: they hold secrets. Exit status 0: nothing differs; 1: something does.',
    positionals: [
      { name: 'A', required: true, help: 'An image, as for the other commands' },
      { name: 'B', required: true, help: 'Another one' },
    ],
    options: [{ name: 'json', help: 'Print one JSON object instead' }],
    examples: ['coreiso iso diff rhcos-live.iso worker.iso'],
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    kind: 'command',
    name: 'verify',
    summary: 'Tell whether a live image is sound, and what it was made from',
    about:
      'Looks at every record, the areas, the checksums of archives and partition tables, and rebuilds the minimal image to compare its digest. With --base or --sha256 also whether the image is that base but for what was customised: everything outside its areas is read. Exit status 0: all is well; 1: something is not.',
    positionals: [isoFile],
    options: [
      { name: 'base', value: 'BASE', help: 'What it was made from: stream:NAME, stream:FILE or release:PULLSPEC' },
      { name: 'sha256', value: 'HEX', check: checkDigest, repeatable: true, help: 'The same as a digest' },
      ...baseOptions,
      { name: 'json', help: 'Print one JSON object instead' },
    ],
    examples: ['coreiso iso verify rhcos-live.iso', 'coreiso iso verify --base stream:stable worker.iso'],
    load: async () => (await import('./verify.ts')).verify,
  },
  {
    kind: 'command',
    name: 'ls',
    summary: 'List the files of any ISO image',
    about: 'Shows mode, size and path of every file, with the long names people know (Rock Ridge or Joliet).',
    positionals: [isoFile, { name: 'PATH', help: 'Only this file, or what is below this directory' }],
    options: [{ name: 'json', help: 'Print one JSON list instead' }],
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
