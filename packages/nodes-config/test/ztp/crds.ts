// The kinds of a hub and of a cluster, with the required fields, enumerations and patterns of their public API types.
// Written by hand, and only as deep as the applied objects; undeclared fields are refused.

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const texts: Schema = { type: 'array', items: text };
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const number = (minimum = 0): Schema => ({ type: 'integer', minimum });
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
const pattern = (source: string): Schema => ({ type: 'string', pattern: source });
const list = (items: Schema, limits: Schema = {}): Schema => ({ type: 'array', items, ...limits });
const map: Schema = { type: 'object', additionalProperties: text };

/** A map; names with a final `!` are required. */
function object(fields: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(fields);
  const required = entries.flatMap(([name]) => (name.endsWith('!') ? [name.slice(0, -1)] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/!$/, ''), schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

const named: Schema = object({ name: text });
const selector: Schema = object({
  matchLabels: map,
  matchExpressions: list(object({ 'key!': text, 'operator!': text, values: texts })),
});
const claim: Schema = object({
  accessModes: texts,
  resources: object({
    requests: {
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    },
  }),
  storageClassName: text,
});
const MAC = '^([0-9A-Fa-f]{2}[:]){5}([0-9A-Fa-f]{2})$';

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly schema: Schema;
}

const AGENT = { group: 'agent-install.openshift.io', version: 'v1beta1' };
const HIVE = { group: 'hive.openshift.io', version: 'v1' };
const METAL = { group: 'metal3.io', version: 'v1alpha1' };
const MACHINES = { group: 'machineconfiguration.openshift.io', version: 'v1' };

export const KINDS: readonly Kind[] = [
  {
    ...AGENT,
    kind: 'InfraEnv',
    plural: 'infraenvs',
    scope: 'Namespaced',
    schema: object({
      spec: object({
        additionalNTPSources: texts,
        clusterRef: object({ name: text, namespace: text }),
        cpuArchitecture: text,
        imageType: oneOf('full-iso', 'minimal-iso'),
        kernelArguments: list(object({ operation: oneOf('append', 'replace', 'delete'), value: text })),
        nmStateConfigLabelSelector: selector,
        'pullSecretRef!': named,
        sshAuthorizedKey: text,
      }),
    }),
  },
  {
    ...AGENT,
    kind: 'NMStateConfig',
    plural: 'nmstateconfigs',
    scope: 'Namespaced',
    schema: object({
      spec: object({
        config: anything,
        interfaces: list(object({ 'macAddress!': pattern(MAC), 'name!': text }), { minItems: 1 }),
      }),
    }),
  },
  {
    ...AGENT,
    kind: 'AgentServiceConfig',
    plural: 'agentserviceconfigs',
    scope: 'Cluster',
    schema: object({
      spec: object({
        'databaseStorage!': claim,
        'filesystemStorage!': claim,
        imageStorage: claim,
        osImages: list(
          object({ 'openshiftVersion!': text, 'version!': text, 'url!': text, cpuArchitecture: text, rootFSUrl: text }),
        ),
        iPXEHTTPRoute: oneOf('enabled', 'disabled'),
      }),
    }),
  },
  {
    group: 'extensions.hive.openshift.io',
    version: 'v1beta1',
    kind: 'AgentClusterInstall',
    plural: 'agentclusterinstalls',
    scope: 'Namespaced',
    schema: object({
      'spec!': object({
        apiVIP: text,
        apiVIPs: texts,
        ingressVIP: text,
        ingressVIPs: texts,
        'clusterDeploymentRef!': named,
        imageSetRef: object({ 'name!': text }),
        manifestsConfigMapRefs: list(object({ 'name!': text })),
        'networking!': object({
          clusterNetwork: list(object({ 'cidr!': text, hostPrefix: { type: 'integer', format: 'int32' } })),
          machineNetwork: list(object({ 'cidr!': text })),
          networkType: oneOf('OpenShiftSDN', 'OVNKubernetes'),
          serviceNetwork: texts,
          userManagedNetworking: flag,
        }),
        platformType: oneOf('BareMetal', 'None', 'VSphere', 'Nutanix', 'External'),
        'provisionRequirements!': object({
          'controlPlaneAgents!': { type: 'integer' },
          workerAgents: number(),
          arbiterAgents: number(),
        }),
        sshPublicKey: text,
      }),
    }),
  },
  {
    ...HIVE,
    kind: 'ClusterDeployment',
    plural: 'clusterdeployments',
    scope: 'Namespaced',
    schema: object({
      spec: object({
        'baseDomain!': text,
        clusterInstallRef: object({ 'group!': text, 'kind!': text, 'name!': text, 'version!': text }),
        'clusterName!': text,
        'platform!': object({ agentBareMetal: object({ 'agentSelector!': selector }) }),
        pullSecretRef: named,
      }),
    }),
  },
  {
    ...HIVE,
    kind: 'ClusterImageSet',
    plural: 'clusterimagesets',
    scope: 'Cluster',
    schema: object({ spec: object({ 'releaseImage!': text }) }),
  },
  {
    ...METAL,
    kind: 'BareMetalHost',
    plural: 'baremetalhosts',
    scope: 'Namespaced',
    schema: object({
      spec: object({
        automatedCleaningMode: oneOf('metadata', 'disabled'),
        bmc: object({ 'address!': text, 'credentialsName!': text, disableCertificateVerification: flag }),
        bootMACAddress: pattern('[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}'),
        bootMode: oneOf('UEFI', 'UEFISecureBoot', 'legacy'),
        'online!': flag,
        rootDeviceHints: object({
          deviceName: text,
          hctl: text,
          minSizeGigabytes: number(),
          model: text,
          rotational: flag,
          serialNumber: text,
          vendor: text,
          wwn: text,
        }),
      }),
    }),
  },
  {
    ...METAL,
    kind: 'Provisioning',
    plural: 'provisionings',
    scope: 'Cluster',
    schema: object({
      spec: object({ provisioningNetwork: oneOf('Managed', 'Unmanaged', 'Disabled'), watchAllNamespaces: flag }),
    }),
  },
  {
    group: 'operator.openshift.io',
    version: 'v1',
    kind: 'IngressController',
    plural: 'ingresscontrollers',
    scope: 'Namespaced',
    schema: object({
      spec: object({
        domain: text,
        endpointPublishingStrategy: object({
          'type!': oneOf('LoadBalancerService', 'HostNetwork', 'Private', 'NodePortService'),
        }),
        nodePlacement: object({
          nodeSelector: selector,
          tolerations: list(object({ key: text, operator: text, value: text, effect: text })),
        }),
        replicas: { type: 'integer', format: 'int32' },
        routeSelector: selector,
      }),
    }),
  },
  {
    ...MACHINES,
    kind: 'MachineConfig',
    plural: 'machineconfigs',
    scope: 'Cluster',
    schema: object({ spec: object({ config: anything, fips: flag, kernelArguments: texts }) }),
  },
  {
    ...MACHINES,
    kind: 'MachineConfigPool',
    plural: 'machineconfigpools',
    scope: 'Cluster',
    schema: object({
      'spec!': object({ machineConfigSelector: selector, nodeSelector: selector, paused: flag }),
    }),
  },
];

/** The definition of a kind. */
export function definitionOf({ group, version, kind, plural, scope, schema }: Kind): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}
