export { type ConnectedCluster, type ConnectOptions, clusterFromKubeconfig } from './connect.ts';
export { probeKubelet, probePort } from './kubelet.ts';
export { trustAuthority } from './trust.ts';
