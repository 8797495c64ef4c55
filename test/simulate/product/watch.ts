export { monitorNodes } from '../../../packages/cluster/src/monitor/monitor.ts';
export { follow } from '../../../packages/cluster/src/reader/follow.ts';
export { clusterOverFetch } from '../../../packages/cluster/src/reader/over-fetch.ts';
