import { type Diagnostic, diagnostic, type Finding, type Range } from '@coreiso/diagnostics';

/** Every code of this package's findings, behind `nodes-config/`, and what it means; the README has the same list. */
export const CODES = {
  // Files as texts.
  'wrong-type': 'A value is of another type than is read there.',
  'unknown-key': 'A key is not known.',
  'misplaced-key': 'A key belongs to another place.',
  'duplicate-key': 'A map has a key twice.',
  'key-case': 'A key is written in other letter case.',
  'unquoted-text': 'A number or a word of YAML becomes another text.',
  'null-entry': 'An entry of a list is empty.',
  'ignored-document': 'A file has more documents than are read.',
  'excessive-aliasing': 'Too much of a document comes from aliases.',
  'api-version': 'The version of the document is not known.',
  'no-hosts': 'There is no host.',
  // Settings for all hosts.
  architecture: 'The architecture is not supported, or not the right one.',
  'base-architecture': 'The base image is for another architecture.',
  'ssh-key': 'An SSH key cannot be read.',
  'boot-url': 'The address of the boot artifacts is no URL.',
  'rendezvous-ip': 'The rendezvous address is no address.',
  'no-rendezvous-ip': 'No host has an address that could be the rendezvous address.',
  'rendezvous-on-worker': 'The rendezvous host is not of the control plane.',
  unconfigured: 'A setting belongs to a site, and an image that knows no site cannot have it.',
  'rendezvous-on-no-host': 'No host has the rendezvous address, and all have static ones.',
  'ntp-source': 'A time server is neither a name nor an address.',
  // Hosts.
  'no-interfaces': 'A host has no interfaces.',
  role: 'A role is not known, or is missing.',
  'role-not-worker': 'A host that is added has another role than worker.',
  hostname: 'A name cannot be that of an object.',
  'duplicate-hostname': 'Two hosts have one name.',
  'hostname-path': 'A name cannot be that of a file.',
  'unsafe-name': 'A name would lead a file of an image out of its folder.',
  'hostname-invalid': 'The service on the machine refuses a name.',
  'hostname-in-cluster': 'A node of the cluster has the name already.',
  'too-many-hosts': 'There are more hosts of a role than replicas.',
  'too-few-hosts': 'There are fewer hosts of a role than replicas.',
  'ignored-hosts': 'Hosts of the install config do not count.',
  'boot-mac': 'The boot MAC address is none of the host.',
  // MAC addresses.
  'mac-missing': 'An interface has no MAC address.',
  'mac-invalid': 'A text is no MAC address.',
  'mac-form': 'A MAC address is not written with colons.',
  'duplicate-mac': 'Two interfaces have one MAC address.',
  'zero-mac': 'A MAC address has nothing but zeros.',
  'broadcast-mac': 'A MAC address belongs to no single card.',
  // Disks.
  'device-name': 'The name of a device is no path below /dev.',
  'wwn-extension': 'A WWN and its vendor extension do not fit.',
  'hopeless-hint': 'No disk can match a hint.',
  // Networks of hosts.
  'network-shape': 'A network state has another shape than is read.',
  'network-empty': 'nmstate makes no profile of a network state.',
  'keyfile-line': 'A line of a profile cannot be read again.',
  'keyfile-value': 'A value is not the same after it was written into a profile.',
  'profile-name': 'The name of a profile cannot be that of a file.',
  'table-not-unique': 'A name or a MAC address is twice in the table of a host.',
  'interface-unmapped': 'An interface of the network has no MAC address in the table.',
  'interface-unnamed': 'An interface of the table has no name.',
  'interface-name': 'The name of an interface cannot be that of a link.',
  'interface-name-word': 'The name of an interface is replaced inside other words.',
  'duplicate-interface-name': 'Two interfaces of the table have one name.',
  'name-not-in-network': 'A name of the table is not in the network.',
  'duplicate-address': 'Two hosts have one address.',
  'address-in-cluster': 'A node of the cluster has the address already.',
  'virtual-address': 'A host, or the rendezvous address, has a virtual address of the cluster.',
  'address-is-gateway': 'A host has the address of its own gateway.',
  'network-address': 'An address is that of a network, or its broadcast address.',
  'no-labels': 'A manifest has no labels.',
  // How hosts join.
  'virtual-identity': 'A host is known only by links that are made at boot.',
  // Clusters.
  'service-refuses': 'The service that installs the cluster refuses what the installer takes.',
  'cluster-object': 'An exported object cannot be read, or is missing.',
  'cluster-architecture': 'The facts do not tell the architecture of the cluster.',
  platform: 'The platform is not supported, or does not fit.',
  'api-server-url': 'The address of the API does not tell the name of the cluster.',
  'worker-user-data': 'The config that workers get cannot be read.',
  'pull-secret': 'The pull secret cannot be used.',
  'internal-registry': 'The cluster keeps its release in a registry of its own.',
  mirrors: 'Mirrors cannot be used, or do not fit the release.',
  'release-image': 'The release image is not the right one, or no image.',
  'trust-bundle': 'Certificates cannot be read, or cannot be trusted by.',
  chrony: 'The time servers of the cluster cannot be read.',
  'no-proxy': 'The exceptions of the proxy were taken from its status.',
  'valid-until': 'Until when an embedded credential is valid.',
  // What a simulated boot finds.
  'boot-no-match': 'A machine is no host of the plan.',
  'boot-shared-mac': 'Two hosts want one card of a machine.',
  'boot-several-hosts': 'A machine has cards of several hosts.',
  'boot-absent-nic': 'A host has a card that the machine lacks.',
  'boot-replaced-profile': 'A profile of the base image is replaced.',
  'boot-name-clash': 'A card of the machine has a name that a profile uses for another.',
  'boot-dhcp': 'The host has no network of its own.',
  // Install configs.
  'cluster-name': 'The name of the cluster cannot be one.',
  'base-domain': 'The base domain is no domain.',
  'trust-bundle-policy': 'The policy of the trust bundle is not known.',
  'fips-host': 'FIPS is asked for on a host that does not have it on.',
  'old-field': 'A field and its old name disagree.',
  'old-vip': 'The list of virtual addresses and the one of old disagree.',
  ignored: 'A setting has no effect with this installer.',
  unread: 'A setting is ignored.',
  replicas: 'The number of machines does not fit.',
  'single-node': 'Settings do not fit a single node.',
  arbiter: 'The arbiters do not fit.',
  fencing: 'The credentials for fencing do not fit.',
  'pool-name': 'A pool has another name than it must have.',
  'pool-platform': 'The platform of a pool is not that of the cluster.',
  hyperthreading: 'The mode of hyperthreading is not known.',
  vip: 'A virtual address does not fit the networks.',
  'load-balancer': 'The load balancer does not fit.',
  provisioning: 'The provisioning network does not fit.',
  bmc: 'A management controller cannot be used.',
  vcenter: 'A vCenter does not fit.',
  vsphere: 'Settings of vSphere do not fit.',
  nutanix: 'Settings of Nutanix do not fit.',
  network: 'A network does not fit.',
  'cluster-network': 'The networks of pods are too small.',
  proxy: 'The proxy cannot be used.',
  publish: 'How endpoints are published does not fit.',
  'credentials-mode': 'The mode of credentials does not fit.',
  capabilities: 'The capabilities do not fit.',
  features: 'A feature needs a feature set.',
  'os-image-stream': 'The stream of the operating system is not known.',
  // Manifests of a directory.
  missing: 'A file is missing.',
  discarded: 'A file of the directory is made anew.',
  rendezvous: 'Nothing tells the address of the rendezvous host.',
  'machine-count': 'A number of machines is less than none.',
  'forgotten-network': 'What is remembered of a host cannot be used.',
  'disk-encryption': 'The encryption of disks is not known.',
  labels: 'The labels of a network are not those that are selected.',
  'line-break': 'A text cannot be written into one line.',
  registries: 'The file of the registries cannot be used.',
  'extra-manifest': 'A manifest for the new cluster cannot be used.',
  // Sites of a hub.
  name: 'A name cannot be that of an object.',
  version: 'The version is no version of OpenShift.',
  'machine-network': 'A host of the control plane is outside the machine networks.',
  'remote-role': 'A host at a remote site is no worker.',
  'node-label': 'A label cannot be one of a node.',
  ignition: 'An override is no Ignition config.',
  'os-image': 'The service has no live image for the site.',
  storage: 'A size of storage is no quantity.',
  // Advice.
  'router-floats': 'The routers can run on a node that no name leads to.',
  'router-on-remote-node': 'A router can run at a remote site.',
  'node-expressions': 'The placement of routers cannot be judged.',
  'shard-without-selector': 'A sharded controller serves all routes.',
  'shard-unreachable': 'The name of a shard leads to no node of it.',
  'private-names': 'A node cannot resolve the internal names of the API.',
  'no-dns-server': 'A host has no name server.',
  'no-default-route': 'A host has no way to other networks.',
  'keepalived-on-remote-node': 'A remote node takes part in keeping the virtual addresses.',
  'validations-left-on': 'The service refuses hosts outside the machine networks.',
  'node-manifest': 'A Node among the manifests breaks the installation.',
  'unwatched-hosts': 'The operator does not look at the namespace of the hosts.',
  'egress-stranded': 'No node can have an egress address.',
  'egress-path': 'Traffic of an egress address takes another way.',
  'small-mtu': 'An MTU is smaller than the network of the cluster needs.',
  'other-mtu': 'An MTU is another than that of the other nodes.',
  'other-vlan': 'A VLAN is another than that of the other nodes.',
  'missing-family': 'A host lacks addresses of a family that the cluster uses.',
} as const;

/** A code of this package without the package in front. */
export type Rule = keyof typeof CODES;

/** A code of this package. */
type ConfigCode = `nodes-config/${Rule}`;

/** A code of this package, or of those that read what is inside a document. */
export type FindingCode = ConfigCode | `diagnostics/${string}` | `nmstate/${string}`;

/** A finding with a code of this table. */
export interface ConfigFinding extends Finding {
  readonly code: FindingCode;
}

/** The code of a finding that is told on, in other words or at another place. */
export function codeOf({ code }: Diagnostic): FindingCode {
  // The package that made the finding holds it to its own table.
  return code as FindingCode;
}

/** `diagnostic` for findings of this package. */
export function configDiagnostic(finding: ConfigFinding, range?: Range): Diagnostic {
  return diagnostic(finding, range);
}
