import type { Command } from '../../frame/command.ts';
import { force, json, showSecrets } from '../shared-arguments.ts';
import { templateCommand } from '../template.ts';

const RENDER_HELP = `A hub is a cluster that installs others: its assisted service makes an image for the new cluster, its bare-metal operator boots machines from it through their management controllers. Objects on the hub describe both. The file of a site has the keys of an install config and of a nodes-config:

  metadata: {name: reef}
  baseDomain: example.test
  openshiftVersion: 4.20.3
  releaseImage: quay.example.test/ocp/release@sha256:…
  networking:
    machineNetwork: [{cidr: 192.0.2.0/24}]
    clusterNetwork: [{cidr: 10.128.0.0/14, hostPrefix: 23}]
    serviceNetwork: [172.30.0.0/16]
  apiVIPs: [192.0.2.5]
  ingressVIPs: [192.0.2.6]
  service:
    storageClassName: lvms-vg1      # optional, as databaseStorage: 20Gi,
    osImages:                       # filesystemStorage and imageStorage
    - openshiftVersion: "4.20"
      version: 420.96.202511010000-0
      url: https://mirror.example.test/rhcos-live.x86_64.iso
  hosts:                   # as in a nodes-config, each with
  - hostname: far-0
    role: worker
    interfaces: [{name: eno1, macAddress: 52:54:00:e7:05:72}]
    bmc:                   # user and password are in Secret far-0-bmc
      address: redfish-virtualmedia://198.51.100.90/redfish/v1/Systems/1
    networkConfig: …

A worker whose addresses are outside the machine networks, or that says remote: true, is at a remote site. It must not take the virtual addresses of the cluster nor run its routers, and the service must not refuse it: the objects see to that.

Make the secrets on the hub:

  oc create secret generic pull-secret -n reef \\
    --type=kubernetes.io/dockerconfigjson --from-file=.dockerconfigjson=FILE
  oc create secret generic far-0-bmc -n reef \\
    --from-literal=username=USER --from-literal=password=PASSWORD`;

/** Commands for hubs. */
export const ztpCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'render',
    summary: 'Render the manifests that a hub installs a site from',
    about:
      'One file describes the site; coreiso ztp template prints one. Secrets are not in it and are not written. Nothing is applied: oc apply --server-side -f DIR does that.',
    details: RENDER_HELP,
    positionals: [{ name: 'SITE', required: true, help: 'File that describes the site, - for standard input' }],
    options: [
      {
        name: 'output',
        short: 'o',
        value: 'DIR',
        help: 'Directory to write the manifests to (default: print them)',
      },
      force('Replace files that exist'),
      json,
      showSecrets,
    ],
    examples: ['coreiso ztp render site.yaml', 'coreiso ztp render site.yaml -o hub'],
    load: async () => (await import('./render.ts')).render,
  },
  templateCommand({
    what: 'the file that describes a site',
    command: 'ztp',
    file: 'site.yaml',
    next: 'coreiso ztp render site.yaml',
    text: async () => (await import('@coreiso/nodes-config')).samples.site,
  }),
];
