// The platforms of an install config, field by field. The file is long because it is a table.
import type { InstallConfigValues } from '../generated/values.ts';
import { BMC, HINTS } from '../rules/host-fields.ts';
import {
  boolean,
  cidr,
  integer,
  kept,
  listOf,
  nested,
  networkState,
  optionalInteger,
  optionalNested,
  rawValue,
  type Section,
  section,
  text,
  textList,
} from '../text/table.ts';

type PlatformValues = InstallConfigValues['platform'];

const LOAD_BALANCER = section('v1.PlatformLoadBalancer', 'Who balances the load of API and ingress.', {
  type: text('Who balances.', { values: ['OpenShiftManagedDefault', 'UserManaged'] }),
});

const HOST = section('baremetal.Host', 'A bare-metal host.', {
  name: text('Name of the host.'),
  bmc: kept(nested('Access to the management controller.', () => BMC)),
  role: kept(text('Role of the host.', { values: ['master', 'worker', 'arbiter'] })),
  bootMACAddress: kept(text('MAC address of the interface that the host boots from.')),
  hardwareProfile: kept(text('Ignored.')),
  rootDeviceHints: optionalNested('Which disk to install to.', () => HINTS),
  bootMode: text('How the firmware boots; ignored.', { values: ['UEFI', 'UEFISecureBoot', 'legacy'] }),
  networkConfig: networkState('The network of the host, as nmstate describes it.'),
});

const BARE_METAL = section('baremetal.Platform', 'Machines without a cloud.', {
  libvirtURI: text('Ignored.'),
  bootstrapProvisioningIP: text('Ignored.'),
  bootstrapOSImage: text('Ignored.'),
  clusterOSImage: text('Ignored.'),
  clusterProvisioningIP: text('Address of the provisioning service.'),
  provisioningHostIP: text('Old name of clusterProvisioningIP.'),
  bootstrapExternalStaticIP: text('Ignored.'),
  bootstrapExternalStaticGateway: text('Ignored.'),
  bootstrapExternalStaticDNS: text('Ignored.'),
  provisioningNetwork: text('Who runs the provisioning network.', { values: ['Managed', 'Unmanaged', 'Disabled'] }),
  provisioningNetworkCIDR: cidr('The provisioning network.'),
  provisioningNetworkInterface: kept(text('Interface of the provisioning network.')),
  provisioningNetworkGateway: text('Gateway of the provisioning network.'),
  provisioningDHCPExternal: boolean('Old way to say Unmanaged.'),
  provisioningDHCPRange: text('First and last address, with a comma between.'),
  externalBridge: text('Ignored.'),
  externalMACAddress: text('Ignored.'),
  provisioningBridge: text('Ignored.'),
  provisioningMACAddress: text('Ignored.'),
  hosts: kept(listOf('The hosts.', () => HOST, { pointers: true })),
  defaultMachinePlatform: optionalNested('Ignored.', () => section('baremetal.MachinePool', 'Nothing.', {})),
  apiVIP: text('Old form of apiVIPs.'),
  apiVIPs: textList('Address of the API, one of each family.'),
  ingressVIP: text('Old form of ingressVIPs.'),
  ingressVIPs: textList('Address of ingress, one of each family.'),
  loadBalancer: optionalNested('Who balances the load.', () => LOAD_BALANCER),
  additionalNTPServers: textList('Names or addresses of time servers.'),
  dnsRecordsType: text('Who serves the names of the cluster.', { values: ['Internal', 'External'] }),
});

const VCENTER = section('vsphere.VCenter', 'A vCenter.', {
  server: kept(text('Name or address.')),
  port: integer('Port.'),
  user: kept(text('User.')),
  password: kept(text('Password.')),
  datacenters: kept(textList('Datacenters.')),
});

const TOPOLOGY = section('vsphere.Topology', 'Where machines of a failure domain run.', {
  datacenter: kept(text('Datacenter.')),
  computeCluster: kept(text('Path of the compute cluster.')),
  networks: textList('Networks.'),
  datastore: kept(text('Path of the datastore.')),
  resourcePool: text('Path of the resource pool.'),
  folder: text('Path of the folder.'),
  template: text('Path of the template.'),
  tagIDs: textList('Tags.'),
  hostGroup: text('Group of hosts.'),
});

const FAILURE_DOMAIN = section('vsphere.FailureDomain', 'Machines that fail together.', {
  name: kept(text('Name.')),
  region: kept(text('Tag of the region.')),
  zone: kept(text('Tag of the zone.')),
  regionType: text('What a region is.'),
  zoneType: text('What a zone is.'),
  server: kept(text('vCenter.')),
  topology: kept(nested('Where its machines run.', () => TOPOLOGY)),
});

const NODE_NETWORKING = section('v1.VSpherePlatformNodeNetworkingSpec', 'Which addresses nodes take.', {
  networkSubnetCidr: textList('Networks to take addresses from.'),
  network: text('Network to take addresses from.'),
  excludeNetworkSubnetCidr: textList('Networks to take no addresses from.'),
});

const VSPHERE_POOL = section('vsphere.MachinePool', 'Machines on vSphere.', {
  cpus: kept(integer('Processors.')),
  coresPerSocket: kept(integer('Cores of a processor.')),
  memoryMB: kept(integer('Memory in MiB.')),
  osDisk: kept(
    nested('The disk.', () => section('vsphere.OSDisk', 'The disk.', { diskSizeGB: kept(integer('Size in GiB.')) })),
  ),
  zones: textList('Failure domains.'),
  dataDisks: rawValue('Further disks.'),
});

