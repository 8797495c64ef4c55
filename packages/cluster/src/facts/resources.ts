// Resources that are read from a cluster to add nodes to it, in upstream's order.

/** An object, or a list of them, and what its absence means. */
export interface Resource {
  readonly path: string;
  readonly kind: string;
  readonly group: string;
  /** The plural name, as in rules of a ClusterRole. */
  readonly plural: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Whether the workflow continues if the object is missing, or may not be read; `replaced`: with the install config. */
  readonly absence: 'refused' | 'tolerated';
  readonly refusal: 'refused' | 'tolerated' | 'replaced';
}

type Rules = Pick<Resource, 'absence' | 'refusal'>;
const NEEDED: Rules = { absence: 'refused', refusal: 'refused' };
const OPTIONAL: Rules = { absence: 'tolerated', refusal: 'refused' };
/** Older roles lack the permission; the stored install config contains the data. */
const REPLACEABLE: Rules = { absence: 'tolerated', refusal: 'replaced' };
const WELCOME: Rules = { absence: 'tolerated', refusal: 'tolerated' };

function clusterWide(
  kind: string,
  group: string,
  version: string,
  plural: string,
  rules: Rules,
  name?: string,
): Resource {
  const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/${plural}${name === undefined ? '' : `/${name}`}`;
  return { path, kind, group, plural, ...(name === undefined ? {} : { name }), ...rules };
}

function namespaced(kind: string, plural: string, namespace: string, name: string, rules: Rules): Resource {
  return {
    path: `/api/v1/namespaces/${namespace}/${plural}/${name}`,
    kind,
    group: '',
    plural,
    namespace,
    name,
    ...rules,
  };
}

export const CONFIG = 'config.openshift.io';
const MACHINE_CONFIG = 'machineconfiguration.openshift.io';

/** The facts of an image that adds nodes. */
export const FACTS: readonly Resource[] = [
  clusterWide('ClusterVersion', CONFIG, 'v1', 'clusterversions', NEEDED, 'version'),
  clusterWide('Proxy', CONFIG, 'v1', 'proxies', NEEDED, 'cluster'),
  namespaced('Secret', 'secrets', 'openshift-config', 'pull-secret', NEEDED),
  namespaced('ConfigMap', 'configmaps', 'openshift-config', 'user-ca-bundle', OPTIONAL),
  clusterWide('Node', '', 'v1', 'nodes', NEEDED),
  clusterWide('ImageDigestMirrorSet', CONFIG, 'v1', 'imagedigestmirrorsets', REPLACEABLE),
  clusterWide(
    'ImageContentSourcePolicy',
    'operator.openshift.io',
    'v1alpha1',
    'imagecontentsourcepolicies',
    REPLACEABLE,
  ),
  namespaced('Secret', 'secrets', 'openshift-machine-api', 'worker-user-data-managed', OPTIONAL),
  clusterWide('Infrastructure', CONFIG, 'v1', 'infrastructures', NEEDED, 'cluster'),
  clusterWide('MachineConfig', MACHINE_CONFIG, 'v1', 'machineconfigs', REPLACEABLE, '99-worker-ssh'),
  clusterWide('MachineConfig', MACHINE_CONFIG, 'v1', 'machineconfigs', REPLACEABLE, '99-worker-fips'),
  clusterWide('MachineConfig', MACHINE_CONFIG, 'v1', 'machineconfigs', WELCOME, '50-workers-chrony-configuration'),
];

/** The Secret that images with a service create. Without the permission its existence is unknown. */
export const SERVICE_TOKENS: Resource = namespaced(
  'Secret',
  'secrets',
  'openshift-config',
  'agent-auth-token',
  OPTIONAL,
);

/** The objects with the used addresses; without them, an address that only the node reports is refused. */
export const NETWORKS: readonly Resource[] = [
  clusterWide('Infrastructure', CONFIG, 'v1', 'infrastructures', NEEDED, 'cluster'),
  clusterWide('Network', CONFIG, 'v1', 'networks', NEEDED, 'cluster'),
];

/** Replaces machine configs or mirrors that may not be read; nothing replaces it in turn. */
export const INSTALL_CONFIG: Resource = namespaced(
  'ConfigMap',
  'configmaps',
  'kube-system',
  'cluster-config-v1',
  OPTIONAL,
);

/** Registries that the nodes trust; without them an image only checks less. */
export const REGISTRIES: Resource = clusterWide('Image', CONFIG, 'v1', 'images', WELCOME, 'cluster');

/** The certificates that the image config names. */
export function registryAuthorities(name: string): Resource {
  return namespaced('ConfigMap', 'configmaps', 'openshift-config', name, WELCOME);
}

/** The surroundings of new nodes, for advice; without these permissions some checks are skipped. */
export const SURROUNDINGS: readonly Resource[] = [
  clusterWide('MachineConfigPool', MACHINE_CONFIG, 'v1', 'machineconfigpools', WELCOME),
  clusterWide('InternalReleaseImage', MACHINE_CONFIG, 'v1', 'internalreleaseimages', WELCOME, 'cluster'),
  // Its name in the preview.
  clusterWide('InternalReleaseImage', MACHINE_CONFIG, 'v1alpha1', 'internalreleaseimages', WELCOME, 'cluster'),
  namespaced('Secret', 'secrets', 'openshift-machine-config-operator', 'internal-release-image-registry-auth', WELCOME),
  clusterWide('OSImageStream', MACHINE_CONFIG, 'v1', 'osimagestreams', WELCOME, 'cluster'),
  // Its name in the preview.
  clusterWide('OSImageStream', MACHINE_CONFIG, 'v1alpha1', 'osimagestreams', WELCOME, 'cluster'),
  namespaced('ConfigMap', 'configmaps', 'openshift-machine-config-operator', 'coreos-bootimages', WELCOME),
  clusterWide('MachineConfig', MACHINE_CONFIG, 'v1', 'machineconfigs', WELCOME, '50-master-dnsmasq-configuration'),
  clusterWide('Ingress', CONFIG, 'v1', 'ingresses', WELCOME, 'cluster'),
  clusterWide('IngressController', 'operator.openshift.io', 'v1', 'ingresscontrollers', WELCOME),
  clusterWide('Network', CONFIG, 'v1', 'networks', WELCOME, 'cluster'),
  clusterWide('NodeNetworkState', 'nmstate.io', 'v1beta1', 'nodenetworkstates', WELCOME),
  clusterWide('EgressIP', 'k8s.ovn.org', 'v1', 'egressips', WELCOME),
  clusterWide('BareMetalHost', 'metal3.io', 'v1alpha1', 'baremetalhosts', WELCOME),
  clusterWide('Provisioning', 'metal3.io', 'v1alpha1', 'provisionings', WELCOME, 'provisioning-configuration'),
  namespaced('ConfigMap', 'configmaps', 'kube-system', 'root-ca', WELCOME),
  namespaced('ConfigMap', 'configmaps', 'openshift-machine-config-operator', 'machine-config-server-ca', WELCOME),
];

/** Objects that are read only for warnings. */
export const CONCERNS: readonly Resource[] = [
  namespaced('Secret', 'secrets', 'openshift-machine-config-operator', 'machine-config-server-tls', WELCOME),
  clusterWide('MachineSet', 'machine.openshift.io', 'v1beta1', 'machinesets', WELCOME),
];
