import { BASE_HELP, baseOptions } from '../../frame/base-options.ts';
import type { Command } from '../../frame/command.ts';
import { fixOptions } from '../../frame/fix/fix-options.ts';
import type { Option, Positional } from '../../frame/usage.ts';
import { GATHER_ABOUT, gatherOptions } from '../gather/options.ts';
import { SERVER_HELP, serverOptions } from '../serve/options.ts';
import {
  checkDigest,
  force,
  growOptions,
  hostAddress,
  json,
  kubeconfigOptions,
  liveOptions,
  showSecrets,
  sync,
} from '../shared-arguments.ts';
import { templateCommand } from '../template.ts';
import { hostIgnition, joinDetails, noStatus, planArguments, statusTokenFile } from './plan-arguments.ts';

const configFile: Positional = { name: 'FILE', help: 'Config file, - for standard input (default: nodes-config.yaml)' };

const cluster: Option = {
  name: 'cluster',
  value: 'FACTS',
  help: 'Cluster facts, or a file or directory of objects',
};

const base: Option = { name: 'base', value: 'BASE', help: 'Live image (default: the one of the cluster)' };

/** Options of base images, with two aliases of `oc`. */
const ocBaseOptions: readonly Option[] = [
  ...baseOptions.map((option) => (option.name === 'registry-config' ? { ...option, short: 'a' } : option)),
  {
    name: 'certificate-authority',
    value: 'FILE',
    conflicts: ['registry-ca'],
    rare: true,
    help: 'The same as --registry-ca, as oc calls it',
  },
];

const KINDS = ['nodes-config', 'agent-config', 'nmstateconfig', 'infraenv'];

/** Options for the strictness of validation. */
const strictness: readonly Option[] = [
  {
    name: 'strict',
    conflicts: ['compatible'],
    rare: true,
    help: 'Refuse configs that the OpenShift installer accepts but that fail later (default)',
  },
  { name: 'compatible', help: 'Accept all that the OpenShift installer accepts' },
];

/** `oc adm node-image monitor` runs a pod of the release, and so has registry options. */
const IGNORED = 'Accepted for compatibility; ignored: no registry is read';
const ignoredRegistryOptions: readonly Option[] = [
  { name: 'registry-config', short: 'a', value: 'FILE', rare: true, help: IGNORED },
  { name: 'certificate-authority', value: 'FILE', rare: true, help: IGNORED },
  { name: 'insecure', rare: true, help: IGNORED },
  { name: 'skip-verification', rare: true, help: IGNORED },
];

/** The flags of `oc adm node-image create` that describe one host without a file. */
const singleHost: readonly Option[] = [
  { name: 'mac-address', short: 'm', value: 'MAC', help: 'Build for one host, without a FILE' },
  { name: 'hostname', value: 'NAME', rare: true, help: 'Host name, with --mac-address' },
  { name: 'cpu-architecture', short: 'c', value: 'ARCH', rare: true, help: 'Architecture, with --mac-address: amd64' },
  {
    name: 'ssh-key-path',
    short: 'k',
    value: 'FILE',
    rare: true,
    help: 'Public SSH key of user core of the live system, with --mac-address',
  },
  {
    name: 'root-device-hint',
    value: 'NAME:VALUE',
    repeatable: true,
    rare: true,
    help: 'Disk to install to, with --mac-address: deviceName:/dev/sda',
  },
  {
    name: 'network-config-path',
    value: 'FILE',
    rare: true,
    help: 'Network state, with --mac-address; the network card is called eth0',
  },
];

const IMAGE_ABOUT = `A machine that boots the image overwrites the disk that its root device hints choose, and joins the cluster. Without the facts that a worker needs it only gets its network and its name. The image holds secrets: only its owner can read it. If there is an error, nothing is written.`;

