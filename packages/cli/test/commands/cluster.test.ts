import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CERTIFICATES } from '../../../../test/support/certificates.ts';
import { encodedRequest, makeRequest, requestObject } from '../../../cluster/test/csr/make-request.ts';
import { type CliOptions, type CliResult, coreiso, scratchFolder } from '../support.ts';

const SECRET = 'planted-secret-never-shown';
/** A certificate request, made with openssl for system:node:worker-0. */
const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIeE1JR1lBZ0VBTURZeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVkTUJzR0ExVUVBd3dVYzNsegpkR1Z0T201dlpHVTZkMjl5YTJWeUxUQXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUXZRbGhGCjl2dXVJR3RuVVhES3Z4b2RaUjh6dDZSWm1XZnRUeUlzc2NJSXhVdDRuYlFjd1ljMDhXWUhJWUZhOFA5VlpkMnUKaUJqOFVYNlJacWp3Ym9PTW9BQXdDZ1lJS29aSXpqMEVBd0lEU0FBd1JRSWhBSnR6OXVYREI3UHVyR3llQzJvYgpDOGFKSlpnTnYrYm15S2E5NTQ2MzBCa2hBaUFWYXN5WkdvWTNjNm5jVGgrT21sTzB4TDN4MWpZd041dTFHeUUxCjdGVTlOUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const CONFIG = `hosts:
- hostname: worker-0
  interfaces:
  - name: eth0
    macAddress: 52:54:00:ab:00:01
`;

/** The answers of an API by path; other paths are 404, and writes are recorded. */
let answers: Record<string, object>;
let writes: { path: string; body: string }[];
/** Paths that need their own token. */
let open: Record<string, string>;
/** A web page that a proxy returns in place of the API. */
let page: string | undefined;
let server: Server;
let cwd: string;

