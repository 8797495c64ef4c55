export { clusterOverFetch } from '../../../packages/cluster/src/reader/over-fetch.ts';
export { ServiceClient } from '../../../packages/cluster/src/service/client.ts';
export { waitForInstall } from '../../../packages/cluster/src/wait/install.ts';
