// The objects that advice recommends. They contain only the recommended fields: server-side apply keeps all others.

import type { Plain } from '@coreiso/diagnostics';
import { file, stringifyConfig } from '@coreiso/ignition';
import { checkArgument } from '@coreiso/peers/arguments';
import type { Manifest } from '../documents/written-manifests.ts';
import { CONTROL_PLANE_LABEL } from './surroundings.ts';

const ROUTERS = { namespace: 'openshift-ingress-operator' };

/**
 * Nodes outside the machine networks, as a machine config pool.
 *
 * @example { [`node-role.kubernetes.io/${REMOTE_POOL}`]: '' }
 */
export const REMOTE_POOL = 'remote-worker';
/** Has to sort after `00-worker`, because it empties a file of that MachineConfig. */
export const NO_KEEPALIVED = '50-remote-worker-no-keepalived';
/** The static pod that keeps virtual addresses on a node. */
const KEEPALIVED = '/etc/kubernetes/manifests/keepalived.yaml';
/** Validations of the service that a host outside the machine networks cannot pass. */
export const REMOTE_VALIDATIONS: readonly string[] = ['belongs-to-majority-group', 'belongs-to-machine-cidr'];

/**
 * The default IngressController, pinned to nodes with these labels (default: control plane). Only equal labels are possible; the
 * ingress operator refuses other conditions.
 *
 * @example pinnedIngressController({ 'node-role.kubernetes.io/infra': '' })
 */
export function pinnedIngressController(
  nodeLabels: Readonly<Record<string, string>> = { [CONTROL_PLANE_LABEL]: '' },
): Manifest {
  checkArgument('nodeLabels', nodeLabels, 'object');
  const isControlPlane = Object.hasOwn(nodeLabels, CONTROL_PLANE_LABEL);
  return {
    apiVersion: 'operator.openshift.io/v1',
    kind: 'IngressController',
    metadata: { name: 'default', ...ROUTERS },
    spec: {
      nodePlacement: {
        nodeSelector: { matchLabels: { ...nodeLabels } },
        // Nodes of a larger control plane have a taint, which routers have to tolerate.
        ...(isControlPlane
          ? { tolerations: [{ key: CONTROL_PLANE_LABEL, operator: 'Exists', effect: 'NoSchedule' }] }
          : {}),
      },
    },
  };
}

/**
 * A separate IngressController for the applications of a remote site. It also needs a DNS record that leads to its nodes.
 *
 * @example shardedIngressController({ name: 'far', domain: 'apps-far.reef.example.test', nodeLabels: { 'kubernetes.io/hostname': 'far-0' }, routeLabels: { site: 'far' } })
 */
export function shardedIngressController(options: {
  readonly name: string;
  /** The domain of its routes, for example `apps-far.reef.example.test`. */
  readonly domain: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Labels of the routes that it serves. */
  readonly routeLabels: Readonly<Record<string, string>>;
  readonly replicas?: number | undefined;
}): Manifest {
  checkArgument('options', options, 'object');
  const { name, domain, nodeLabels, routeLabels, replicas = 1 } = options;
  return {
    apiVersion: 'operator.openshift.io/v1',
    kind: 'IngressController',
    metadata: { name, ...ROUTERS },
    spec: {
      domain,
      replicas,
      nodePlacement: { nodeSelector: { matchLabels: { ...nodeLabels } } },
      routeSelector: { matchLabels: { ...routeLabels } },
    },
  };
}

/** Empties the file: Ignition cannot remove it, and the kubelet starts no pod from an empty one. */
function withoutKeepalived(version: string) {
  const emptied = file(KEEPALIVED, '', { mode: 0o644, overwrite: true, compress: 'never' });
  return { ignition: { version }, storage: { files: [emptied] } };
}

/**
 * The Ignition override that keeps a node from ever running keepalived, from its first boot on.
 *
 * @example keepalivedOverride('3.2.0')
 */
export function keepalivedOverride(version: string): string {
  return stringifyConfig(withoutKeepalived(version));
}

/**
 * The pool of remote workers, and the MachineConfig that keeps keepalived from their nodes.
 *
 * @example const [pool, config] = remotePool('3.2.0')
 */
export function remotePool(version: string): readonly [pool: Manifest, config: Manifest] {
  const role = 'machineconfiguration.openshift.io/role';
  return [
    {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfigPool',
      metadata: { name: REMOTE_POOL },
      spec: {
        machineConfigSelector: { matchExpressions: [{ key: role, operator: 'In', values: ['worker', REMOTE_POOL] }] },
        nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${REMOTE_POOL}`]: '' } },
      },
    },
    {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfig',
      metadata: { name: NO_KEEPALIVED, labels: { [role]: REMOTE_POOL } },
      // An Ignition config consists of JSON values, which are also YAML values.
      spec: { config: JSON.parse(stringifyConfig(withoutKeepalived(version))) as Plain },
    },
  ];
}

/**
 * Names a ConfigMap with settings for the service.
 *
 * @example { annotations: { [SERVICE_SETTINGS_ANNOTATION]: 'settings' } }
 */
export const SERVICE_SETTINGS_ANNOTATION = 'unsupported.agent-install.openshift.io/assisted-service-configmap';

/** The ConfigMap that the annotation names. */
const SERVICE_SETTINGS = 'assisted-service-remote-workers';

/**
 * The settings of the assisted service that let hosts outside the machine networks be installed.
 *
 * @example disabledValidations('multicluster-engine')
 */
export function disabledValidations(namespace: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: SERVICE_SETTINGS, namespace },
    data: { DISABLED_HOST_VALIDATIONS: REMOTE_VALIDATIONS.join(',') },
  };
}

/**
 * Lets the bare-metal operator look for hosts in all namespaces.
 *
 * @example watchAllNamespaces()
 */
export function watchAllNamespaces(): Manifest {
  return {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'Provisioning',
    metadata: { name: 'provisioning-configuration' },
    spec: { watchAllNamespaces: true },
  };
}

/**
 * All manifests that workers outside the machine networks need, for an Ignition version and the namespace of the hub's service
 * (default: `multicluster-engine`).
 *
 * @example remoteWorkerManifests('3.2.0').ignitionOverride
 */
export function remoteWorkerManifests(
  ignitionVersion: string,
  serviceNamespace?: string,
): {
  /** Ignition JSON that keeps a node from ever running keepalived, from its first boot on. */
  readonly ignitionOverride: string;
  /** A machine config pool for remote workers, and the MachineConfig that keeps keepalived from its nodes. */
  readonly pool: Manifest;
  readonly machineConfig: Manifest;
  /** A ConfigMap that switches off two validations of the service, and the annotation of the AgentServiceConfig that names it. */
  readonly serviceSettings: Manifest;
  readonly serviceAnnotations: Readonly<Record<string, string>>;
  /** Lets the bare-metal operator look for hosts in all namespaces. */
  readonly provisioning: Manifest;
} {
  checkArgument('ignitionVersion', ignitionVersion, 'text');
  if (serviceNamespace !== undefined) checkArgument('serviceNamespace', serviceNamespace, 'text');
  const [pool, machineConfig] = remotePool(ignitionVersion);
  return {
    ignitionOverride: keepalivedOverride(ignitionVersion),
    pool,
    machineConfig,
    serviceSettings: disabledValidations(serviceNamespace ?? 'multicluster-engine'),
    serviceAnnotations: { [SERVICE_SETTINGS_ANNOTATION]: SERVICE_SETTINGS },
    provisioning: watchAllNamespaces(),
  };
}
