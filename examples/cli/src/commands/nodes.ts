import type { Command, Option, Positional } from '../frame/command.ts';
import { force } from './shared-arguments.ts';

const configFile: Positional = { name: 'FILE', help: 'The config, nodes-config.yaml by default; - for standard input' };

const cluster: Option = {
  name: 'cluster',
  value: 'FACTS',
  help: 'What is known of the cluster: cluster facts as JSON or YAML, or a file or folder of objects exported with oc get -o yaml',
};

const json: Option = { name: 'json', help: 'Print the result as JSON' };

const KINDS = ['nodes-config', 'agent-config', 'nmstateconfig', 'infraenv'];

/** The flags of `oc adm node-image create` that describe one host without a file. */
const singleHost: readonly Option[] = [
  { name: 'mac-address', short: 'm', value: 'MAC', help: 'Build for one host with this MAC address, without a FILE' },
  { name: 'hostname', value: 'NAME', help: 'Its host name' },
  { name: 'cpu-architecture', short: 'c', value: 'ARCH', help: 'Its architecture, for example amd64' },
  { name: 'ssh-key-path', short: 'k', value: 'FILE', help: 'Public key for user core of the live system' },
  {
    name: 'root-device-hint',
    value: 'NAME:VALUE',
    repeatable: true,
    help: 'Which disk to install to, for example deviceName:/dev/sda',
  },
  { name: 'network-config-path', value: 'FILE', help: 'Its network state; the network card is called eth0' },
];

/** Commands from a nodes-config to an image. */
export const nodesCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'validate',
    summary: 'Check a nodes-config, agent-config, NMStateConfig or InfraEnv',
    about:
      'Reports everything that the OpenShift installer refuses, in its words, and what it lets pass and should not: misspelt keys, MAC addresses in two spellings, names that YAML turns into something else.',
    positionals: [configFile],
    options: [
      { name: 'kind', value: 'KIND', check: oneOf(KINDS), help: `One of ${KINDS.join(', ')}; detected by default` },
      cluster,
      { name: 'install-config', value: 'FILE', help: 'The install config that an agent-config goes with' },
      json,
    ],
    examples: ['coreiso nodes validate', 'coreiso nodes validate --cluster cluster.json nodes-config.yaml'],
    load: async () => (await import('./nodes-validate.ts')).validate,
  },
  {
    kind: 'command',
    name: 'plan',
    summary: 'Show what each host gets',
    about: 'Takes whatever the OpenShift installer takes; nodes validate is stricter.',
    positionals: [configFile],
    options: [
      cluster,
      {
        name: 'machines',
        value: 'FILE',
        help: 'Machines to try the plan on: a list of objects, each with nics, a table from interface name to MAC address',
      },
      json,
    ],
    examples: ['coreiso nodes plan', 'coreiso nodes plan --machines machines.json nodes-config.yaml'],
    load: async () => (await import('./nodes-plan.ts')).plan,
  },
  {
    kind: 'command',
    name: 'simulate',
    summary: 'Show what a machine would do with the image',
    positionals: [configFile],
    options: [
      {
        name: 'mac',
        value: '[NIC=]MAC',
        required: true,
        repeatable: true,
        help: 'MAC address of a network card, and what the machine calls the card; without that, the name in the config',
      },
      cluster,
      json,
    ],
    examples: ['coreiso nodes simulate --mac 52:54:00:e7:05:72', 'coreiso nodes simulate --mac eno1=52:54:00:e7:05:72'],
    load: async () => (await import('./nodes-simulate.ts')).simulate,
  },
  {
    kind: 'command',
    name: 'image',
    summary: 'Build the image that adds the hosts to the cluster',
    about:
      'Nothing is written unless everything is right. The image holds secrets, so only its owner may read it. Where the cluster facts have what a worker needs, a machine that boots it overwrites the disk that its root device hints choose and joins; otherwise it only gets its network and its name.',
    positionals: [configFile],
    options: [
      { name: 'base', value: 'ISO', required: true, help: 'The live image to build on' },
      cluster,
      { name: 'output', short: 'o', value: 'OUT', help: 'File to write, or folder for several; - for standard output' },
      { name: 'pxe', short: 'p', conflicts: ['minimal'], help: 'Files for network boot instead of an ISO image' },
      { name: 'minimal', help: 'An ISO image that fetches its root file system when it boots' },
      {
        name: 'artifacts-url',
        value: 'URL',
        help: 'Where the files for network boot will be found, instead of bootArtifactsBaseURL',
      },
      { name: 'per-host', help: 'One image per host, which needs no MAC address to tell hosts apart' },
      { name: 'join', value: 'HOW', check: oneOf(['network-only', 'direct']), help: 'network-only or direct' },
      {
        name: 'strict',
        conflicts: ['compatible'],
        help: 'Refuse what the OpenShift installer takes and regrets (default)',
      },
      { name: 'compatible', help: 'Only warn of what the OpenShift installer takes' },
      { name: 'no-grow', help: 'Refuse what does not fit instead of making the image longer' },
      { name: 'base-sha256', value: 'HEX', check: sha256, help: 'What the base image must be' },
      { name: 'report', short: 'r', help: 'Write report.json beside the image, as oc does' },
      force('Replace files that exist'),
      json,
      ...singleHost,
    ],
    examples: [
      'coreiso nodes image --base rhcos-live.iso --cluster cluster.json',
      'coreiso nodes image --base rhcos-live.iso --pxe -o /srv/http nodes-config.yaml',
      'coreiso nodes image --base rhcos-live.iso --mac-address 52:54:00:e7:05:72 -o node.iso',
    ],
    load: async () => (await import('./nodes-image.ts')).image,
  },
];

function oneOf(values: readonly string[]): (text: string) => void {
  return (text) => {
    if (!values.includes(text)) throw new Error(`one of ${values.join(', ')} is needed`);
  };
}

function sha256(text: string): void {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error('a SHA-256 has 64 hexadecimal digits');
}
