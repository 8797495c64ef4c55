import { BASE_HELP, baseOptions } from '../../frame/base-options.ts';
import type { Command } from '../../frame/command.ts';
import type { Option, Positional } from '../../frame/usage.ts';
import { SERVER_HELP, serverOptions } from '../serve/options.ts';
import { force, kubeconfigOptions, liveOptions, showSecrets, sync } from '../shared-arguments.ts';
import { noStatus, planArguments, statusTokenFile } from './plan-options.ts';

const configFile: Positional = { name: 'FILE', help: 'The config, nodes-config.yaml by default; - for standard input' };

const cluster: Option = {
  name: 'cluster',
  value: 'FACTS',
  help: 'What is known of the cluster: cluster facts as JSON or YAML, or a file or folder of objects exported with oc get -o yaml',
};

const json: Option = { name: 'json', help: 'Print the result as JSON' };

const base: Option = {
  name: 'base',
  value: 'BASE',
  help: 'The live image to build on; by default the one that belongs to the cluster',
};

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

const IMAGE_HELP = `Nothing is written unless everything is right. The image holds secrets, so only its owner may read it. Where the cluster facts have what a worker needs, a machine that boots it overwrites the disk that its root device hints choose and joins; otherwise it only gets its network and its name.

--live reads the cluster facts through the kubeconfig: one command from kubeconfig to image. Where the cluster cannot be reached from here, coreiso nodes facts -o cluster.json keeps it for --cluster, and so does a folder that oc fills; of the last commands objects may be absent:

  mkdir -m 700 facts
  oc get -o yaml clusterversion/version infrastructure/cluster proxy/cluster \\
    > facts/cluster.yaml
  oc get -o yaml nodes > facts/nodes.yaml
  oc get -o yaml -n openshift-config secret/pull-secret > facts/pull-secret.yaml
  oc get -o yaml -n openshift-machine-api secret/worker-user-data-managed \\
    > facts/worker-user-data.yaml
  oc get -o yaml -n openshift-config --ignore-not-found \\
    configmap/user-ca-bundle > facts/user-ca-bundle.yaml
  oc get -o yaml --ignore-not-found machineconfig/99-worker-ssh \\
    machineconfig/99-worker-fips \\
    machineconfig/50-workers-chrony-configuration > facts/machineconfigs.yaml
  oc get -o yaml imagedigestmirrorsets,imagecontentsourcepolicies \\
    > facts/mirrors.yaml
  oc get -o yaml machineconfigpools > facts/pools.yaml
  oc get -o yaml -n openshift-machine-config-operator \\
    configmap/coreos-bootimages > facts/bootimages.yaml

The live image is the one that belongs to the cluster: that of the release that it runs, read from its registry or a mirror by the pull secret, mirrors and certificates of the cluster, else the one that ConfigMap coreos-bootimages names. What is fetched, how large it is and whether it is in the cache is said first. --os-stream takes another operating system than new nodes of the cluster get, --base another image. ${BASE_HELP} --base release: stands for the release of the cluster.

A machine that joins asks for two certificates, one after the other; they have to be approved:

  coreiso nodes monitor    # shows them, and what each host waits for
  coreiso nodes approve    # or oc adm certificate approve <name>

With --per-host the images can go to an object store (-o s3://BUCKET/PREFIX/), which copies the base itself; endpoint, region and credentials are read as the AWS tools read them. What is there already is left as it is, so a run that was interrupted is repeated with the same --valid-until and --status-token-file. coreiso fleet status tells what is there.

coreiso nodes facts --sample prints facts to try things with, coreiso sample-iso writes an image.`;

const MONITOR_HELP = `The way of a host, from image to Ready node:

  1. coreiso nodes image --live makes the image, and keeps beside it the
     report with the token of its status port.
  2. The host boots the image. Its live system checks memory, disk, names,
     clock and the cluster, and tells the results here: a check that fails
     says why, and runs again every minute. Then it writes its disk.
  3. It reboots. The kubelet starts and asks for its first certificate:
     coreiso nodes approve, or oc adm certificate approve <name>.
  4. The node joins, and asks for its second certificate, which is approved
     the same way.
  5. It is Ready once its network is there, after a few minutes.

What each host waits for is shown, with the command that helps. On a terminal a table stays below what happens; elsewhere there is one line per change. Nothing is approved here.

Hosts and their addresses come from the config; a host that gets its address by DHCP is known by its name, and seen from its first certificate request on, or with --address from its live system on.

Exit status: 0 all are ready; 1 a host failed and needs attention; 3 the time is up. An interruption leaves the table as it was, and the same command watches on.`;

