import { baseOptions } from '../../frame/base-options.ts';
import type { Command, Group } from '../../frame/command.ts';
import { fixOptions } from '../../frame/fix/fix-options.ts';
import type { Option } from '../../frame/usage.ts';
import { GATHER_ABOUT, gatherOptions } from '../gather/options.ts';
import { force, growOptions, hostAddress, json, showSecrets } from '../shared-arguments.ts';
import { waitForGroup } from './wait-for-group.ts';

/** The input files of a directory. */
const SITE_HELP =
  'The directory holds install-config.yaml and agent-config.yaml (coreiso agent template --dir DIR writes both), or else cluster-manifests/ as create cluster-manifests writes it.';

/** Where the live image comes from. */
const BASE_HELP =
  'The live image is that of the release. It is read from the registry or a mirror with the pull secret, mirrors and trust bundle of the directory, and cached. If no registry can be reached, pass another one with --base: openshift-install coreos print-stream-json prints its address.';

const dir: Option = { name: 'dir', value: 'DIR', help: 'Directory of the installation (default: .)' };

const logLevel: Option = {
  name: 'log-level',
  value: 'LEVEL',
  rare: true,
  help: 'Accepted for compatibility; ignored',
};

const release: readonly Option[] = [
  {
    name: 'release-image',
    value: 'IMAGE',
    help: 'Release to install (default: OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE, else of cluster-manifests)',
  },
  {
    name: 'openshift-version',
    value: 'VERSION',
    help: 'Version of the release, such as 4.20.3 (default: from the tag of the image)',
  },
];

const base: Option = {
  name: 'base',
  value: 'ISO',
  help: 'Live image: file, URL, stream:NAME or release:PULLSPEC (default: OPENSHIFT_INSTALL_OS_IMAGE_OVERRIDE, else of the release)',
};

const imageOptions: readonly Option[] = [
  {
    name: 'artifacts-url',
    value: 'URL',
    help: 'Address of the network-boot files (default: bootArtifactsBaseURL of the agent config)',
  },
  ...growOptions('grow'),
  { name: 'consume', help: 'Remove the install config and the agent config afterwards, as the installer does' },
  force('Make new credentials and replace earlier output'),
  logLevel,
  json,
];

const IMAGE_HELP =
  'Checks everything first, makes new credentials, and writes the image or the boot files, auth/kubeconfig, auth/kubeadmin-password, rendezvousIP and the state file that agent wait-for reads. Only their owner can read them. Keeps the install config and the agent config unless --consume is given.';

const imageHelp = (more = ''): string => `${IMAGE_HELP}${more}\n\n${BASE_HELP}`;

/** Options without effect on an image that needs no base image. */
const ABOUT_BASE = ['artifacts-url', 'grow', 'no-grow'];

