import { expect, test } from 'vitest';
import { judgeRequests } from '../src/csr/approval.ts';
import { clusterConcerns } from '../src/facts/concerns.ts';
import { readCluster } from '../src/facts/read-cluster.ts';
import { secretMembers } from '../src/facts/redact.ts';
import { expectedHosts, hostsAt } from '../src/monitor/hosts.ts';
import { monitorNodes } from '../src/monitor/monitor.ts';
import { clusterFromKubeconfig } from '../src/node/connect.ts';
import { probeKubelet, probePort } from '../src/node/kubelet.ts';
import { trustAuthority } from '../src/node/trust.ts';
import { follow } from '../src/reader/follow.ts';
import { clusterOverFetch } from '../src/reader/over-fetch.ts';
import { ServiceClient } from '../src/service/client.ts';
import { waitForBootstrap } from '../src/wait/bootstrap.ts';

const nothing = () => undefined;
const CLUSTER = { get: nothing, list: nothing, watch: nothing };

/** Invalid arguments of callers without types, and the messages. */
const WRONG: readonly (readonly [name: string, call: () => unknown, told: string])[] = [
  ['clusterConcerns', () => clusterConcerns(undefined as never), 'reading.objects must be an array, not undefined'],
  ['clusterConcerns', () => clusterConcerns({} as never), 'reading.objects must be an array, not undefined'],
  ['readCluster', () => readCluster(null as never), 'cluster must be an object, not null'],
  ['readCluster', () => readCluster({ list: nothing } as never), 'cluster.get must be a function, not undefined'],
  ['readCluster', () => readCluster({ get: nothing } as never), 'cluster.list must be a function, not undefined'],
  ['readCluster', () => readCluster(CLUSTER as never, null as never), 'options must be an object, not null'],
  ['secretMembers', () => secretMembers(null as never), 'facts must be an object, not null'],
  ['probeKubelet', () => probeKubelet(7 as never), 'address must be a string, not a number'],
  ['probeKubelet', () => probeKubelet('192.0.2.1', {} as never), 'signal must be an AbortSignal, not an object'],
  ['probePort', () => probePort(7 as never, 22), 'address must be a string, not a number'],
  ['probePort', () => probePort('192.0.2.1', 22, {} as never), 'signal must be an AbortSignal, not an object'],
  ['clusterFromKubeconfig', () => clusterFromKubeconfig(null as never), 'options must be an object, not null'],
  ['trustAuthority', () => trustAuthority({} as never, 7 as never), 'pem must be a string, not a number'],
  ['follow', () => follow({ list: nothing } as never, '/').next(), 'cluster.watch must be a function, not undefined'],
  ['follow', () => follow({ watch: nothing } as never, '/').next(), 'cluster.list must be a function, not undefined'],
  ['follow', () => follow(CLUSTER as never, 7 as never).next(), 'path must be a string, not a number'],
  ['follow', () => follow(CLUSTER as never, '/', null as never).next(), 'options must be an object, not null'],
  ['expectedHosts', () => expectedHosts({} as never), 'plan.hosts must be an array, not undefined'],
  ['expectedHosts', () => expectedHosts(undefined as never), 'plan.hosts must be an array, not undefined'],
  [
    'expectedHosts',
    () => expectedHosts({ hosts: [] } as never, [] as never),
    'reachedAt must be an object, not an array',
  ],
  [
    'expectedHosts',
    () => expectedHosts({ hosts: [{ name: 'a' }] } as never, { b: '192.0.2.1', c: '192.0.2.2' }),
    'reachedAt must name only planned hosts, not b, c',
  ],
  ['hostsAt', () => hostsAt('192.0.2.1' as never), 'addresses must be an array, not a string'],
  ['hostsAt', () => hostsAt([7] as never), 'addresses must be a string, not a number'],
  ['hostsAt', () => hostsAt(['192.0.2.256']), 'addresses must be IP addresses, not 192.0.2.256'],
  ['monitorNodes', () => monitorNodes({} as never, []), 'cluster.list must be a function, not undefined'],
  ['monitorNodes', () => monitorNodes(undefined as never, []), 'cluster must be an object, not undefined'],
  ['monitorNodes', () => monitorNodes(CLUSTER as never, null as never), 'expected must be a plan or a list of hosts'],
  ['monitorNodes', () => monitorNodes(CLUSTER as never, {} as never), 'expected must be a plan or a list of hosts'],
  ['ServiceClient', () => new ServiceClient(7 as never, { token: '' }), 'address must be a string, not a number'],
  ['ServiceClient', () => new ServiceClient('192.0.2.1', null as never), 'options must be an object, not null'],
  ['ServiceClient', () => new ServiceClient('192.0.2.1', {} as never), 'options.token must be a string, not undefined'],
  ['judgeRequests', () => judgeRequests({} as never, [], []), 'requests must be an array, not an object'],
  ['judgeRequests', () => judgeRequests([], {} as never, []), 'nodes must be an array, not an object'],
  ['judgeRequests', () => judgeRequests([], [], {} as never), 'planned must be an array, not an object'],
  [
    'clusterOverFetch',
    () => clusterOverFetch({ server: 7 } as never),
    'options.server must be the address of an API server, such as https://api.example.test:6443',
  ],
  [
    'waitForBootstrap',
    () => waitForBootstrap({} as never, {} as never),
    'ports.cluster must be an object, not undefined',
  ],
  [
    'waitForBootstrap',
    () => waitForBootstrap({ cluster: CLUSTER } as never, {} as never),
    'options.rendezvousIp must be a string, not undefined',
  ],
];

test.each(WRONG.map(([name, call, told]) => ({ name, call, told })))('refuses $name: $told', async ({ call, told }) => {
  const settled = async () => {
    const given = call() as { next?: () => unknown } | undefined;
    return typeof given?.next === 'function' ? given.next() : given;
  };
  await expect(settled()).rejects.toMatchObject({ message: told });
});
