// The four kinds of document, field by field. The file is long because it is a table.
import type { Node } from '@coreiso/diagnostics';
import type { InfraEnvValues } from '../generated/values.ts';
import { HOST, type HostValues, INTERFACE, type InterfaceValues } from '../rules/host-fields.ts';
import {
  anything,
  boolean,
  exactText,
  type Field,
  integer,
  kept,
  labels,
  listOf,
  type NetworkText,
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

/** The members of every Kubernetes object that users write by hand. */
export interface MetadataValues {
  name: string;
  generateName: string;
  namespace: string;
  selfLink: string;
  uid: string;
  resourceVersion: string;
  generation: number;
  creationTimestamp: Node | undefined;
  deletionTimestamp: Node | undefined;
  deletionGracePeriodSeconds: Node | undefined;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  ownerReferences: Node | undefined;
  finalizers: readonly string[];
  managedFields: Node | undefined;
}

/**
 * `metadata` of any document.
 *
 * @example nested('Name of the cluster.', () => METADATA)
 */
export const METADATA: Section<MetadataValues> = {
  goType: 'v1.ObjectMeta',
  doc: 'Name, namespace and labels of the object.',
  fields: {
    name: text('Name of the object.'),
    generateName: text('Set by a cluster.'),
    namespace: text('Namespace of the object.'),
    selfLink: text('Set by a cluster.'),
    uid: text('Set by a cluster.'),
    resourceVersion: text('Set by a cluster.'),
    generation: integer('Set by a cluster.'),
    creationTimestamp: rawValue('Set by a cluster.'),
    deletionTimestamp: rawValue('Set by a cluster.'),
    deletionGracePeriodSeconds: rawValue('Set by a cluster.'),
    labels: labels('Labels of the object.'),
    annotations: labels('Annotations of the object.'),
    ownerReferences: rawValue('Set by a cluster.'),
    finalizers: textList('Set by a cluster.'),
    managedFields: rawValue('Set by a cluster.'),
  },
};

interface TypeValues {
  apiVersion: string;
  kind: string;
  metadata: MetadataValues;
}

/** The values that the table reads from a nodes-config. */
export interface NodesConfigValues extends TypeValues {
  cpuArchitecture: string;
  sshKey: string;
  bootArtifactsBaseURL: string;
  hosts: readonly HostValues[];
}

const ARCHITECTURE_NAMES = ['amd64', 'arm64', 'ppc64le', 's390x', 'x86_64', 'aarch64'] as const;

export const NODES_CONFIG: Section<NodesConfigValues> = {
  goType: 'joiner.Config',
  doc: 'Hosts to add to a cluster with one image.',
  fields: {
    apiVersion: exactText('Ignored.'),
    kind: exactText('Ignored.'),
    metadata: nested('Ignored.', () => METADATA),
    cpuArchitecture: text('The architecture of all hosts; by default that of the control plane.', {
      values: ARCHITECTURE_NAMES,
    }),
    sshKey: text('Public key of user core in the live system; by default that of the workers.'),
    bootArtifactsBaseURL: text('Where PXE files will be served from.'),
    hosts: listOf('The hosts to add.', () => HOST, { required: true }),
  },
};

/** The values that the table reads from an agent-config. */
export interface AgentConfigValues extends TypeValues {
  additionalNTPSources: readonly string[];
  rendezvousIP: string;
  bootArtifactsBaseURL: string;
  hosts: readonly HostValues[];
  minimalISO: boolean;
}

export const AGENT_CONFIG: Section<AgentConfigValues> = {
  goType: 'agent.Config',
  doc: 'The settings of an agent-based installation that the install config lacks.',
  fields: {
    apiVersion: { ...exactText('The version of this format.', { values: ['v1beta1', 'v1alpha1'] }), required: true },
    kind: exactText('AgentConfig, by convention.'),
    metadata: nested('Ignored.', () => METADATA),
    additionalNTPSources: textList('Names or addresses of time servers for all hosts.'),
    rendezvousIP: text('The address of the host that runs the installation.'),
    bootArtifactsBaseURL: text('Where PXE files will be served from.'),
    hosts: listOf('The hosts of the cluster.', () => HOST),
    minimalISO: boolean('Whether the root file system is fetched at boot.'),
  },
};

interface NMStateSpecValues {
  interfaces: readonly InterfaceValues[];
  config: NetworkText | undefined;
}

const NMSTATE_SPEC: Section<NMStateSpecValues> = {
  goType: 'v1beta1.NMStateConfigSpec',
  doc: 'The network of one host.',
  fields: {
    interfaces: listOf('The interfaces that identify the host.', () => INTERFACE, {
      pointers: true,
      required: true,
    }),
    config: networkState('The network of the host, as nmstate describes it.'),
  },
};

/** The values that the table reads from an NMStateConfig. */
export interface NMStateConfigValues extends TypeValues {
  spec: NMStateSpecValues;
  status: undefined;
}

export const NMSTATE_CONFIG: Section<NMStateConfigValues> = {
  goType: 'v1beta1.NMStateConfig',
  doc: 'The network of one host, as a manifest.',
  fields: {
    apiVersion: exactText('agent-install.openshift.io/v1beta1; ignored.'),
    kind: exactText('NMStateConfig; ignored.'),
    metadata: nested('Needs a label that the InfraEnv selects.', () => METADATA),
    spec: nested('The network of one host.', () => NMSTATE_SPEC),
    status: anything('Set by a cluster.'),
  },
};

/** The members that a manifest begins with. */
export const HEAD: Readonly<{
  apiVersion: Field<string>;
  kind: Field<string>;
  metadata: Field<MetadataValues>;
}> = {
  apiVersion: exactText('Ignored.'),
  kind: exactText('Ignored.'),
  metadata: kept(nested('Name and namespace.', () => METADATA)),
};

interface NameValues {
  name: string;
}

export const NAME: Section<NameValues> = {
  goType: 'v1.LocalObjectReference',
  doc: 'An object by its name.',
  fields: { name: text('Name of the object.') },
};

interface ReferenceValues extends NameValues {
  namespace: string;
}

export function reference(goType: string): Section<ReferenceValues> {
  return {
    goType,
    doc: 'An object by its name and namespace.',
    fields: { name: text('Name of the object.'), namespace: text('Namespace of the object.') },
  };
}

interface ProxyValues {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

export const PROXY: Section<ProxyValues> = {
  goType: 'v1beta1.Proxy',
  doc: 'A proxy.',
  fields: {
    httpProxy: text('Proxy for http.'),
    httpsProxy: text('Proxy for https.'),
    noProxy: text('Names and networks to reach directly, with commas between.'),
  },
};

const INFRA_ENV_SPEC = section('v1beta1.InfraEnvSpec', 'What an image of this environment holds.', {
  proxy: optionalNested('The proxy of the live system.', () => PROXY),
  additionalNTPSources: textList('Names or addresses of time servers.'),
  ntpSources: textList('Names or addresses of time servers.'),
  sshAuthorizedKey: text('Public key of user core in the live system.'),
  pullSecretRef: kept(optionalNested('The secret with the pull secret.', () => NAME)),
  agentLabels: labels('Labels for the agents.'),
  nmStateConfigLabelSelector: kept(
    nested('Which NMStateConfig manifests belong to it.', () =>
      section('v1.LabelSelector', 'Objects by their labels.', {
        matchLabels: labels('Labels that must be equal.'),
        matchExpressions: rawValue('Other conditions.'),
      }),
    ),
  ),
  clusterRef: optionalNested('The cluster.', () => reference('v1beta1.ClusterReference')),
  ignitionConfigOverride: text('Ignition JSON for the live system.'),
  cpuArchitecture: text('The architecture of the image.', { values: ARCHITECTURE_NAMES }),
  kernelArguments: listOf('Changes of the kernel command line.', () =>
    section('v1beta1.KernelArgument', 'A change of the kernel command line.', {
      operation: text('What to do.', { values: ['append', 'replace', 'delete'] }),
      value: text('The argument.'),
    }),
  ),
  additionalTrustBundle: text('PEM certificates to trust.'),
  osImageVersion: text('The version of the image.'),
  ipxeScriptType: kept(text('Kind of the iPXE script.')),
  imageType: text('full-iso or minimal-iso.'),
  mirrorRegistryRef: optionalNested('A ConfigMap with mirrors.', () =>
    reference('v1beta1.MirrorRegistryConfigMapReference'),
  ),
  agentApproval: optionalNested('Whether agents are approved on their own.', () =>
    section('v1beta1.AgentApproval', 'Whether agents are approved on their own.', {
      autoApprove: boolean('Whether agents are approved on their own.'),
    }),
  ),
  networkDiscoveryDelaySeconds: optionalInteger('How long to wait for interfaces at boot.', 'int64'),
});

export const INFRA_ENV: Section<InfraEnvValues> = section(
  'v1beta1.InfraEnv',
  'The environment an image is made for, as a manifest.',
  {
    ...HEAD,
    spec: kept(nested('What an image of this environment holds.', () => INFRA_ENV_SPEC)),
    status: rawValue('Set by a cluster.'),
  },
);
