import type { Option } from '../frame/command.ts';

/** Which cluster, for commands that always speak to one. */
export const kubeconfigOptions: readonly Option[] = [
  { name: 'kubeconfig', value: 'FILE', help: 'How to reach the cluster; KUBECONFIG, else ~/.kube/config, by default' },
  { name: 'context', value: 'NAME', help: 'Another context of the kubeconfig than the current one' },
];

/** For commands that speak to a cluster only where they are asked to. */
export const liveOptions: readonly Option[] = [
  { name: 'live', conflicts: ['cluster'], help: 'Ask the cluster of the kubeconfig instead of reading --cluster' },
  ...kubeconfigOptions.map((option) => ({ ...option, conflicts: ['cluster'] })),
];