beforeEach(async () => {
  answers = {
    '/apis/config.openshift.io/v1/clusterversions/version': {
      spec: { clusterID: 'id' },
      status: { history: [{ state: 'Completed', version: '4.20.3', image: `q.test/r@sha256:${'5'.repeat(64)}` }] },
    },
    '/apis/config.openshift.io/v1/proxies/cluster': { spec: {} },
    '/api/v1/namespaces/openshift-config/secrets/pull-secret': {
      data: { '.dockerconfigjson': btoa(JSON.stringify({ auths: { q: { auth: btoa(SECRET) } } })) },
    },
    '/apis/config.openshift.io/v1/infrastructures/cluster': {
      spec: { platformSpec: { type: 'BareMetal' } },
      status: { apiServerURL: 'https://api.harbor.example.test:6443' },
    },
    '/api/v1/nodes': {
      items: [
        {
          metadata: { name: 'cp-0', labels: { 'node-role.kubernetes.io/master': '' } },
          status: { nodeInfo: { architecture: 'amd64' }, addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] },
        },
      ],
    },
    '/apis/certificates.k8s.io/v1/certificatesigningrequests': { items: [] },
  };
  writes = [];
  open = {};
  page = undefined;
  server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    let body = '';
    if (page !== undefined) return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    for await (const chunk of request) body += chunk;
    if (request.method !== 'GET') writes.push({ path, body });
    const named = { metadata: { name: path.replace(/^.*\//, '') } };
    const isOpen = request.headers.authorization === `Bearer ${open[path] ?? SECRET}`;
    const answer = request.method !== 'GET' ? {} : isOpen && answers[path] ? { ...named, ...answers[path] } : undefined;
    const [status, value] =
      answer === undefined ? [404, { kind: 'Status', code: 404, message: `${path} not found` }] : [200, answer];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cwd = scratchFolder();
  writeFileSync(join(cwd, 'nodes-config.yaml'), CONFIG);
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(cwd, 'kubeconfig'),
    `current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: "http://127.0.0.1:${port}"}}]\nusers: [{name: u, user: {token: ${SECRET}}}]\n`,
  );
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function run(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const result = await coreiso(argv, { cwd, env: { KUBECONFIG: join(cwd, 'kubeconfig') }, ...options });
  expect(`${result.stderr}`).not.toContain(SECRET);
  return result;
}

const csr = (usages: readonly string[] = ['digital signature', 'client auth']) => ({
  metadata: { name: 'csr-1' },
  spec: {
    request: REQUEST,
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    username: 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper',
    usages,
  },
});
const ready = { metadata: { name: 'worker-0' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };

describe('nodes facts', () => {
  test('writes the facts to a file that only its owner can read, and does not overwrite it', async () => {
    const first = await run(['nodes', 'facts', '-o', 'cluster.json']);
    expect([first.status, first.stdout.toString()]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(join(cwd, 'cluster.json'), 'utf8'))).toMatchObject({
      name: 'harbor',
      version: '4.20.3',
    });
    expect(statSync(join(cwd, 'cluster.json')).mode & 0o777).toBe(0o600);
    expect(first.stderr).toContain('cluster.json has secrets: pullSecret; only its owner can read it\n');
    expect((await run(['nodes', 'facts', '-o', 'cluster.json'])).status).toBe(1);
    chmodSync(join(cwd, 'cluster.json'), 0o644);
    expect((await run(['nodes', 'facts', '-o', 'cluster.json', '--force'])).status).toBe(0);
    expect(statSync(join(cwd, 'cluster.json')).mode & 0o777).toBe(0o600);
    expect((await run(['nodes', 'validate', '--cluster', 'cluster.json'])).status).toBe(0);
  });

  test('leaves out secrets with --redact', async () => {
    const { stdout } = await run(['nodes', 'facts', '--redact']);
    expect(JSON.parse(stdout.toString())).toMatchObject({ name: 'harbor', pullSecret: '<redacted>' });
    expect(stdout.toString()).not.toContain(btoa(SECRET));
  });

  test('reports how long the facts are valid', async () => {
    const source = `data:;base64,${btoa(CERTIFICATES.api)}`;
    const merge = [{ source: 'https://192.0.2.5:22623/config/worker' }];
    const security = { tls: { certificateAuthorities: [{ source }] } };
    answers['/api/v1/namespaces/openshift-machine-api/secrets/worker-user-data-managed'] = {
      data: { userData: btoa(JSON.stringify({ ignition: { version: '3.4.0', config: { merge }, security } })) },
    };
    const { status, stderr } = await run(['nodes', 'facts', '-o', 'cluster.json']);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('worker user data (api.example.test) is valid until 2026-03-04T05:06:07.000Z\n'),
    ]);
  });

  test('lets advise tell where the router of a single node may run', async () => {
    answers['/apis/config.openshift.io/v1/infrastructures/cluster'] = {
      spec: { platformSpec: { type: 'None' } },
      status: { apiServerURL: 'https://api.harbor.example.test:6443', controlPlaneTopology: 'SingleReplica' },
    };
    const floating = await run(['nodes', 'advise', '--live']);
    expect([floating.status, floating.stdout.toString()]).toEqual([
      0,
      expect.stringContaining('nothing keeps it on cp-0: it may move to worker-0'),
    ]);
    answers['/apis/config.openshift.io/v1/ingresses/cluster'] = { status: { defaultPlacement: 'ControlPlane' } };
    expect((await run(['nodes', 'advise', '--live'])).stdout.toString()).not.toContain('router');
  });

  test('lets plan, validate and image read the live cluster only on request', async () => {
    const live = await run(['nodes', 'validate', '--live']);
    expect([live.status, live.stdout.toString()]).toEqual([0, 'nodes-config.yaml: a valid nodes-config with 1 host\n']);
    answers['/api/v1/nodes'] = {
      items: [
        {
          metadata: { name: 'worker-0', labels: { 'node-role.kubernetes.io/master': '' } },
          status: { nodeInfo: { architecture: 'amd64' }, addresses: [{ type: 'Hostname', address: 'worker-0' }] },
        },
      ],
    };
    const taken = await run(['nodes', 'validate', '--live', '--json']);
    expect(JSON.parse(taken.stdout.toString()).upstream.join()).toContain('worker-0');
    const both = await run(['nodes', 'validate', '--kubeconfig', 'kubeconfig', '--cluster', 'cluster.json']);
    expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('--cluster')]);
    server.closeAllConnections();
    server.close();
    expect((await run(['nodes', 'validate'])).status).toBe(0);
  });

  test('gives a plan the facts of the live cluster', async () => {
    answers['/api/v1/namespaces/openshift-machine-api/secrets/worker-user-data-managed'] = {
      data: {
        userData: btoa(
          JSON.stringify({
            ignition: { version: '3.4.0', config: { merge: [{ source: 'https://192.0.2.5:22623/config/worker' }] } },
          }),
        ),
      },
    };
    const { status, stdout } = await run(['nodes', 'plan', '--live']);
    expect([status, stdout.toString()]).toEqual([
      0,
      expect.stringContaining('it fetches its config from https://192.0.2.5:22623/config/worker'),
    ]);
    const silent = await run(['nodes', 'plan']);
    expect([silent.status, silent.stdout.toString().includes('192.0.2.5')]).toEqual([0, false]);
  });

  test('reports missing facts in one sentence', async () => {
    const none = await run(['nodes', 'facts'], { env: { HOME: cwd } });
    expect(none.status).toBe(1);
    expect(none.stderr).toContain('there is no kubeconfig at ');
    delete answers['/apis/config.openshift.io/v1/proxies/cluster'];
    expect((await run(['nodes', 'facts'])).stderr).toContain('/apis/config.openshift.io/v1/proxies/cluster not found');
    page = '<html>Log in</html>';
    expect((await run(['nodes', 'facts'])).stderr).toMatch(
      /: a web page instead of JSON \(HTTP status 200\); check for a proxy or a login page in front of the API server/,
    );
  });
});

