import { type Diagnostic, diagnostic, type Finding, type Range } from '@coreiso/diagnostics';

/**
 * Every code of this package's findings, without the prefix `nodes-config/`, and its meaning; the README has the same
 * list.
 */
export const CODES = {
  // Files as texts.
  'wrong-type': 'A value has the wrong type.',
  'unknown-key': 'A key is unknown.',
  'misplaced-key': 'A key belongs to another place.',
  'duplicate-key': 'A map has a key twice.',
  'key-case': 'The letter case of a key is wrong.',
  'unquoted-text': 'A number or a word of YAML becomes another text.',
  'null-entry': 'An entry of a list is empty.',
  'ignored-document': 'A file has further documents, which are ignored.',
  'excessive-aliasing': 'Too much of a document comes from aliases.',
  'api-version': 'The version of the document is unknown.',
  'no-hosts': 'There is no host.',
  // Settings for all hosts.
  architecture: 'The architecture is not supported, or not the right one.',
  'base-architecture': 'The base image is for another architecture.',
  'ssh-key': 'An SSH key cannot be read.',
  'boot-url': 'The address of the boot artifacts is not a URL.',
  'rendezvous-ip': 'The rendezvous address is not an address.',
  'no-rendezvous-ip': 'No host has an address that could be the rendezvous address.',
  'rendezvous-on-worker': 'The rendezvous host is not of the control plane.',
  unconfigured: 'A setting belongs to a site, and an image for all sites cannot have it.',
  'rendezvous-on-no-host': 'No host has the rendezvous address, and all have static ones.',
  'ntp-source': 'A time server is neither a name nor an address.',
  // Hosts.
  'no-interfaces': 'A host has no interfaces.',
  role: 'A role is unknown, or is missing.',
  'role-not-worker': 'A host that is added has another role than worker.',
  hostname: 'A name is invalid for a Kubernetes object.',
  'duplicate-hostname': 'Two hosts have one name.',
  'hostname-path': 'A name is invalid for a file.',
  'unsafe-name': 'A name would put a file of an image outside its directory.',
  'hostname-invalid': 'The service on the machine refuses a name.',
  'hostname-in-cluster': 'A node of the cluster has the name already.',
  'too-many-hosts': 'There are more hosts of a role than replicas.',
  'too-few-hosts': 'There are fewer hosts of a role than replicas.',
  'ignored-hosts': 'Hosts of the install config are ignored.',
  'boot-mac': 'The boot MAC address does not belong to the host.',
  // MAC addresses.
  'mac-missing': 'An interface has no MAC address.',
  'mac-invalid': 'A text is not a MAC address.',
  'mac-form': 'A MAC address is not written with colons.',
  'duplicate-mac': 'Two interfaces have one MAC address.',
  'zero-mac': 'A MAC address is all zeros.',
  'broadcast-mac': 'A MAC address belongs to no single card.',
  // Disks.
  'device-name': 'The name of a device is not a path below /dev.',
  'wwn-extension': 'A WWN and its vendor extension do not fit.',
  'hopeless-hint': 'No disk can match a hint.',
  // Networks of hosts.
  'network-shape': 'A network state has the wrong shape.',
  'network-empty': 'nmstate makes no profile of a network state.',
  'keyfile-line': 'NetworkManager cannot read a line of a profile.',
  'keyfile-value': 'A value changes when it is written into a profile.',
  'profile-name': 'The name of a profile is invalid for a file.',
  'table-not-unique': 'A name or a MAC address appears twice in the table of a host.',
  'interface-unmapped': 'An interface of the network has no MAC address in the table.',
  'interface-unnamed': 'An interface of the table has no name.',
  'interface-name': 'The name of an interface is invalid for a link.',
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
  'virtual-identity': 'A host is identified only by links that are created at boot.',
  // Clusters.
  'service-refuses': 'The service that installs the cluster refuses a value that the installer accepts.',
  'cluster-object': 'An exported object cannot be read, or is missing.',
  'cluster-architecture': 'The facts lack the architecture of the cluster.',
  platform: 'The platform is not supported, or does not fit.',
  'api-server-url': 'The address of the API lacks the name of the cluster.',
  'worker-user-data': 'The config that workers get cannot be read.',
  'pull-secret': 'The pull secret cannot be used.',
  'internal-registry': 'The cluster keeps its release in a registry of its own.',
  mirrors: 'Mirrors cannot be used, or do not fit the release.',
  'release-image': 'The release image is not the right one, or no image.',
  'trust-bundle': 'Certificates cannot be read, or are no trust anchors.',
  chrony: 'The time servers of the cluster cannot be read.',
  'no-proxy': 'The noProxy list was read from the status of the proxy.',
  'valid-until': 'The time until which an embedded credential is valid.',
  // Simulated boots.
  'boot-no-match': 'A machine is not a host of the plan.',
  'boot-shared-mac': 'Two hosts claim one card of a machine.',
  'boot-several-hosts': 'A machine has cards of several hosts.',
  'boot-absent-nic': 'A host has a card that the machine lacks.',
  'boot-replaced-profile': 'A profile of the base image is replaced.',
  'boot-name-clash': 'A card of the machine has a name that a profile uses for another.',
  'boot-dhcp': 'The host has no network of its own.',
  // Install configs.
  'cluster-name': 'The name of the cluster is invalid.',
  'base-domain': 'The base domain is not a domain.',
  'trust-bundle-policy': 'The policy of the trust bundle is unknown.',
  'fips-host': 'FIPS is requested on a machine without FIPS mode.',
  'old-field': 'A field and its old name disagree.',
  'old-vip': 'The list of virtual addresses and the old single field disagree.',
  ignored: 'A setting has no effect with this installer.',
  unread: 'A setting is ignored.',
  replicas: 'The number of machines does not fit.',
  'single-node': 'Settings do not fit a single node.',
  arbiter: 'The arbiters do not fit.',
  fencing: 'The credentials for fencing do not fit.',
  'pool-name': 'A pool has the wrong name.',
  'pool-platform': 'The platform of a pool is not that of the cluster.',
  hyperthreading: 'The mode of hyperthreading is unknown.',
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
  publish: 'The publishing of endpoints does not fit.',
  'credentials-mode': 'The mode of credentials does not fit.',
  capabilities: 'The capabilities do not fit.',
  features: 'A feature needs a feature set.',
  'os-image-stream': 'The stream of the operating system is unknown.',
  // Manifests of a directory.
  missing: 'A file is missing.',
  discarded: 'A file of the directory is replaced.',
  rendezvous: 'No file gives the address of the rendezvous host.',
  'machine-count': 'A number of machines is negative.',
  'forgotten-network': 'The stored data of a host cannot be used.',
  'disk-encryption': 'The encryption of disks is unknown.',
  labels: 'The labels of a network do not match the selector.',
  'line-break': 'A text cannot be written into one line.',
  registries: 'The file of the registries cannot be used.',
  'extra-manifest': 'A manifest for the new cluster cannot be used.',
  // Sites of a hub.
  name: 'A name is invalid for a Kubernetes object.',
  version: 'The version is not a version of OpenShift.',
  'machine-network': 'A host of the control plane is outside the machine networks.',
  'remote-role': 'A host at a remote site is not a worker.',
  'node-label': 'A label is invalid for a node.',
  ignition: 'An override is not an Ignition config.',
  'os-image': 'The service has no live image for the site.',
  storage: 'A size of storage is not a quantity.',
  // Advice.
  'router-floats': 'The routers can run on a node that no DNS name points to.',
  'router-on-remote-node': 'A router can run at a remote site.',
  'node-expressions': 'The placement of routers cannot be judged.',
  'shard-without-selector': 'A sharded controller serves all routes.',
  'shard-unreachable': 'The DNS name of a shard points to none of its nodes.',
  'private-names': 'A node cannot resolve the internal names of the API.',
  'no-dns-server': 'A host has no name server.',
  'no-default-route': 'A host has no default route.',
  'keepalived-on-remote-node': 'A remote node takes part in keeping the virtual addresses.',
  'validations-left-on': 'The service refuses hosts outside the machine networks.',
  'node-manifest': 'A Node among the manifests breaks the installation.',
  'unwatched-hosts': 'The operator ignores the namespace of the hosts.',
  'egress-stranded': 'No node can have an egress address.',
  'egress-path': 'Traffic of an egress address takes another path.',
  'small-mtu': 'An MTU is smaller than the network of the cluster needs.',
  'other-mtu': 'An MTU differs from that of the other nodes.',
  'other-vlan': 'A VLAN differs from that of the other nodes.',
  'missing-family': 'A host lacks addresses of a family that the cluster uses.',
} as const;

/** A code of this package without the package prefix. */
export type Rule = keyof typeof CODES;

/** A code of this package. */
type ConfigCode = `nodes-config/${Rule}`;

/** A code of this package, or of the packages that read parts of a document. */
export type FindingCode = ConfigCode | `diagnostics/${string}` | `nmstate/${string}`;

/** A finding with a code of this table. */
export interface ConfigFinding extends Finding {
  readonly code: FindingCode;
}

/** The code of a finding that is reported again, in other words or at another place. */
export function codeOf({ code }: Diagnostic): FindingCode {
  // The package that made the finding checks its code against its own table.
  return code as FindingCode;
}

/** `diagnostic` for findings of this package. */
export function configDiagnostic(finding: ConfigFinding, range?: Range): Diagnostic {
  return diagnostic(finding, range);
}