export const VSPHERE: Section<NonNullable<PlatformValues['vsphere']>> = section('vsphere.Platform', 'vSphere.', {
  vCenter: text('Old form of vcenters.'),
  username: text('Old form of vcenters.'),
  password: text('Old form of vcenters.'),
  datacenter: text('Old form of vcenters.'),
  defaultDatastore: text('Old form of failureDomains.'),
  folder: text('Old form of failureDomains.'),
  cluster: text('Old form of failureDomains.'),
  resourcePool: text('Old form of failureDomains.'),
  network: text('Old form of failureDomains.'),
  clusterOSImage: text('Ignored.'),
  apiVIP: text('Old form of apiVIPs.'),
  apiVIPs: textList('Address of the API, one of each family.'),
  ingressVIP: text('Old form of ingressVIPs.'),
  ingressVIPs: textList('Address of ingress, one of each family.'),
  defaultMachinePlatform: optionalNested('Ignored.', () => VSPHERE_POOL),
  diskType: text('How disks are provisioned; ignored.', { values: ['thin', 'thick', 'eagerZeroedThick'] }),
  vcenters: listOf('vCenters.', () => VCENTER),
  failureDomains: listOf('Failure domains.', () => FAILURE_DOMAIN),
  nodeNetworking: optionalNested('Which addresses nodes take.', () =>
    section('v1.VSpherePlatformNodeNetworking', 'Which addresses nodes take.', {
      external: kept(nested('Addresses for others.', () => NODE_NETWORKING)),
      internal: kept(nested('Addresses for the cluster.', () => NODE_NETWORKING)),
    }),
  ),
  loadBalancer: optionalNested('Ignored.', () => LOAD_BALANCER),
  hosts: rawValue('Ignored.'),
  dnsRecordsType: text('Who serves the names of the cluster.', { values: ['Internal', 'External'] }),
});

const PRISM = section('nutanix.PrismEndpoint', 'Where Prism is reached.', {
  address: kept(text('Name or address.')),
  port: kept(integer('Port.')),
});

export const NUTANIX: Section<NonNullable<PlatformValues['nutanix']>> = section('nutanix.Platform', 'Nutanix.', {
  prismCentral: kept(
    nested('Prism Central.', () =>
      section('nutanix.PrismCentral', 'Prism Central.', {
        endpoint: kept(nested('Where it is reached.', () => PRISM)),
        username: kept(text('User.')),
        password: kept(text('Password.')),
      }),
    ),
  ),
  prismElements: kept(
    listOf('Prism Elements.', () =>
      section('nutanix.PrismElement', 'A Prism Element.', {
        uuid: kept(text('UUID.')),
        endpoint: kept(nested('Where it is reached.', () => PRISM)),
        name: text('Name.'),
      }),
    ),
  ),
  clusterOSImage: text('Ignored.'),
  preloadedOSImageName: text('Ignored.'),
  apiVIP: text('Old form of apiVIPs.'),
  apiVIPs: textList('Address of the API, one of each family.'),
  ingressVIP: text('Old form of ingressVIPs.'),
  ingressVIPs: textList('Address of ingress, one of each family.'),
  defaultMachinePlatform: rawValue('Ignored.'),
  subnetUUIDs: textList('Subnets.'),
  loadBalancer: optionalNested('Ignored.', () => LOAD_BALANCER),
  failureDomains: rawValue('Ignored.'),
  prismAPICallTimeout: optionalInteger('Ignored.', 'int'),
  dnsRecordsType: text('Who serves the names of the cluster.', { values: ['Internal', 'External'] }),
});

/** Platforms of which the agent-based installer reads only the names. */
const OTHER = (name: string) => rawValue(`${name}; not for the agent-based installer.`);

export const PLATFORM: Section<PlatformValues> = section('types.Platform', 'Where the cluster runs; one of them.', {
  aws: OTHER('AWS'),
  azure: OTHER('Azure'),
  baremetal: optionalNested('Bare metal.', () => BARE_METAL),
  gcp: OTHER('GCP'),
  ibmcloud: OTHER('IBM Cloud'),
  none: optionalNested('No platform.', () => section('none.Platform', 'Nothing.', {})),
  external: optionalNested('A platform with an external integration.', () =>
    section('external.Platform', 'A platform with an external integration.', {
      platformName: text('Name of the platform.'),
      cloudControllerManager: text('Whether there is a cloud controller manager.', { values: ['', 'External'] }),
    }),
  ),
  powervc: OTHER('PowerVC'),
  openstack: OTHER('OpenStack'),
  vsphere: optionalNested('vSphere.', () => VSPHERE),
  ovirt: OTHER('oVirt'),
  powervs: OTHER('Power VS'),
  nutanix: optionalNested('Nutanix.', () => NUTANIX),
});

/** A pool's settings for machines of a platform. */
export const POOL_PLATFORM: Section<NonNullable<InstallConfigValues['controlPlane']>['platform']> = section(
  'types.MachinePoolPlatform',
  'Ignored.',
  {
    aws: OTHER('AWS'),
    azure: OTHER('Azure'),
    baremetal: optionalNested('Bare metal.', () => section('baremetal.MachinePool', 'Nothing.', {})),
    gcp: OTHER('GCP'),
    ibmcloud: OTHER('IBM Cloud'),
    openstack: OTHER('OpenStack'),
    vsphere: optionalNested('vSphere.', () => VSPHERE_POOL),
    ovirt: OTHER('oVirt'),
    powervs: OTHER('Power VS'),
    nutanix: OTHER('Nutanix'),
  },
);
