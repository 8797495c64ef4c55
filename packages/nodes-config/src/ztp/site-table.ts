// The file that describes a site for a hub, field by field. Fields of an install config keep their names; hosts are
// those of a nodes-config, with access to their management controllers.

import type { ZtpSiteValues } from '../generated/values.ts';
import { INSTALL_CONFIG } from '../install-config/install-config-table.ts';
import { HOST } from '../rules/host-fields.ts';
import {
  boolean,
  labels,
  listOf,
  nested,
  optionalBoolean,
  type Section,
  section,
  text,
  textList,
} from '../text/table.ts';

const BMC = section('ztp.BMC', 'The way to the management controller; user and password are in a Secret.', {
  address: {
    ...text('URL of the management controller, such as redfish-virtualmedia://192.0.2.90/redfish/v1/Systems/1.'),
    required: true,
  },
  credentialsName: text('Secret with username and password, in the namespace of the cluster; HOSTNAME-bmc by default.'),
  disableCertificateVerification: boolean('Whether any certificate will do.'),
});

const { BMC: _, ...HOST_FIELDS } = HOST.fields;

const ZTP_HOST = section('ztp.Host', 'One machine, known by its MAC addresses.', {
  ...HOST_FIELDS,
  hostname: { ...HOST_FIELDS.hostname, required: true },
  role: { ...HOST_FIELDS.role, required: true },
  bmc: { ...nested('The way to its management controller.', () => BMC), required: true },
  bootMACAddress: text('The card that it boots by; that of the first interface by default.', {
    pattern: '^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$',
  }),
  remote: optionalBoolean('Whether it is outside the machine networks; by default its addresses decide.'),
  nodeLabels: labels('Labels of the node.'),
  ignitionConfigOverride: text('Ignition JSON, merged into the config that the node boots with at first.'),
});

const OS_IMAGE = section('v1beta1.OSImage', 'A live image that the service makes images of.', {
  openshiftVersion: { ...text('Major and minor version, in quotes: "4.20".'), required: true },
  version: { ...text('Version of the operating system.'), required: true },
  url: { ...text('Where the live image is.'), required: true },
  rootFSUrl: text('Where its root file system is, for services before 2.2 and for minimal images from a mirror.'),
  cpuArchitecture: text('x86_64 by default.', { values: ['x86_64', 'arm64', 'ppc64le', 's390x'] }),
});

const SERVICE = section('ztp.Service', 'The assisted service of the hub.', {
  namespace: text('Where it runs; multicluster-engine by default.'),
  osImages: listOf('Live images, one for the version to install among them.', () => OS_IMAGE, { required: true }),
  storageClassName: text('Class of its volumes; the default class of the hub by default.'),
  databaseStorage: text('How much its database may take; 10Gi by default.'),
  filesystemStorage: text('How much its files may take; 100Gi by default.'),
  imageStorage: text('How much its images may take; 50Gi by default.'),
});

const NAMES = section('ztp.Metadata', 'Name and namespace.', {
  name: { ...text('Name of the cluster.'), required: true },
  namespace: text('Namespace of its objects on the hub; the name of the cluster by default.'),
});

const PLATFORMS = ['BareMetal', 'None'] as const;

export const ZTP_SITE: Section<ZtpSiteValues> = section(
  'ztp.Site',
  'A cluster that a hub installs; some of its workers may be at a remote site.',
  {
    metadata: { ...nested('Name and namespace.', () => NAMES), required: true },
    baseDomain: { ...text('Domain below which the cluster has its names.'), required: true },
    openshiftVersion: { ...text('The version to install, for example 4.20.3.'), required: true },
    releaseImage: { ...text('The release to install, by its digest.'), required: true },
    platform: text('BareMetal, which keeps the virtual addresses, or None; BareMetal by default.', {
      values: PLATFORMS,
    }),
    pullSecretName: text('Secret with .dockerconfigjson, in the namespace of the cluster; pull-secret by default.'),
    sshKey: text('Public key of user core.'),
    cpuArchitecture: text('Architecture of all machines; x86_64 by default.', {
      values: ['x86_64', 'aarch64', 'ppc64le', 's390x'],
    }),
    networking: INSTALL_CONFIG.fields.networking,
    apiVIPs: textList('Addresses of the API; on BareMetal.'),
    ingressVIPs: textList('Addresses of the routers; on BareMetal.'),
    additionalNTPSources: textList('Names or addresses of time servers.'),
    service: { ...nested('The assisted service of the hub.', () => SERVICE), required: true },
    extraManifests: labels('Objects for the new cluster: name of the file to YAML.'),
    hosts: listOf('The machines of the cluster.', () => ZTP_HOST, { pointers: true, required: true }),
  },
);

/** One of its hosts. */
export type ZtpHostValues = ZtpSiteValues['hosts'][number];
