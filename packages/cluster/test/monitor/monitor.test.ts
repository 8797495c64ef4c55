import { describe, expect, test } from 'vitest';
import { ClusterError } from '../../src/errors.ts';
import { type ExpectedHost, hostsAt } from '../../src/monitor/hosts.ts';
import { monitorNodes } from '../../src/monitor/monitor.ts';
import type { KubeObject } from '../../src/objects.ts';
import type { ClusterReader } from '../../src/reader/port.ts';
import { encodedRequest, makeRequest, type RequestForm, requestObject } from '../csr/make-request.ts';
import { StoryClock } from '../replay/story.ts';

const NODES = '/api/v1/nodes';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const node = (name: string, ready: 'True' | 'False', message = '', address = '192.0.2.10'): KubeObject => ({
  metadata: { name },
  status: { addresses: [{ type: 'InternalIP', address }], conditions: [{ type: 'Ready', status: ready, message }] },
});
const first = (name: string, host: string): KubeObject => requestObject(name, 'first', host);
const serving = (name: string, host: string, form?: RequestForm): KubeObject =>
  requestObject(name, 'second', host, encodedRequest(makeRequest(host, form)));

interface Moment {
  readonly nodes?: readonly KubeObject[] | ClusterError;
  readonly requests?: readonly KubeObject[] | ClusterError;
  /** Answer of the live system: a status, `refused`, `silent`, or a status code. */
  readonly service?: string | number;
}

/** A world that changes at each poll, 5 s apart. */
function world(moments: readonly Moment[]) {
  const clock = new StoryClock();
  const now = () => moments[Math.min(Math.floor(clock.now() / 5000), moments.length - 1)] ?? {};
  const cluster: ClusterReader = {
    get: async () => ({
      data: { agentAuthToken: btoa('a'), userAuthToken: btoa('u'), watcherAuthToken: btoa('watcher') },
    }),
    list: async (path) => {
      const found = (path === NODES ? now().nodes : path === REQUESTS ? now().requests : undefined) ?? [];
      if (found instanceof ClusterError) throw found;
      return { items: found, resourceVersion: '1' };
    },
    watch: () => {
      throw new Error('nobody watches');
    },
  };
  const fetch = async (url: string) => {
    const { service = 'refused' } = now();
    if (service === 'refused') throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    if (service === 'silent') throw new DOMException('timed out', 'TimeoutError');
    if (typeof service === 'number')
      return Response.json({ message: 'The provided token has expired' }, { status: service });
    if (url.endsWith('/infra-envs')) return Response.json([{ id: 'e' }]);
    if (url.includes('with_hosts')) return Response.json([{ id: 'c' }]);
    return Response.json(url.includes('/events') ? [] : { status: service });
  };
  return { clock, cluster, fetch };
}

async function told(moments: readonly Moment[], hosts: readonly ExpectedHost[] = [HOST]): Promise<string[]> {
  const { clock, cluster, fetch } = world(moments);
  const lines: string[] = [];
  for await (const { at, stage = 'cluster', level, message, command } of monitorNodes(cluster, hosts, {
    clock,
    fetch,
  })) {
    lines.push(
      `${at / 1000} ${stage} ${level === 'warning' ? '! ' : ''}${message}${command === undefined ? '' : ` [${command}]`}`,
    );
  }
  return lines;
}

const HOST: ExpectedHost = {
  name: 'worker-1',
  nodeName: 'worker-1',
  addresses: ['192.0.2.10'],
  reachedAt: '192.0.2.10',
};
const READY = { nodes: [node('worker-1', 'True')] };

