// The manifests that users keep instead of an install config, field by field.

import { HEAD, NAME, PROXY, reference } from '../documents/document-tables.ts';
import type {
  ClusterDeploymentValues,
  ClusterImageSetValues,
  ClusterInstallValues,
  SecretValues,
} from '../generated/values.ts';
import {
  anything,
  boolean,
  integer,
  kept,
  labels,
  listOf,
  nested,
  optionalBoolean,
  optionalNested,
  rawValue,
  type Section,
  section,
  text,
  textList,
} from '../text/table.ts';

const CONFIG_MAP = section('v1beta1.ManifestsConfigMapReference', 'A ConfigMap by its name.', {
  name: kept(text('Name of the ConfigMap.')),
});

const POOL = section('v1beta1.AgentMachinePool', 'Machines of one role.', {
  hyperthreading: text('Ignored.', { values: ['Enabled', 'Disabled'] }),
  name: kept(text('Name of the pool.')),
});

const NETWORKING = section('v1beta1.Networking', 'Networks of the cluster.', {
  machineNetwork: listOf('Networks of the machines.', () =>
    section('v1beta1.MachineNetworkEntry', 'A network.', { cidr: kept(text('The network.')) }),
  ),
  clusterNetwork: listOf('Networks of pods.', () =>
    section('v1beta1.ClusterNetworkEntry', 'A network of pods.', {
      cidr: kept(text('The network.')),
      hostPrefix: integer('Length of the prefix that each machine gets.'),
    }),
  ),
  serviceNetwork: textList('Networks of services.'),
  networkType: text('The network plugin.'),
  userManagedNetworking: optionalBoolean('Whether load balancers are the user’s own.'),
});

const CLUSTER_INSTALL_SPEC = section('v1beta1.AgentClusterInstallSpec', 'The cluster to install.', {
  imageSetRef: optionalNested('The release.', () => NAME),
  clusterDeploymentRef: kept(nested('The ClusterDeployment.', () => NAME)),
  clusterMetadata: rawValue('Set by a cluster.'),
  manifestsConfigMapRef: optionalNested('Further manifests.', () => NAME),
  manifestsConfigMapRefs: listOf('Further manifests.', () => CONFIG_MAP),
  networking: kept(nested('Networks of the cluster.', () => NETWORKING)),
  sshPublicKey: text('Public key of user core.'),
  provisionRequirements: kept(
    nested('How many machines.', () =>
      section('v1beta1.ProvisionRequirements', 'How many machines.', {
        controlPlaneAgents: kept(integer('Control plane.')),
        workerAgents: integer('Workers.'),
        arbiterAgents: integer('Arbiters.'),
      }),
    ),
  ),
  controlPlane: optionalNested('Ignored.', () => POOL),
  compute: listOf('Ignored.', () => POOL),
  arbiter: optionalNested('Ignored.', () => POOL),
  apiVIP: text('Address of the API.'),
  apiVIPs: textList('Addresses of the API.'),
  ingressVIP: text('Address of ingress.'),
  ingressVIPs: textList('Addresses of ingress.'),
  holdInstallation: boolean('Whether to wait.'),
  ignitionEndpoint: optionalNested('Where Ignition is fetched.', () =>
    section('v1beta1.IgnitionEndpoint', 'Where Ignition is fetched.', {
      url: text('URL.'),
      caCertificateReference: optionalNested('The certificate to trust.', () =>
        section('v1beta1.CaCertificateReference', 'A secret by its name and namespace.', {
          namespace: kept(text('Namespace of the secret.')),
          name: kept(text('Name of the secret.')),
        }),
      ),
    }),
  ),
  diskEncryption: optionalNested('Encryption of disks.', () =>
    section('v1beta1.DiskEncryption', 'Encryption of disks.', {
      enableOn: text('Whose disks.'),
      mode: text('How.'),
      tangServers: text('JSON list of servers.'),
    }),
  ),
  proxy: optionalNested('The proxy of the cluster.', () => PROXY),
  platformType: text('Where the cluster runs.'),
  external: optionalNested('A platform with an external integration.', () =>
    section('v1beta1.ExternalPlatformSpec', 'A platform with an external integration.', {
      platformName: text('Name of the platform.'),
      cloudControllerManager: text('Whether there is a cloud controller manager.'),
    }),
  ),
  mastersSchedulable: boolean('Whether masters take workloads.'),
  loadBalancer: optionalNested('Who balances the load.', () =>
    section('v1beta1.LoadBalancer', 'Who balances the load.', {
      type: text('Who balances.', { values: ['ClusterManaged', 'UserManaged'] }),
    }),
  ),
  mirrorRegistryRef: optionalNested('A ConfigMap with mirrors.', () =>
    reference('v1beta1.MirrorRegistryConfigMapReference'),
  ),
});

export const AGENT_CLUSTER_INSTALL: Section<ClusterInstallValues> = section(
  'v1beta1.AgentClusterInstall',
  'The cluster to install.',
  {
    ...HEAD,
    spec: kept(nested('The cluster to install.', () => CLUSTER_INSTALL_SPEC)),
    status: rawValue('Set by a cluster.'),
  },
);

export const CLUSTER_DEPLOYMENT: Section<ClusterDeploymentValues> = section(
  'v1.ClusterDeployment',
  'The name of a cluster.',
  {
    ...HEAD,
    spec: nested('The name of a cluster.', () =>
      section('v1.ClusterDeploymentSpec', 'The name of a cluster.', {
        clusterName: text('Name of the cluster.'),
        baseDomain: text('Domain that the cluster belongs to.'),
        platform: anything('Ignored.'),
        pullSecretRef: anything('The pull secret.'),
        clusterInstallRef: anything('The AgentClusterInstall.'),
        controlPlaneConfig: anything('Certificates of the API.'),
        installed: boolean('Whether the cluster exists already.'),
        ingress: anything('Ignored.'),
        certificateBundles: anything('Ignored.'),
        manageDNS: boolean('Ignored.'),
        clusterMetadata: anything('Ignored.'),
        hibernateAfter: anything('Ignored.'),
        powerState: text('Ignored.'),
        provisioning: anything('Ignored.'),
        preserveOnDelete: boolean('Ignored.'),
        installAttemptsLimit: anything('Ignored.'),
        clusterPoolRef: anything('Ignored.'),
        boundServiceAccountSigningKeySecretRef: anything('Ignored.'),
      }),
    ),
    status: anything('Set by a cluster.'),
  },
);

export const CLUSTER_IMAGE_SET: Section<ClusterImageSetValues> = section('v1.ClusterImageSet', 'A release.', {
  ...HEAD,
  spec: nested('A release.', () =>
    section('v1.ClusterImageSetSpec', 'A release.', { releaseImage: text('The release image.') }),
  ),
  status: anything('Set by a cluster.'),
});

export const SECRET: Section<SecretValues> = section('v1.Secret', 'The pull secret.', {
  ...HEAD,
  immutable: optionalBoolean('Ignored.'),
  data: labels('Not read.'),
  stringData: labels('Text by its key.'),
  type: text('Kind of the secret.'),
});
