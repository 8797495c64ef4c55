// Input from a cluster and its users: kubeconfigs, answers of the API, watches, certificate requests, the service.
import {
  clusterOverFetch,
  judgeRequests,
  readCluster,
  readRequest,
  redactFacts,
  ServiceClient,
} from '@coreiso/cluster';
import { readContext } from '../../../packages/cluster/src/node/kubeconfig.ts';
import { encodedRequest, makeRequest, requestObject } from '../../../packages/cluster/test/csr/make-request.ts';
import { recorded } from '../goldens.ts';
import { scriptedFetch } from '../scripted-fetch.ts';
import { allowed, assertHolds, jsonOf, type Target, textsOf } from '../target.ts';

const SERVER = 'https://api.example.test:6443';
const STEPS = { base: 2_000_000, perByte: 4_000 };
const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: admin
clusters:
- name: c
  cluster:
    server: ${SERVER}
    certificate-authority-data: YQ==
    tls-server-name: x
contexts:
- name: admin
  context: {cluster: c, user: u}
users:
- name: u
  user:
    token: abc
    client-certificate-data: YQ==
    client-key-data: YQ==
    exec: {apiVersion: client.authentication.k8s.io/v1, command: x, args: [a], env: [{name: A, value: b}], interactiveMode: Never}
`;
const objects = () => recorded('packages/cluster/test/goldens/cluster-info.json', /\.json$/, 4000);
const NODE = { name: 'worker-0', addresses: ['192.0.2.10'] };

export const targets: readonly Target[] = [
  {
    name: 'cluster/kubeconfig',
    shape: 'tree',
    steps: STEPS,
    seeds: () => [
      KUBECONFIG,
      `${KUBECONFIG}\0${KUBECONFIG.replace('admin', 'other')}`,
      KUBECONFIG.replace('token: abc', 'tokenFile: t'),
    ],
    run: async (input) => {
      const files = new Map(
        textsOf(input)
          .slice(0, 3)
          .map((text, index) => [`/k${index}`, new TextEncoder().encode(text)]),
      );
      const read = async (path: string) => {
        const bytes = files.get(path);
        if (bytes === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
        return bytes;
      };
      const context = await allowed(() => readContext([...files.keys()], undefined, read));
      if (context !== undefined)
        assertHolds(/^https?:\/\//.test(context.cluster.server), 'a context leads to a server');
    },
  },
  {
    name: 'cluster/answers',
    shape: 'tree',
    steps: STEPS,
    longest: 6000,
    seeds: () => [
      JSON.stringify([
        {
          body: {
            kind: 'NodeList',
            items: [{ metadata: { name: 'a' } }],
            metadata: { resourceVersion: '5', continue: 'x' },
          },
        },
        { body: { items: [], metadata: {} } },
      ]),
      JSON.stringify([
        {
          status: 403,
          body: {
            kind: 'Status',
            code: 403,
            reason: 'Forbidden',
            message: 'no',
            details: { causes: [{ message: 'x' }] },
          },
        },
      ]),
      JSON.stringify([{ status: 302, headers: { location: 'https://evil.example/' } }]),
      JSON.stringify([{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>log in</html>' }]),
      ...objects()
        .slice(0, 20)
        .map((text) => JSON.stringify([{ body: JSON.parse(text) }])),
    ],
    run: async (input) => {
      const cluster = clusterOverFetch({ server: SERVER, fetch: scriptedFetch(jsonOf(input)), maxAnswerBytes: 8192 });
      const listed = await allowed(() => cluster.list('/api/v1/nodes'));
      if (listed !== undefined) assertHolds(Array.isArray(listed.items), 'a list has items');
      const other = clusterOverFetch({ server: SERVER, fetch: scriptedFetch(jsonOf(input)), maxAnswerBytes: 8192 });
      const reading = await allowed(() => readCluster(other));
      if (reading?.facts.ok) redactFacts(reading.facts.value);
    },
  },
  {
    name: 'cluster/watch',
    shape: 'text',
    steps: STEPS,
    seeds: () => [
      '{"type":"ADDED","object":{"kind":"Node","metadata":{"name":"a","resourceVersion":"6"}}}\n{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}\n',
      '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n\n\r\n',
    ],
    run: async (input) => {
      const cluster = clusterOverFetch({
        server: SERVER,
        fetch: async () => new Response(Uint8Array.from(input)),
        maxAnswerBytes: 2048,
      });
      let events = 0;
      await allowed(async () => {
        for await (const { type } of cluster.watch('/api/v1/nodes', { resourceVersion: '1' })) {
          assertHolds(typeof type === 'string', 'an event has a type');
          events++;
        }
      });
      assertHolds(events <= input.length, 'a watch has no more events than bytes');
    },
  },
  {
    name: 'cluster/request',
    shape: 'bytes',
    longest: 2048,
    steps: STEPS,
    seeds: () => [
      makeRequest('worker-0'),
      makeRequest('worker-0', { dnsNames: ['worker-0'], addresses: [[192, 0, 2, 10]] }),
    ],
    // A request of any DER, for a planned node.
    run: async (input) => {
      const object = requestObject('csr-a', 'first', 'worker-0', encodedRequest(input));
      const request = readRequest(object);
      const verdicts = await judgeRequests([request], [], [NODE as Parameters<typeof judgeRequests>[2][number]]);
      for (const { isApprovable } of verdicts)
        assertHolds(!isApprovable || request.content !== undefined, 'what cannot be read is not approved');
    },
  },
  {
    name: 'cluster/request-object',
    shape: 'tree',
    longest: 4096,
    steps: STEPS,
    seeds: () => [JSON.stringify(requestObject('csr-a', 'second', 'worker-0'))],
    run: async (input) => {
      const value = jsonOf(input);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const request = readRequest(value as Parameters<typeof readRequest>[0]);
      await judgeRequests(
        [request],
        [value as Parameters<typeof readRequest>[0]],
        [NODE as Parameters<typeof judgeRequests>[2][number]],
      );
    },
  },
  {
    name: 'cluster/service',
    shape: 'tree',
    steps: STEPS,
    seeds: () => [
      JSON.stringify([
        { body: [{ id: 'a', infra_env_id: 'b' }] },
        { body: [{ id: 'c' }] },
        {
          body: {
            status: 'installing',
            hosts: [{ id: 'h', status: 'known', progress: { current_stage: 'Rebooting' } }],
          },
        },
        { body: [{ message: 'x', event_time: '2024-01-01T00:00:00Z' }] },
      ]),
    ],
    run: async (input) => {
      const client = new ServiceClient('192.0.2.1', {
        token: 't',
        fetch: scriptedFetch(jsonOf(input)),
        maxAnswerBytes: 8192,
      });
      await allowed(() => client.observe({}));
    },
  },
];
