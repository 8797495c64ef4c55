import { baseOptions } from '../../frame/base-options.ts';
import type { Command, Group } from '../../frame/command.ts';
import type { Option } from '../../frame/usage.ts';
import { force, showSecrets } from '../shared-arguments.ts';
import { waitForGroup } from './wait-for-group.ts';

/** What a directory holds before anything is made of it. */
const SITE_HELP =
  'The directory holds install-config.yaml and agent-config.yaml, which coreiso agent create agent-config-template writes to be filled in, or else cluster-manifests/ with what create cluster-manifests would write.';

/** Where the live image comes from. */
const BASE_HELP =
  'The live image is that of the release, taken from its registry or a mirror of it by the pull secret, mirrors and trust bundle of the directory, and kept in the cache. Where no registry can be reached, --base names another: openshift-install coreos print-stream-json tells its address.';

const dir: Option = { name: 'dir', value: 'DIR', help: 'The directory of the installation, . by default' };

const json: Option = { name: 'json', help: 'Print the result as JSON' };

const logLevel: Option = {
  name: 'log-level',
  value: 'LEVEL',
  help: 'Accepted for compatibility; ignored',
};

const release: readonly Option[] = [
  {
    name: 'release-image',
    value: 'IMAGE',
    help: 'The release to install, by default that of OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE, else of cluster-manifests/cluster-image-set.yaml',
  },
  {
    name: 'openshift-version',
    value: 'VERSION',
    help: 'Its version, for example 4.20.3; by default that of the tag of the image',
  },
];

const base: Option = {
  name: 'base',
  value: 'ISO',
  help: 'Another live image to build on: a file, an address, stream:NAME or release:PULLSPEC; by default that of OPENSHIFT_INSTALL_OS_IMAGE_OVERRIDE, else of the release',
};

const imageOptions: readonly Option[] = [
  {
    name: 'artifacts-url',
    value: 'URL',
    help: 'Where files for network boot will be found, instead of bootArtifactsBaseURL of the agent config',
  },
  { name: 'no-grow', help: 'Fail rather than make the image longer' },
  { name: 'consume', help: 'Remove the install config and the agent config afterwards, as the installer does' },
  force('Make new credentials and replace what was made before'),
  logLevel,
  json,
];

const IMAGE_HELP =
  'Checks everything first, makes new credentials, and writes the image or the boot files, auth/kubeconfig, auth/kubeadmin-password, rendezvousIP and the state file that agent wait-for reads. Only their owner can read them. Keeps the install config and the agent config unless --consume is given.';

const imageHelp = (more = ''): string => `${SITE_HELP}\n\n${IMAGE_HELP}${more}\n\n${BASE_HELP}`;

/** What is made from the files that describe a cluster. */
const create: Group = {
  kind: 'group',
  name: 'create',
  summary: 'Make what a new cluster is installed with',
  commands: [
    {
      kind: 'command',
      name: 'cluster-manifests',
      summary: 'Write the manifests and mirror files that an install config and an agent config describe',
      about:
        'Reads install-config.yaml and agent-config.yaml of the directory, and writes cluster-manifests/, mirror/ and a state file, readable only by their owner: all of them, or nothing if there is an error. Keeps manifests that were edited as long as the two files have not changed, and the two files unless --consume is given.',
      options: [
        dir,
        ...release,
        { name: 'consume', help: 'Remove the install config and the agent config afterwards, as the installer does' },
        force('Replace manifests that were edited, or written by hand'),
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
      summary: 'Make the image that installs a new cluster',
      about: imageHelp(),
      options: [
        dir,
        ...release,
        base,
        ...baseOptions,
        {
          name: 'rootfs-url',
          value: 'URL',
          help: 'Where a minimal image finds its root file system, if not below the address of the boot artifacts',
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
      summary: 'Make the files that machines of a new cluster boot over the network',
      about: imageHelp(
        ' The files are in boot-artifacts, with an iPXE script where the address is known at which they will be found.',
      ),
      options: [dir, ...release, base, ...baseOptions, ...imageOptions],
      examples: [
        'coreiso agent create pxe-files --dir site --artifacts-url http://192.0.2.1/site --release-image quay.example.test/ocp:4.20.3-x86_64',
      ],
      load: async () => (await import('./create-image.ts')).createPxeFiles,
    },
    {
      kind: 'command',
      name: 'agent-config-template',
      summary: 'Write an agent config to fill in',
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
  create,
  {
    kind: 'command',
    name: 'validate',
    summary: 'Check the install config and the agent config of a new cluster, or the manifests instead of them',
    about: `${SITE_HELP}\n\nReports everything that the agent-based installer refuses, in its words, and what it lets pass and should not. Nothing is written and nothing deleted.`,
    options: [dir, ...release, logLevel, json],
    examples: ['coreiso agent validate', 'coreiso agent validate --dir site --openshift-version 4.20.3'],
    load: async () => (await import('./validate.ts')).validateSite,
  },
  {
    kind: 'command',
    name: 'plan',
    summary: 'Tell which machines a new cluster will have, who leads them, and what each does when it boots',
    about: `${SITE_HELP}\n\nNames the rendezvous host, which runs the installation of all others, and says why it is that one.`,
    options: [
      dir,
      ...release,
      {
        name: 'machines',
        value: 'FILE',
        help: 'Also play the boots of these machines: a YAML or JSON list of {nics: {NAME: MAC}}; - for standard input',
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
    name: 'topology',
    summary: 'Tell the topology that a new cluster will have, and where its routers will run',
    about: 'Takes the numbers of machines from the install config of --dir, or from the command line.',
    options: [
      { ...dir, conflicts: ['control-plane', 'workers', 'arbiters', 'platform'] },
      { name: 'control-plane', value: 'N', check: count, help: 'Machines of the control plane, 3 by default' },
      { name: 'workers', value: 'N', check: count, help: 'Workers at the beginning, 0 by default' },
      { name: 'arbiters', value: 'N', check: count, help: 'Arbiters, 0 by default' },
      { name: 'platform', value: 'PLATFORM', help: 'For example none, external or baremetal; none by default' },
      json,
    ],
    examples: ['coreiso agent topology --dir site', 'coreiso agent topology --control-plane 1 --platform none'],
    load: async () => (await import('./topology.ts')).topology,
  },
  waitForGroup,
];

function count(text: string): void {
  if (!/^\d{1,6}$/.test(text)) throw new Error('expected a number');
}
