// Optional parts of a cluster by the release that made them optional (openshift/api, ClusterVersionCapabilitySets).
const BY_RELEASE: readonly (readonly [string, readonly string[]])[] = [
  ['v4.11', ['baremetal', 'marketplace', 'openshift-samples', 'MachineAPI']],
  ['v4.12', ['Console', 'Insights', 'Storage', 'CSISnapshot']],
  ['v4.13', ['NodeTuning']],
  ['v4.14', ['Build', 'DeploymentConfig', 'ImageRegistry']],
  ['v4.15', ['OperatorLifecycleManager', 'CloudCredential']],
  ['v4.16', ['CloudControllerManager', 'Ingress']],
  ['v4.17', []],
  ['v4.18', ['OperatorLifecycleManagerV1']],
  ['vCurrent', ['ClusterAPI', 'CompatibilityRequirements']],
];

/** Each release includes the capabilities of earlier ones. */
export const CAPABILITY_SETS: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ['None', []],
  ...BY_RELEASE.map(([name], index) => [name, BY_RELEASE.slice(0, index + 1).flatMap(([, added]) => added)] as const),
]);

export const CAPABILITIES: readonly string[] = BY_RELEASE.flatMap(([, added]) => added).sort();
