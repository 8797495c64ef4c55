export { type ConnectedCluster, type ConnectOptions, clusterFromKubeconfig } from './connect.ts';
export { probeKubelet, probePort, reverseNames } from './kubelet.ts';
export { trustAuthority } from './trust.ts';