describe('nodes monitor', () => {
  test('lists the stages of a host in its help, in order', async () => {
    const help = (await run(['nodes', 'monitor', '--help-all'])).stdout.toString();
    const way = /nodes image .*boots the image.*nodes approve.*second certificate.*approved.*It is Ready/s;
    expect(help).toMatch(way);
  });

  test('exits with 0 once the node is ready, and prints one JSON object per line', async () => {
    answers['/api/v1/nodes'] = { items: [ready] };
    const { status, stdout } = await run(['nodes', 'monitor', '--json']);
    const lines = stdout.toString().trim().split('\n');
    expect([status, lines.map((line) => JSON.parse(line).message)]).toEqual([0, ['the node is ready']]);
  });

  test('accepts addresses as oc does', async () => {
    const at = (address: string) => ({
      metadata: { name: address },
      status: { ...ready.status, addresses: [{ type: 'InternalIP', address }] },
    });
    answers['/api/v1/nodes'] = { items: ['192.0.2.10', '192.0.2.11'].map(at) };
    // The options for the pod that oc starts mean nothing here.
    const ofPod = ['-a', 'auth.json', '--insecure', '--skip-verification', '--certificate-authority', 'ca.pem'];
    const addresses = ['--ip-addresses', '192.0.2.10,192.0.2.11'];
    const { status, stdout } = await run(['nodes', 'monitor', '--json', ...ofPod, ...addresses]);
    expect([status, stdout.toString().match(/the node is ready/g)]).toEqual([
      0,
      expect.objectContaining({ length: 2 }),
    ]);
  });

  test('prints a summary when it is interrupted', async () => {
    const controller = new AbortController();
    answers['/apis/certificates.k8s.io/v1/certificatesigningrequests'] = { items: [csr()] };
    let printed = '';
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        printed += chunk;
        if (printed.includes('csr-1')) controller.abort(new Error('interrupted'));
        done();
      },
    });
    const { status, stderr } = await run(['nodes', 'monitor'], { signal: controller.signal, stdout });
    expect(printed).toContain('its first certificate request csr-1 waits for approval\n    coreiso nodes approve\n');
    expect(stderr).toMatch(/^worker-0 +- +approval +0:00:0\d +approval of its first certificate request$/m);
    expect(status).toBe(130);
  });

  test.each([
    [['--ip-addresses', ''], '--ip-addresses cannot be empty'],
    [['--ip-addresses', '192.0.2.1,x'], 'x is not valid IP address'],
    [['--ip-addresses', '192.0.2.1', '192.0.2.2'], "cannot be used with '[FILE|IP]...'"],
    [['10.0.0.256'], "expected an IP address such as 192.0.2.10, found '10.0.0.256'"],
    [['2001:db8::g'], "found '2001:db8::g'"],
    [['192.0.2.1', 'x'], "expected one config or only IP addresses, found 'x'"],
    [
      ['--address', 'worker-9=192.0.2.1'],
      '--address worker-9=…: nodes-config.yaml has no such host; expected one of worker-0',
    ],
    [['--timeout', 'soon'], 'such as 90s, 45m or 2h'],
    [['--report', 'nodes-config.yaml'], 'nodes-config.yaml is not JSON'],
    [['--report', 'none.json'], 'none.json'],
    [['--report', 'kubeconfig'], 'kubeconfig is not JSON'],
    [['--context', 'b'], 'there is no context "b"; expected one of a'],
  ])('refuses %j', async (words, reason) => {
    const { status, stderr } = await run(['nodes', 'monitor', ...words]);
    expect([status === 0, stderr.includes(reason)]).toEqual([false, true]);
  });
});

