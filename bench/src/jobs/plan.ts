// Reads and plans a nodes-config with a given number of hosts, and reports on standard error.
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { planNodes } from '@coreiso/openshift';
import { nodesConfig } from '../hosts.ts';
import { reportOf } from '../report.ts';

const [hosts] = process.argv.slice(2);
const text = nodesConfig(Number(hosts));
await reportOf(async () => {
  planNodes(parseNodesConfigOrThrow(text));
});