const ADVISE_HELP = `A node can have the right image and still not work, or break what worked before. This compares the hosts with the cluster facts, before anything boots. Two stories end badly without it:

Workers of a single-node cluster. The one node is the API, and its one router serves all applications: DNS has three names for one address. With a worker the router may move there, while DNS still leads to the first node; and the worker has to find api-int, which the control plane often answers for itself alone. It also needs an Ignition config that the installation never made: coreiso nodes ignition.

Workers at a remote site. Clusters on bare metal move two addresses between their nodes, one for the API and one for the routers, which works only among nodes in one network. A node elsewhere must neither take them nor run the default routers; its own applications and the addresses that its pods leave with need thought, too.

Each piece of advice comes with what to do: objects, DNS records, commands. --manifests writes the objects, one file each with a comment that says why. Nothing is ever applied:

  oc apply --server-side -f DIR

Where a fact is absent, nothing is said about it; coreiso nodes facts keeps all that a live cluster says, and of exported objects these help: infrastructure/cluster, ingress.config/cluster, network.config/cluster, nodes, and all ingresscontrollers, machineconfigpools, egressips, baremetalhosts, nodenetworkstates.`;

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
      ...liveOptions,
      { name: 'install-config', value: 'FILE', help: 'The install config that an agent-config goes with' },
      json,
      showSecrets,
    ],
    examples: ['coreiso nodes validate', 'coreiso nodes validate --cluster cluster.json nodes-config.yaml'],
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    kind: 'command',
    name: 'plan',
    summary: 'Show what each host gets, and what happens at its first, second and later boots',
    about: 'Accepts everything that the OpenShift installer accepts; nodes validate is stricter.',
    positionals: [configFile],
    options: [
      cluster,
      ...liveOptions,
      {
        name: 'machines',
        value: 'FILE',
        help: 'Machines to try the plan on: a list of objects, each with nics, a table from interface name to MAC address',
      },
      ...planArguments,
      statusTokenFile,
      noStatus,
      json,
      showSecrets,
    ],
    examples: ['coreiso nodes plan', 'coreiso nodes plan --machines machines.json nodes-config.yaml'],
    load: async () => (await import('./plan.ts')).plan,
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
      showSecrets,
    ],
    examples: ['coreiso nodes simulate --mac 52:54:00:e7:05:72', 'coreiso nodes simulate --mac eno1=52:54:00:e7:05:72'],
    load: async () => (await import('./simulate.ts')).simulate,
  },
  {
    kind: 'command',
    name: 'facts',
    summary: 'Export cluster facts as JSON',
    about:
      'Asks the cluster of the kubeconfig, or converts objects that were exported. The object is for --cluster, at a site that cannot reach the cluster. It holds the pull secret, as it has to, in a file and in a pipe; on a terminal secrets are shown as <redacted>. How long certificates in it are valid is said on the way.',
    positionals: [{ name: 'FACTS', help: 'A file or folder of objects exported with oc get -o yaml, or facts' }],
    options: [
      { name: 'output', short: 'o', value: 'FILE', help: 'Where to keep them, readable by their owner alone' },
      { name: 'redact', conflicts: ['show-secrets'], help: 'Without secrets, for a support case' },
      { ...showSecrets, help: 'Print the secrets on a terminal, too' },
      { name: 'sample', help: 'The facts of a cluster that does not exist, to try things with' },
      ...kubeconfigOptions,
      force('Replace a file that exists'),
    ],
    examples: [
      'coreiso nodes facts -o cluster.json',
      'coreiso nodes facts --redact',
      'coreiso nodes facts --sample > cluster.json',
      'coreiso nodes facts facts/ > cluster.json',
    ],
    load: async () => (await import('./facts.ts')).facts,
  },
  {
    kind: 'command',
    name: 'advise',
    summary: 'Say what will go wrong around the new nodes, and what to do about it',
    about: ADVISE_HELP,
    positionals: [configFile],
    options: [
      cluster,
      ...liveOptions,
      { name: 'manifests', value: 'DIR', help: 'Write what is recommended there, one file each' },
      {
        name: 'given',
        value: 'FILE',
        repeatable: true,
        help: 'Objects that will be applied, or are extra manifests of the installation: they are looked at, too',
      },
      {
        name: 'day',
        value: 'DAY',
        check: oneOf(['install', 'add']),
        help: 'install for hosts of a new cluster, add for hosts of an existing one (default: add)',
      },
      {
        name: 'remote',
        value: 'HOST',
        repeatable: true,
        help: 'A host at a remote site, where its addresses do not tell: with DHCP, for example',
      },
      {
        name: 'resolves',
        value: 'NAME=ADDRESS[,…]',
        repeatable: true,
        check: dnsRecord,
        help: "A name that the site's DNS answers; advice about it is silent then",
      },
      force('Replace files that exist'),
      json,
      showSecrets,
    ],
    examples: [
      'coreiso nodes advise --live',
      'coreiso nodes advise --cluster cluster.json --manifests advice',
      'coreiso nodes advise --cluster cluster.json --resolves api-int.reef.example.test=192.0.2.10',
    ],
    load: async () => (await import('./advise.ts')).advise,
  },
  {
    kind: 'command',
    name: 'ignition',
    summary: 'Write the Ignition config that makes a worker of a machine',
    about:
      'It has the address and the certificate of the machine config server, which is all that a worker needs; single-node installations never make one. With --host it has the name and the network of that host, too: its profiles find their network cards by MAC address.',
    positionals: [{ ...configFile, help: 'The config with the host of --host, nodes-config.yaml by default' }],
    options: [
      { name: 'host', value: 'NAME', help: 'A host of the config' },
      cluster,
      ...liveOptions,
      {
        name: 'output',
        short: 'o',
        value: 'FILE',
        help: 'File to write, readable only by its owner (default: standard output)',
      },
      force('Replace a file that exists'),
    ],
    examples: [
      'coreiso nodes ignition --live -o worker.ign',
      'coreiso nodes ignition --cluster cluster.json --host worker-0 -o worker-0.ign',
    ],
    load: async () => (await import('./ignition.ts')).ignition,
  },
  {
    kind: 'command',
    name: 'image',
    summary: 'Build the image that adds the hosts to the cluster',
    about: IMAGE_HELP,
    positionals: [configFile],
    options: [
      base,
      ...baseOptions,
      cluster,
      ...liveOptions,
      {
        name: 'output',
        short: 'o',
        value: 'OUT',
        help: 'File to write, or folder for several; - for standard output, s3://BUCKET/PREFIX/ for an object store',
      },
      { name: 'pxe', short: 'p', conflicts: ['minimal'], help: 'Files for network boot instead of an ISO image' },
      { name: 'minimal', help: 'An ISO image that fetches its root file system when it boots' },
      {
        name: 'artifacts-url',
        value: 'URL',
        help: 'Where the files for network boot will be found, instead of bootArtifactsBaseURL',
      },
      { name: 'per-host', help: 'One image per host, which needs no MAC address to tell hosts apart' },
      {
        name: 'presigned',
        value: 'FILE',
        help: 'Write addresses under which the images in a store can be read for an hour; the file is a secret',
      },
      ...planArguments,
      statusTokenFile,
      noStatus,
      {
        name: 'strict',
        conflicts: ['compatible'],
        help: 'Refuse configs that the OpenShift installer accepts but that fail later (default)',
      },
      { name: 'compatible', help: 'Only warn about configs that the OpenShift installer accepts' },
      { name: 'no-grow', help: 'Refuse what does not fit instead of making the image longer' },
      { name: 'base-sha256', value: 'HEX', check: sha256, help: 'What the base image must be' },
      {
        name: 'report',
        short: 'r',
        help: 'Write report.json beside the image, as oc does; of an image with a status port there is always a report',
      },
      sync,
      force('Replace files that exist'),
      json,
      ...singleHost,
    ],
    examples: [
      'coreiso nodes image --live',
      'coreiso nodes image --cluster cluster.json',
      'coreiso nodes image --base rhcos-live.iso --cluster cluster.json',
      'coreiso nodes image --base rhcos-live.iso --pxe -o /srv/http nodes-config.yaml',
      'coreiso nodes image --base rhcos-live.iso --per-host -o s3://images/site-a/ --valid-until 2030-01-31T12:00:00Z',
      'coreiso nodes image --base rhcos-live.iso --mac-address 52:54:00:e7:05:72 -o node.iso',
    ],
    load: async () => (await import('./image.ts')).image,
  },
  {
    kind: 'command',
    name: 'serve',
    summary: 'Serve the image that adds the hosts to the cluster, without writing it',
    about: `Each image is computed while it is read, from the base and a few kilobytes of its own: node.iso for all hosts, or with --per-host HOST.iso for each. Beside it are HOST-minimal.iso, and HOST.ARCH.ipxe with the files that it boots.\n\n${BASE_HELP}\n\n${SERVER_HELP}\n\nSeveral servers give the same answers if they get the same --token-file and --status-token-file, and the same everything else. A base file is read once at the start: copies of it make the same entity tags.`,
    positionals: [configFile],
    options: [
      base,
      ...baseOptions,
      cluster,
      ...liveOptions,
      { name: 'per-host', help: 'One image per host, which needs no MAC address to tell hosts apart' },
      ...planArguments,
      statusTokenFile,
      noStatus,
      {
        name: 'strict',
        conflicts: ['compatible'],
        help: 'Refuse configs that the OpenShift installer accepts but that fail later (default)',
      },
      { name: 'compatible', help: 'Only warn about configs that the OpenShift installer accepts' },
      { name: 'no-grow', help: 'Refuse what does not fit instead of making the image longer' },
      ...serverOptions,
    ],
    examples: [
      'coreiso nodes serve --live',
      'coreiso nodes serve --base rhcos-live.iso --cluster cluster.json',
      'coreiso nodes serve --base https://mirror.example/rhcos-live.iso --per-host --listen 0.0.0.0:8080 --token-file token --valid-until 2030-01-31T12:00:00Z',
    ],
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    kind: 'command',
    name: 'monitor',
    summary: 'Watch the hosts become nodes',
    about: MONITOR_HELP,
    positionals: [
      {
        name: 'FILE|IP',
        repeatable: true,
        help: 'The config that the image was made from, nodes-config.yaml by default, or addresses',
      },
    ],
    options: [
      {
        name: 'address',
        value: 'HOST=IP[:PORT]',
        repeatable: true,
        check: hostAddress,
        help: 'Where a host is reached if not at the address of its config',
      },
      {
        name: 'report',
        value: 'FILE',
        help: 'The report of the image, which opens the status port of its machines; the newest beside the config by default',
      },
      {
        ...statusTokenFile,
        conflicts: ['report'],
        help: 'The token that the image was made with, instead of a report',
      },
      { name: 'timeout', value: 'TIME', check: timeLimit, help: 'When to give up, such as 45m or 2h; 90m by default' },
      ...kubeconfigOptions,
      { name: 'json', help: 'One JSON object per line' },
    ],
    examples: [
      'coreiso nodes monitor',
      'coreiso nodes monitor --report node.x86_64.report.json nodes-config.yaml',
      'coreiso nodes monitor --address worker-0=203.0.113.5:18090',
      'coreiso nodes monitor 192.0.2.10 192.0.2.11',
      'coreiso nodes monitor --json | jq .message',
    ],
    load: async () => (await import('./arrival/monitor.ts')).monitor,
  },
  {
    kind: 'command',
    name: 'approve',
    summary: 'Approve the certificate requests of planned nodes',
    about:
      'A new node asks for two certificates. The first is approved only if the node bootstrapper asks for it, with exactly the name of a planned host that is no node yet; the second only if that node asks for it, with names and addresses of its own. Of two requests for one name with different keys neither is. Shows what was checked and asks before anything is approved.',
    positionals: [
      { name: 'FILE|IP', repeatable: true, help: 'The config with the hosts, nodes-config.yaml by default' },
    ],
    options: [{ name: 'yes', short: 'y', help: 'Do not ask' }, ...kubeconfigOptions, json],
    examples: ['coreiso nodes approve', 'coreiso nodes approve --yes nodes-config.yaml'],
    load: async () => (await import('./arrival/approve.ts')).approve,
  },
];

function hostAddress(text: string): void {
  if (!/^[^=]+=(?:\[[0-9a-fA-F:.]+\](?::\d+)?|[^:\s]+(?::\d+)?|[0-9a-fA-F:.]+)$/.test(text)) {
    throw new Error('expected HOST=ADDRESS');
  }
}

async function dnsRecord(text: string): Promise<void> {
  (await import('./advise.ts')).parseRecord(text);
}

async function timeLimit(text: string): Promise<void> {
  (await import('./arrival/time-limit.ts')).readTimeLimit(text);
}

function oneOf(values: readonly string[]): (text: string) => void {
  return (text) => {
    if (!values.includes(text)) throw new Error(`expected one of ${values.join(', ')}`);
  };
}

function sha256(text: string): void {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error('expected 64 hexadecimal digits');
}