describe('a host on its way', () => {
  test('is followed from its live system to the ready node', async () => {
    const lines = await told([
      {},
      { service: 'adding-hosts' },
      { service: 'installing' },
      {},
      { requests: [first('csr-1', 'worker-1')] },
      { nodes: [node('worker-1', 'False', 'no CNI plugin')] },
      READY,
    ]);
    expect(lines).toEqual([
      '5 live the live system answers',
      '5 live Cluster is adding hosts',
      '10 live Cluster installation in progress',
      '20 rebooting the live system stopped answering: the host is rebooting or off',
      '20 approval its first certificate request csr-1 waits for approval [oc adm certificate approve csr-1]',
      '25 joined the node joined',
      '25 joined the node is not ready: no CNI plugin',
      '30 ready the node is ready',
    ]);
  });

  test('is distinguished from one whose name begins alike', async () => {
    const other = { nodes: [node('worker-10', 'True')], requests: [serving('csr-10', 'worker-10')] };
    expect(await told([other, { nodes: [node('worker-10', 'True'), node('worker-1', 'True')] }])).toEqual([
      '0 cluster certificate requests from outside the plan are waiting: worker-10',
      '5 ready the node is ready',
    ]);
  });

  test('known only by an address is found in any spelling of the address', async () => {
    const lines = await told([{}, { nodes: [node('any', 'True', '', '2001:DB8:0::5')] }], hostsAt(['2001:db8::5']));
    expect(lines).toEqual(['5 ready the node is ready']);
  });

  test('is reported when it boots the image again', async () => {
    const lines = await told([{ service: 'adding-hosts' }, {}, {}, { service: 'adding-hosts' }, READY]);
    expect(lines).toContain('15 live the live system answers again');
  });

  test('is reported once with an expired token, and is still seen as a node', async () => {
    const lines = await told([{ service: 401 }, { service: 401 }, { service: 401 }, READY]);
    expect(lines.filter((line) => line.includes('refuses the token')).length).toBe(1);
    expect(lines.at(-1)).toBe('15 ready the node is ready');
  });

  test('is not lost while the API is unreachable, which is reported once per outage', async () => {
    const down = new ClusterError('CLUSTER_UNREACHABLE', 'down');
    const lines = await told([{ nodes: down }, { nodes: down }, {}, { nodes: down }, READY]);
    expect(lines).toEqual([
      '0 cluster ! could not list nodes; trying again: down',
      '10 cluster nodes can be listed again',
      '15 cluster ! could not list nodes; trying again: down',
      '20 cluster nodes can be listed again',
      '20 ready the node is ready',
    ]);
  });

  test('that joined is not gone because the API is unreachable', async () => {
    const joined = { nodes: [node('worker-1', 'False', 'no CNI plugin')] };
    const lines = await told([joined, { nodes: new ClusterError('CLUSTER_UNREACHABLE', 'down') }, joined, READY]);
    expect(lines.filter((line) => !line.includes('cluster'))).toEqual([
      '0 joined the node joined',
      '0 joined the node is not ready: no CNI plugin',
      '15 ready the node is ready',
    ]);
  });

  test('follows its requests as they come and go, and joins again after it was gone', async () => {
    const joined = { nodes: [node('worker-1', 'False')] };
    const lines = await told([
      { requests: [first('csr-1', 'worker-1')] },
      joined,
      { ...joined, requests: [serving('csr-2', 'worker-1')] },
      joined,
      { nodes: [] },
      joined,
      { ...READY, requests: [serving('csr-3', 'worker-1')] },
    ]);
    expect(lines).toEqual([
      '0 approval its first certificate request csr-1 waits for approval [oc adm certificate approve csr-1]',
      '5 joined the node joined',
      '10 approval its second certificate request csr-2 waits for approval [oc adm certificate approve csr-2]',
      '20 expected the node is gone',
      '25 joined the node joined',
      '30 approval its second certificate request csr-3 waits for approval [oc adm certificate approve csr-3]',
      '30 approval ! until csr-3 is approved, the node may not be fully functional',
      '30 ready the node is ready',
    ]);
  });

  test('gets no command for requests that are not its own, and reports a changed verdict', async () => {
    const joined = { nodes: [node('worker-1', 'False'), node('master-0', 'True', '', '192.0.2.2')] };
    const own = serving('csr-1', 'worker-1', { dnsNames: ['worker-1'], addresses: [[192, 0, 2, 10]] });
    const lines = await told([
      { ...joined, requests: [serving('csr-0', 'worker-1', { addresses: [[192, 0, 2, 2]] })] },
      { ...joined, requests: [own] },
      { ...joined, requests: [own, serving('csr-2', 'worker-1', { key: 'another' })] },
      { ...joined, requests: [own] },
      READY,
    ]);
    expect(lines.filter((line) => !line.includes('the node'))).toEqual([
      '0 approval ! its second certificate request csr-0 must not be approved: not "all names and addresses are its own": 192.0.2.2 (node master-0 has it)',
      '5 approval its second certificate request csr-1 waits for approval [oc adm certificate approve csr-1]',
      '5 approval csr-1 asks for worker-1 (it is in the plan), 192.0.2.10 (it is in the plan)',
      '10 approval ! its second certificate request csr-1 must not be approved: not "no other request for this name has another key": csr-2',
      '10 approval ! its second certificate request csr-2 must not be approved: not "no other request for this name has another key": csr-1',
      '15 approval its second certificate request csr-1 waits for approval [oc adm certificate approve csr-1]',
      '15 approval csr-1 asks for worker-1 (it is in the plan), 192.0.2.10 (it is in the plan)',
    ]);
  });

  test('gets the command that approves its request', async () => {
    const { clock, cluster, fetch } = world([{ requests: [first('csr-1', 'worker-1')] }, READY]);
    const commands: unknown[] = [];
    const options = { clock, fetch, approveCommand: 'coreiso nodes approve plan.yaml' };
    for await (const { command } of monitorNodes(cluster, [HOST], options)) if (command) commands.push(command);
    expect(commands).toEqual(['coreiso nodes approve plan.yaml']);
  });

  test('ignores requests of others, whose names are reported once', async () => {
    const strangers = Array.from({ length: 6 }, (_, index) => first(`csr-${index + 2}`, `other-${index}`));
    const lines = await told([
      { requests: [first('csr-1', 'stray')] },
      { requests: [first('csr-1', 'stray'), serving('csr-9', 'stray')] },
      { requests: [first('csr-1', 'stray'), ...strangers] },
      READY,
    ]);
    expect(lines).toEqual([
      '0 cluster certificate requests from outside the plan are waiting: stray',
      '10 cluster certificate requests from outside the plan are waiting: other-0, other-1, other-2, other-3, other-4 and 1 more',
      '15 ready the node is ready',
    ]);
  });

  test('gets no command for a request that another user made', async () => {
    const request = first('csr-1', 'worker-1');
    const made = { ...request, spec: { ...Object(request['spec']), username: 'admin' } };
    const [line] = await told([{ requests: [made] }, READY]);
    expect(line).toBe(
      '0 approval ! its first certificate request csr-1 must not be approved: not "the requester is the node bootstrapper": admin',
    );
  });

  test('gets a safely quoted command for a request whose name has shell characters', async () => {
    const [line] = await told([{ requests: [first("x; a'b", 'worker-1')] }, READY]);
    expect(line).toContain("[oc adm certificate approve -- 'x; a'\\''b']");
  });

  test('is seen as a node even with a service that never answers', async () => {
    expect(await told([{ service: 'silent' }, { service: 'silent', ...READY }])).toEqual(['5 ready the node is ready']);
  });
});

test('refuses an invalid typed address at once', () => {
  expect(() => hostsAt(['10.0.0.256'])).toThrow('addresses must be IP addresses, not 10.0.0.256');
});