/** Commands that create the files of a new cluster. */
const create: Group = {
  kind: 'group',
  name: 'create',
  summary: 'Create manifests, images and boot files',
  commands: [
    {
      kind: 'command',
      name: 'cluster-manifests',
      summary: 'Write manifests and mirror files',
      about:
        'Reads install-config.yaml and agent-config.yaml of the directory, and writes cluster-manifests/, mirror/ and a state file, readable only by their owner: all of them, or nothing if there is an error. Keeps manifests that were edited as long as the two files have not changed, and the two files unless --consume is given.',
      options: [
        dir,
        ...release,
        { name: 'consume', help: 'Remove the install config and the agent config afterwards, as the installer does' },
        force('Replace manifests that were edited'),
        logLevel,
        json,
        showSecrets,
      ],
      examples: [
        'coreiso agent create cluster-manifests --dir site --openshift-version 4.20.3 --release-image quay.example.test/ocp@sha256:…',
      ],
      load: async () => (await import('./create.ts')).createClusterManifests,
    },
    {
      kind: 'command',
      name: 'image',
      summary: 'Write the image that installs a new cluster',
      about: SITE_HELP,
      details: imageHelp(),
      options: [
        dir,
        ...release,
        base,
        ...baseOptions,
        {
          name: 'rootfs-url',
          value: 'URL',
          help: 'Address of the root file system of a minimal image (default: below that of the boot files, or the one that stream or release name)',
        },
        ...imageOptions,
      ],
      examples: [
        'coreiso agent create image --dir site --release-image quay.example.test/ocp:4.20.3-x86_64',
        'coreiso agent create image --dir site-with-manifests',
        'coreiso agent create image --dir site --base rhcos-live.iso --release-image quay.example.test/ocp:4.20.3-x86_64',
      ],
      load: async () => (await import('./create-image.ts')).createImage,
    },
    {
      kind: 'command',
      name: 'pxe-files',
      summary: 'Write the network-boot (PXE) files of a new cluster',
      about: SITE_HELP,
      details: imageHelp(' The boot files are in boot-artifacts, with an iPXE script if their address is known.'),
      options: [dir, ...release, base, ...baseOptions, ...imageOptions],
      examples: [
        'coreiso agent create pxe-files --dir site --artifacts-url http://192.0.2.1/site --release-image quay.example.test/ocp:4.20.3-x86_64',
      ],
      load: async () => (await import('./create-image.ts')).createPxeFiles,
    },
    {
      kind: 'command',
      name: 'config-image',
      summary: 'Write the settings of a site as a small second image',
      about: `${SITE_HELP}\n\nMachines that booted an image without settings (coreiso agent create unconfigured-ignition) take them from this one on a second drive, and go on as if they had booted the whole image of the site. They refuse one for another release or for other machines, a damaged one, and two at once, and show the reason on the console.`,
      details: `${IMAGE_HELP} Needs no live image.`,
      options: [dir, ...release, ...imageOptions.filter(({ name }) => !ABOUT_BASE.includes(name))],
      examples: ['coreiso agent create config-image --dir site --release-image quay.example.test/ocp:4.20.3-x86_64'],
      load: async () => (await import('./create-image.ts')).createConfigImage,
    },
    {
      kind: 'command',
      name: 'unconfigured-ignition',
      summary: 'Write the Ignition config of an image without settings',
      about:
        'One image for all sites of a release: its machines wait for the config image of their site (coreiso agent create config-image). Reads infraenv.yaml and pull-secret.yaml of cluster-manifests/, and if they are there cluster-image-set.yaml, nmstateconfig.yaml, mirror/, and the rendezvousIP of agent-config.yaml. Writes unconfigured-agent.ign, which holds the pull secret; coreiso iso ignition embed puts it into a live image.',
      options: [
        dir,
        ...release,
        { name: 'interactive', help: 'Ask for the settings on the console and in the browser, not for a config image' },
        force('Replace an earlier one'),
        logLevel,
        json,
      ],
      examples: [
        'coreiso agent create unconfigured-ignition --dir factory --release-image quay.example.test/ocp:4.20.3-x86_64',
        'coreiso iso ignition embed -i factory/unconfigured-agent.ign -o factory.iso rhcos-live.iso',
      ],
      load: async () => (await import('./unconfigured.ts')).createUnconfiguredIgnition,
    },
    {
      kind: 'command',
      name: 'certificates',
      summary: 'Write the certificates and the password of a new cluster',
      about:
        'Writes tls/: certificates and keys of the four signers, of the client certificate of system:admin, and the password of kubeadmin with its hash. Only their owner can read them. No other command reads them: each image has its own.',
      options: [dir, force('Replace earlier ones'), logLevel, json],
      examples: ['coreiso agent create certificates --dir site'],
      load: async () => (await import('./certificates.ts')).createCertificates,
    },
    {
      kind: 'command',
      name: 'agent-config-template',
      summary: 'Write an agent config to fill in, as openshift-install does',
      about:
        'Writes agent-config.yaml with one host and its network. An installation also needs an install-config.yaml.',
      options: [dir, force('Replace an agent config'), logLevel, json],
      examples: ['coreiso agent create agent-config-template --dir site'],
      load: async () => (await import('./create.ts')).createAgentConfigTemplate,
    },
  ],
};