const IMAGE_DETAILS = `${joinDetails} --kubeconfig defaults to KUBECONFIG, else ~/.kube/config. --registry-config defaults to the pull secret of the cluster facts, else to that of podman or docker.

--live reads the cluster facts through the kubeconfig: one command from kubeconfig to image. If the cluster cannot be reached from here, export them elsewhere with coreiso nodes facts -o cluster.json and pass --cluster, or let oc fill a directory; the objects of the last commands are optional:

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

The default live image is that of the release that the cluster runs. It is read from its registry or a mirror with the pull secret, mirrors and certificates of the cluster. If no registry can be reached, it is the one that ConfigMap coreos-bootimages names. Name and size are printed before the download. --os-stream names an operating system other than that of new nodes of the cluster, --base another image. ${BASE_HELP} --base release: stands for the release of the cluster.

A machine that joins requests two certificates, one after the other; approve them:

  coreiso nodes monitor    # shows them, and what each host waits for
  coreiso nodes approve    # or oc adm certificate approve <name>

With --per-host the images can go to an object store (-o s3://BUCKET/PREFIX/), which copies the base itself; endpoint, region and credentials are read as the AWS tools read them. Objects that exist are kept: repeat an interrupted run with the same --valid-until and --status-token-file. coreiso fleet status lists them.`;

const MONITOR_ABOUT = `Shows what each host waits for, with the command that helps: as a table on a terminal, elsewhere one line per change. It approves nothing. Hosts and their addresses come from the config; a host that gets its address by DHCP is recognised by its name.

Exit status: 0 all hosts are ready; 1 a host failed and needs attention; 3 the time is up. To watch on after an interruption, repeat the command.`;

const MONITOR_DETAILS = `A host, from image to Ready node:

  1. coreiso nodes image --live writes the image, and beside it the report
     with the token of its status port.
  2. The host boots the image. Its live system checks memory, disk, names,
     clock and the cluster, and reports the results: a check that fails
     says why, and runs again every minute. Then it writes its disk.
  3. It reboots. The kubelet starts and requests its first certificate:
     coreiso nodes approve, or oc adm certificate approve <name>.
  4. The node joins, and requests its second certificate, which is approved
     the same way.
  5. It is Ready once its network is there, after a few minutes.

A host with DHCP is seen from its first certificate request on, or with --address from its live system on.`;

const ADVISE_ABOUT = `Compares the hosts with the cluster facts, before anything boots, and says what to do: objects, DNS records, commands. --manifests writes the objects, one file each with a comment that says why. Nothing is ever applied; oc apply --server-side -f DIR does that. An Ignition override among them goes into the image: coreiso nodes image --host-ignition HOST=FILE.`;

const ADVISE_DETAILS = `Two cases that go wrong without it:

Workers of a single-node cluster. The one node is the API, and its one router serves all applications: DNS has three names for one address. With a worker the router may move there, while DNS still leads to the first node; and the worker has to find api-int, which the control plane often resolves only for itself. It also needs an Ignition config that the installation never made: coreiso nodes ignition.

Workers at a remote site. Clusters on bare metal move two addresses between their nodes, one for the API and one for the routers, which works only among nodes in one network. A node elsewhere must neither take them nor run the default routers; its own applications and the egress addresses of its pods need thought, too.

A check whose facts are absent is skipped. coreiso nodes facts exports all facts of a live cluster; of exported objects these help: infrastructure/cluster, ingress.config/cluster, network.config/cluster, nodes, and all ingresscontrollers, machineconfigpools, egressips, baremetalhosts, nodenetworkstates.`;