describe('nodes monitor with the report of an image', () => {
  const TOKEN = 'planted-token-of-the-image';
  const report = (end: string, token = TOKEN) =>
    JSON.stringify({ end_time: end, status: { port: (server.address() as AddressInfo).port, token } });
  const live = (stage: string, error: string | null = null) => ({ version: 1, stage, error, checks: [] });
  let hosts: string[];

  beforeEach(() => {
    hosts = ['--address', `worker-0=127.0.0.1`];
    open['/status'] = TOKEN;
  });

  test('finds the newest report beside the config, and exits with 1 if a machine needs attention', async () => {
    writeFileSync(join(cwd, 'old.report.json'), report('2030-01-01T00:00:00Z', 'another'));
    writeFileSync(join(cwd, 'node.report.json'), report('2030-01-02T00:00:00Z'));
    writeFileSync(join(cwd, 'report.json'), '{}');
    answers['/status'] = live('stopped', 'the image has expired \u001b[2J');
    const { status, stdout, stderr } = await run(['nodes', 'monitor', ...hosts]);
    expect([status, stdout.toString().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^0:00:0\d worker-0: the live system answers$/),
        expect.stringMatching(/^0:00:0\d worker-0: warning: the machine stopped: the image has expired ␛\[2J$/),
        '',
      ],
    ]);
    expect(stderr).toContain('Reading the status of each machine by node.report.json\n');
    expect(stderr).toContain('Hosts that need attention: worker-0.\n');
    expect(`${stdout}${stderr}`).not.toContain(TOKEN);
  });

  test('exits with 3 when the time is up, and prints the last states', async () => {
    writeFileSync(join(cwd, 'made.json'), report('2030-01-02T00:00:00Z'));
    answers['/status'] = live('waiting', 'api-int has no address');
    const argv = ['nodes', 'monitor', '--report', 'made.json', '--timeout', '1s', ...hosts];
    const { status, stderr } = await run(argv);
    expect([status, stderr.trimEnd().split('\n').slice(-2)]).toEqual([
      3,
      [
        expect.stringMatching(/^worker-0 +127\.0\.0\.1 +live +0:00:0\d +its checks to pass: api-int has no address$/),
        'Not all nodes were ready after 1s. Repeat the command to keep watching.',
      ],
    ]);
  });

  test('removes its table from a terminal when the time is up', async () => {
    writeFileSync(join(cwd, 'made.json'), report('2030-01-02T00:00:00Z'));
    answers['/status'] = live('waiting', 'api-int has no address');
    const argv = ['nodes', 'monitor', '--report', 'made.json', '--timeout', '2s', ...hosts];
    const { status, stdout } = await run(argv, { terminal: true });
    const text = stdout.toString();
    expect([status, text.match(/^HOST /gm)?.length]).toEqual([3, text.match(/\u001b\[\d+A\u001b\[J/g)?.length]);
    expect(text).toMatch(/\u001b\[\d+A\u001b\[J$/);
  });

  test('keeps a table below its lines on a terminal, and removes it at the end', async () => {
    answers['/api/v1/nodes'] = { items: [ready] };
    const { status, stdout } = await run(['nodes', 'monitor'], { terminal: true });
    const [line, , head, row, wipe] = stdout.toString().split('\n');
    expect([status, line, head?.split(/ +/).slice(0, 3), row?.split(/ +/).slice(0, 3), wipe]).toEqual([
      0,
      '0:00:00 worker-0: the node is ready',
      ['HOST', 'ADDRESS', 'STAGE'],
      ['worker-0', '-', 'ready'],
      '\u001b[3A\u001b[J',
    ]);
  });
});

describe('nodes approve', () => {
  test('approves requests that pass, and none without a yes', async () => {
    answers['/apis/certificates.k8s.io/v1/certificatesigningrequests'] = { items: [csr()] };
    const unasked = await run(['nodes', 'approve']);
    expect([unasked.status, writes]).toEqual([2, []]);
    expect(unasked.stderr).toContain('not a terminal: pass --yes to approve requests that pass');
    const { status, stdout } = await run(['nodes', 'approve', '--yes']);
    expect(stdout.toString()).toContain(
      'csr-1: the first request of worker-0 can be approved\n  ok   its encoding is unambiguous\n  ok   the requester is the node bootstrapper',
    );
    expect([status, writes.map(({ path }) => path)]).toEqual([
      0,
      ['/apis/certificates.k8s.io/v1/certificatesigningrequests/csr-1/approval'],
    ]);
    expect(JSON.parse(writes[0]?.body ?? '').status.conditions).toMatchObject([{ type: 'Approved', status: 'True' }]);
  });

  test('refuses a request for additional usages, and names them', async () => {
    answers['/apis/certificates.k8s.io/v1/certificatesigningrequests'] = {
      items: [csr(['client auth', 'server auth'])],
    };
    const { status, stdout } = await run(['nodes', 'approve', '--yes']);
    expect([status, writes]).toEqual([1, []]);
    expect(stdout.toString()).toContain(
      'FAIL the usages are client auth and digital signature: client auth, server auth',
    );
  });

  describe('for an existing node', () => {
    const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const address = (type: string, value: string) => ({ type, address: value });
    const asks = (...addresses: number[][]) => {
      const request = makeRequest('worker-0', { dnsNames: ['worker-0'], addresses });
      answers[REQUESTS] = { items: [requestObject('csr-2', 'second', 'worker-0', encodedRequest(request))] };
    };
    const knowsNetworks = () => {
      const baremetal = {
        apiServerInternalIPs: ['192.0.2.5'],
        ingressIPs: ['192.0.2.6'],
        machineNetworks: ['192.0.2.0/24'],
      };
      answers['/apis/config.openshift.io/v1/infrastructures/cluster'] = {
        status: { platformStatus: { type: 'BareMetal', baremetal } },
      };
      answers['/apis/config.openshift.io/v1/networks/cluster'] = {
        status: { networkType: 'OVNKubernetes', serviceNetwork: ['172.30.0.0/16'] },
      };
    };

    beforeEach(() => {
      const cp = { metadata: { name: 'cp-0' }, status: { addresses: [address('InternalIP', '192.0.2.1')] } };
      const own = [
        address('InternalIP', '192.0.2.77'),
        address('ExternalIP', '192.0.2.1'),
        address('Hostname', 'cp-0'),
      ];
      answers['/api/v1/nodes'] = { items: [cp, { metadata: { name: 'worker-0' }, status: { addresses: own } }] };
    });

    test('says where it found each name and address', async () => {
      knowsNetworks();
      asks([192, 0, 2, 77]);
      const { status, stdout } = await run(['nodes', 'approve', '--yes']);
      expect([status, writes.length]).toEqual([0, 1]);
      expect(stdout.toString()).toContain(
        '  name worker-0: it is in the plan\n  name 192.0.2.77: the node says so, it is in 192.0.2.0/24, and no other node has it\n',
      );
      const json = JSON.parse((await run(['nodes', 'approve', '--yes', '--json'])).stdout.toString());
      expect(json[0].names.map(({ origin }: { origin: string }) => origin)).toEqual(['plan', 'node']);
    });

    test('refuses the address of another node, whatever the node writes into its own status', async () => {
      knowsNetworks();
      asks([192, 0, 2, 77], [192, 0, 2, 1]);
      const { status, stdout } = await run(['nodes', 'approve', '--yes']);
      expect([status, writes]).toEqual([1, []]);
      expect(stdout.toString()).toContain('FAIL all names and addresses are its own: 192.0.2.1 (node cp-0 has it)\n');
    });

    test('refuses an address that only the node claims if the machine network is unknown, and says what it could not read', async () => {
      asks([192, 0, 2, 77]);
      const { status, stdout, stderr } = await run(['nodes', 'approve', '--yes']);
      expect([status, writes]).toEqual([1, []]);
      expect(stdout.toString()).toContain(
        '192.0.2.77 (only the node says so, and the machine network is not known; give',
      );
      expect(stderr).toContain('/apis/config.openshift.io/v1/networks/cluster not found');
    });
  });
});