/** Commands about new clusters. */
export const agentCommands: readonly (Command | Group)[] = [
  {
    kind: 'command',
    name: 'template',
    summary: 'Print an install config and an agent config to start from',
    about:
      'The documents are complete, commented and valid as they are: three machines that also run workloads. Replace names, addresses, disks and the pull secret. Then: coreiso agent validate --dir DIR.',
    options: [
      {
        name: 'dir',
        value: 'DIR',
        help: 'Directory to write install-config.yaml and agent-config.yaml to (default: print both)',
      },
      force('Replace files that exist'),
    ],
    examples: ['coreiso agent template --dir site', 'coreiso agent template'],
    load: async () => (await import('./template.ts')).template,
  },
  create,
  {
    kind: 'command',
    name: 'validate',
    summary: 'Check the install config and the agent config, or the manifests',
    about: `${SITE_HELP}\n\nReports everything that the agent-based installer refuses, in its words, and mistakes that it misses. Without --fix it writes and deletes nothing.`,
    options: [dir, ...release, ...fixOptions, logLevel, json, showSecrets],
    examples: [
      'coreiso agent validate',
      'coreiso agent validate --fix',
      'coreiso agent validate --dir site --openshift-version 4.20.3',
    ],
    load: async () => (await import('./validate.ts')).validateSite,
  },
  {
    kind: 'command',
    name: 'plan',
    summary: 'Show the machines of a new cluster, and what each does at boot',
    about: `${SITE_HELP}\n\nNames the rendezvous host, which runs the installation of all others, and the reason for the choice.`,
    options: [
      dir,
      ...release,
      {
        name: 'machines',
        value: 'FILE',
        help: 'Machines to try the plan on: a YAML or JSON list of {nics: {NAME: MAC}}',
      },
      logLevel,
      json,
      showSecrets,
    ],
    examples: ['coreiso agent plan --dir site', 'coreiso agent plan --dir site --machines rack.yaml'],
    load: async () => (await import('./plan.ts')).planSite,
  },
  {
    kind: 'command',
    name: 'graph',
    summary: 'Show which files of a new cluster are made from which',
    about: 'Prints the graph in the language of Graphviz.',
    options: [json],
    examples: ['coreiso agent graph | dot -Tsvg > graph.svg'],
    load: async () => (await import('./graph.ts')).graph,
  },
  {
    kind: 'command',
    name: 'topology',
    summary: 'Show the topology of a new cluster, and where its routers run',
    about: 'Reads the numbers of machines from the install config of --dir, or from the command line.',
    options: [
      { ...dir, conflicts: ['control-plane', 'workers', 'arbiters', 'platform', 'cpu-partitioning'] },
      { name: 'control-plane', value: 'N', check: count, help: 'Machines of the control plane (default: 3)' },
      { name: 'workers', value: 'N', check: count, help: 'Workers at the start (default: 0)' },
      { name: 'arbiters', value: 'N', check: count, help: 'Arbiters (default: 0)' },
      { name: 'platform', value: 'PLATFORM', help: 'Platform: none, external, baremetal, … (default: none)' },
      {
        name: 'cpu-partitioning',
        value: 'MODE',
        choices: ['None', 'AllNodes'],
        help: 'CPU partitioning mode (default: None)',
      },
      { name: 'added-workers', value: 'N', check: count, help: 'Workers that join later (default: 0)' },
      json,
    ],
    examples: ['coreiso agent topology --dir site', 'coreiso agent topology --control-plane 1 --platform none'],
    load: async () => (await import('./topology.ts')).topology,
  },
  {
    kind: 'command',
    name: 'gather',
    summary: 'Collect the logs of all machines of a new cluster over ssh',
    about: GATHER_ABOUT,
    options: [
      dir,
      ...release,
      {
        name: 'address',
        value: 'HOST=IP[:PORT]',
        repeatable: true,
        check: hostAddress,
        help: 'Address of a host, if it is not that of the files',
      },
      ...gatherOptions,
      logLevel,
    ],
    examples: ['coreiso agent gather --dir site', 'coreiso agent gather --dir site -i key --address node1=192.0.2.11'],
    load: async () => (await import('./gather.ts')).gatherSite,
  },
  waitForGroup,
];

function count(text: string): void {
  if (!/^\d{1,6}$/.test(text)) throw new Error('expected a number');
}