/** Commands about nodes: plan them, build their images, and follow their arrival. */
export const nodesCommands: readonly Command[] = [
  templateCommand({
    what: 'a nodes-config',
    command: 'nodes',
    file: 'nodes-config.yaml',
    next: 'coreiso nodes validate, and coreiso nodes image --live.',
    text: async () => (await import('@coreiso/nodes-config')).samples.nodesConfig,
  }),
  {
    kind: 'command',
    name: 'validate',
    summary: 'Check a nodes-config, agent-config, NMStateConfig or InfraEnv',
    about:
      'Reports everything that the OpenShift installer refuses, in its words, and mistakes that it misses: misspelt keys, MAC addresses in two spellings, names that YAML turns into something else.',
    positionals: [configFile],
    options: [
      {
        name: 'kind',
        value: 'KIND',
        choices: KINDS,
        rare: true,
        help: `One of ${KINDS.join(', ')} (default: detected)`,
      },
      cluster,
      ...liveOptions,
      { name: 'install-config', value: 'FILE', help: 'Install config of an agent-config' },
      ...fixOptions,
      ...strictness,
      json,
      showSecrets,
    ],
    examples: [
      'coreiso nodes validate',
      'coreiso nodes validate --fix',
      'coreiso nodes validate --cluster cluster.json nodes-config.yaml',
    ],
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    kind: 'command',
    name: 'plan',
    summary: 'Show what each host gets at each boot',
    about: 'Accepts everything that the OpenShift installer accepts; nodes validate is stricter.',
    positionals: [configFile],
    options: [
      cluster,
      ...liveOptions,
      {
        name: 'machines',
        value: 'FILE',
        help: 'Machines to try the plan on: a YAML or JSON list of {nics: {NAME: MAC}}',
      },
      ...planArguments,
      statusTokenFile,
      noStatus,
      { name: 'svg', conflicts: ['json', 'machines'], help: 'Draw the networks of the hosts as SVG instead' },
      json,
      showSecrets,
    ],
    examples: [
      'coreiso nodes plan',
      'coreiso nodes plan --svg > networks.svg',
      'coreiso nodes plan --machines machines.json nodes-config.yaml',
    ],
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
        help: 'MAC address of a network card, and its name on the machine (default: that in the config)',
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
      'Reads the cluster of the kubeconfig, or converts exported objects. Pass the result to --cluster at a site that cannot reach the cluster. It contains the pull secret, in a file and in a pipe; on a terminal secrets are shown as <redacted>. Warns about certificates that expire soon.',
    positionals: [{ name: 'FACTS', help: 'File or directory of objects that oc get -o yaml printed, or facts' }],
    options: [
      {
        name: 'output',
        short: 'o',
        value: 'FILE',
        help: 'File to write, readable only by its owner (default: standard output)',
      },
      { name: 'redact', conflicts: ['show-secrets'], help: 'Leave out secrets, for a support case' },
      { ...showSecrets, help: 'Print secrets on a terminal, too' },
      { name: 'sample', help: 'Print the facts of an imaginary cluster, to try things' },
      {
        name: 'rbac',
        conflicts: ['sample', 'redact', 'output'],
        help: 'Print the ClusterRole that reading them needs, as YAML to apply',
      },
      ...kubeconfigOptions,
      force('Replace a file that exists'),
    ],
    examples: [
      'coreiso nodes facts -o cluster.json',
      'coreiso nodes facts --redact',
      'coreiso nodes facts --sample > cluster.json',
      'coreiso nodes facts facts/ > cluster.json',
      'coreiso nodes facts --rbac | oc apply -f -',
    ],
    load: async () => (await import('./facts.ts')).facts,
  },
  {
    kind: 'command',
    name: 'advise',
    summary: 'Find problems around the new nodes, and show how to solve them',
    about: ADVISE_ABOUT,
    details: ADVISE_DETAILS,
    positionals: [configFile],
    options: [
      cluster,
      ...liveOptions,
      { name: 'manifests', value: 'DIR', help: 'Write the recommended objects to this directory, one file each' },
      {
        name: 'given',
        value: 'FILE|DIR',
        repeatable: true,
        help: 'File or directory of objects that will be applied, or of extra manifests of the installation',
      },
      {
        name: 'day',
        value: 'DAY',
        choices: ['install', 'add'],
        rare: true,
        help: 'When the hosts are added: install for a new cluster, add for an existing one (default)',
      },
      {
        name: 'remote',
        value: 'HOST',
        repeatable: true,
        help: 'Host at a remote site; needed if it has no static address',
      },
      {
        name: 'resolves',
        value: 'NAME=ADDRESS[,…]',
        repeatable: true,
        check: dnsRecord,
        help: "Name that the site's DNS already resolves",
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
    load: async () => (await import('./advice/advise.ts')).advise,
  },
  {
    kind: 'command',
    name: 'shard',
    summary: 'Print the IngressController of a remote site',
    about:
      'Prints an IngressController whose routers run on the nodes with the node labels and take the routes with the route labels. Nothing is applied. Its domain needs a DNS record, and with several nodes a load balancer: coreiso nodes haproxy.',
    options: [
      {
        name: 'name',
        value: 'NAME',
        required: true,
        check: routerCheck('checkObjectName'),
        help: 'Name of the IngressController',
      },
      {
        name: 'domain',
        value: 'DOMAIN',
        required: true,
        check: routerCheck('checkDomain'),
        help: 'Domain of its routes',
      },
      {
        name: 'node-label',
        value: 'KEY=VALUE',
        required: true,
        repeatable: true,
        check: routerCheck('readLabel'),
        help: 'Label of the nodes that its routers run on',
      },
      {
        name: 'route-label',
        value: 'KEY=VALUE',
        required: true,
        repeatable: true,
        check: routerCheck('readLabel'),
        help: 'Label of the routes that it takes',
      },
      {
        name: 'replicas',
        value: 'NUMBER',
        check: routerCheck('checkReplicas'),
        help: 'Number of routers (default: 1)',
      },
    ],
    examples: [
      'coreiso nodes shard --name far --domain apps-far.reef.example.test --node-label kubernetes.io/hostname=far-0 --route-label site=far | oc apply --server-side -f -',
    ],
    load: async () => (await import('./advice/routers.ts')).shard,
  },
  {
    kind: 'command',
    name: 'haproxy',
    summary: 'Print an HAProxy config for the routers of a site',
    about:
      'Prints a configuration of HAProxy that hands ports 80 and 443 to the routers on the nodes, connection by connection. Let *.DOMAIN lead to the machine that runs it.',
    options: [
      {
        name: 'domain',
        value: 'DOMAIN',
        required: true,
        check: routerCheck('checkDomain'),
        help: 'Domain of the routes',
      },
      {
        name: 'node',
        value: 'NAME=ADDRESS',
        required: true,
        repeatable: true,
        check: routerCheck('readBackend'),
        help: 'Node that runs a router, and its address',
      },
    ],
    examples: [
      'coreiso nodes haproxy --domain apps-far.reef.example.test --node far-0=198.51.100.7 --node far-1=198.51.100.8',
    ],
    load: async () => (await import('./advice/routers.ts')).haproxy,
  },
  {
    kind: 'command',
    name: 'ignition',
    summary: 'Write the Ignition config of a worker',
    about:
      'It has the address and the certificate of the machine config server, which is all that a worker needs; single-node installations never make one. With --host it also has the name and the network of that host, whose profiles find their network cards by MAC address.',
    positionals: [{ ...configFile, help: 'Config with the host of --host (default: nodes-config.yaml)' }],
    options: [
      { name: 'host', value: 'NAME', help: 'Host of the config' },
      cluster,
      ...liveOptions,
      ...strictness,
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
    summary: 'Build an image that adds hosts to a cluster',
    about: IMAGE_ABOUT,
    details: IMAGE_DETAILS,
    positionals: [configFile],
    options: [
      base,
      ...ocBaseOptions,
      cluster,
      ...liveOptions,
      {
        name: 'output',
        short: 'o',
        value: 'OUT',
        help: 'File, directory, - or s3://BUCKET/PREFIX/',
      },
      {
        name: 'dir',
        value: 'DIR',
        rare: true,
        help: 'Folder of nodes-config.yaml, which takes the images, too; --output is then relative to it',
      },
      {
        name: 'output-name',
        value: 'NAME',
        conflicts: ['output', 'pxe', 'per-host'],
        check: imageName,
        rare: true,
        help: 'Name of the image in the folder of --dir',
      },
      {
        name: 'skip-verification',
        rare: true,
        help: 'Accepted for compatibility; ignored: images are verified by their digests',
      },
      { name: 'pxe', short: 'p', conflicts: ['minimal'], help: 'Write network-boot files instead of an ISO' },
      { name: 'minimal', help: 'Write an ISO that fetches its root file system' },
      {
        name: 'artifacts-url',
        value: 'URL',
        rare: true,
        help: 'Address of the network-boot files (default: bootArtifactsBaseURL of the config)',
      },
      {
        name: 'rootfs-url',
        value: 'URL',
        rare: true,
        help: 'Address of the root file system of a minimal image (default: below that of the boot files, or the one that stream, cluster or release name)',
      },
      { name: 'per-host', help: 'Write one image per host' },
      {
        name: 'config-iso',
        conflicts: ['pxe', 'minimal', 'per-host', 'base', 'base-sha256', 'artifacts-url', 'report'],
        rare: true,
        help: 'Write the settings alone, as a small ISO for machines that booted without (--join service)',
      },
      {
        name: 'presigned',
        value: 'FILE',
        rare: true,
        help: 'Write addresses that open the images in a store for an hour; keep the file secret',
      },
      ...planArguments,
      statusTokenFile,
      noStatus,
      hostIgnition,
      ...strictness,
      ...growOptions('grow'),
      { name: 'base-sha256', value: 'HEX', check: checkDigest, rare: true, help: 'Expected digest of the base image' },
      {
        name: 'report',
        short: 'r',
        rare: true,
        help: 'Write report.json beside the image, also on failure, as oc does (a failure in a folder and an image with a status port always have a report)',
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
    summary: 'Serve an image that adds hosts to a cluster, without writing it',
    about:
      'Computes each image while it is read, from the base and a few kilobytes of its own: node.iso for all hosts, or with --per-host HOST.iso for each. Also serves HOST-minimal.iso, and HOST.ARCH.ipxe with the files that it boots.',
    details: `${BASE_HELP}\n\n${SERVER_HELP}\n\nServers with the same --token-file, --status-token-file and other settings give the same answers. A base file is read once at the start: copies of it make the same entity tags.`,
    positionals: [configFile],
    options: [
      base,
      ...baseOptions,
      cluster,
      ...liveOptions,
      { name: 'per-host', help: 'Serve one image per host' },
      ...planArguments,
      statusTokenFile,
      noStatus,
      hostIgnition,
      ...strictness,
      ...growOptions('grow'),
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
    summary: 'Watch hosts become nodes',
    about: MONITOR_ABOUT,
    details: MONITOR_DETAILS,
    positionals: [
      {
        name: 'FILE|IP',
        repeatable: true,
        help: 'Config that the image was made from, or addresses (default: nodes-config.yaml)',
      },
    ],
    options: [
      {
        name: 'address',
        value: 'HOST=IP[:PORT]',
        repeatable: true,
        check: hostAddress,
        help: 'Address of a host, if it is not that of the config',
      },
      {
        name: 'ip-addresses',
        value: 'IP[,…]',
        rare: true,
        help: 'Addresses of hosts, as oc takes them',
      },
      ...ignoredRegistryOptions,
      {
        name: 'report',
        value: 'FILE',
        help: 'Report of the image, which opens the status port (default: the newest beside the config)',
      },
      {
        ...statusTokenFile,
        conflicts: ['report'],
        help: 'Token that the image was made with, instead of a report',
      },
      { name: 'timeout', value: 'TIME', check: timeLimit, help: 'When to give up, such as 45m or 2h (default: 90m)' },
      ...kubeconfigOptions,
      { ...json, help: 'Print one JSON object per line' },
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
      'Shows what was checked, and asks before it approves. A new node requests two certificates. The first is approved only if the node bootstrapper requests it, with exactly the name of a planned host that is not a node yet; the second only if that node requests it, with its own names and addresses. Two requests for one name with different keys are both left alone.',
    positionals: [
      { name: 'FILE|IP', repeatable: true, help: 'Config with the hosts, or addresses (default: nodes-config.yaml)' },
    ],
    options: [{ name: 'yes', short: 'y', help: 'Approve without asking' }, ...kubeconfigOptions, json],
    examples: ['coreiso nodes approve', 'coreiso nodes approve --yes nodes-config.yaml'],
    load: async () => (await import('./arrival/approve.ts')).approve,
  },
  {
    kind: 'command',
    name: 'gather',
    summary: 'Collect the logs of all hosts over ssh',
    about: GATHER_ABOUT,
    positionals: [
      { name: 'FILE|IP', repeatable: true, help: 'Config with the hosts, or addresses (default: nodes-config.yaml)' },
    ],
    options: [
      {
        name: 'address',
        value: 'HOST=IP[:PORT]',
        repeatable: true,
        check: hostAddress,
        help: 'Address of a host, if it is not that of the config',
      },
      ...gatherOptions,
    ],
    examples: ['coreiso nodes gather', 'coreiso nodes gather -i key -o logs.tar 192.0.2.20 192.0.2.21'],
    load: async () => (await import('./arrival/gather.ts')).gatherNodes,
  },
];

function imageName(text: string): void {
  if (!/^[^/\\]+\.iso$/i.test(text)) throw new Error('expected the name of an ISO image, such as node.iso');
}

function routerCheck(name: Exclude<keyof typeof import('./advice/routers.ts'), 'shard' | 'haproxy'>) {
  return async (text: string): Promise<void> => {
    (await import('./advice/routers.ts'))[name](text);
  };
}

async function dnsRecord(text: string): Promise<void> {
  (await import('./advice/advise.ts')).parseRecord(text);
}

async function timeLimit(text: string): Promise<void> {
  (await import('./arrival/time-limit.ts')).readTimeLimit(text);
}
