import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, type CliResult, coreiso, scratchFolder } from '../support.ts';

const SECRETS = { watcher: 'planted-watcher-token', user: 'planted-user-token', key: 'planted-private-key' };
const PASSWORD = 'kubeadmin-password-of-ours';
const PEM = '-----BEGIN CERTIFICATE-----\naW5ncmVzcw==\n-----END CERTIFICATE-----\n';
const SERVICE = '/api/assisted-install/v2';
const condition = (type: string, status: string) => ({ type, status });

/** The rendezvous host and the API of the new cluster in one server: it answers by path, and 404 for other paths. */
let answers: Record<string, object | string>;
let asked: { readonly path: string; readonly authorization: string | undefined }[];
let server: Server;
let address: string;
let cwd: string;

beforeEach(async () => {
  answers = {
    [`${SERVICE}/infra-envs`]: [{ id: 'e' }],
    [`${SERVICE}/clusters`]: [{ id: 'c' }],
    [`${SERVICE}/clusters/c`]: { id: 'c', status: 'installing', hosts: [] },
    [`${SERVICE}/events`]: [{ message: 'the hosts are being written', severity: 'info' }],
    '/api/v1/namespaces/kube-system/configmaps/bootstrap': { data: { status: 'complete' } },
    '/apis/config.openshift.io/v1/clusterversions/version': {
      status: {
        conditions: [condition('Available', 'True'), condition('Failing', 'False'), condition('Progressing', 'False')],
      },
    },
    '/apis/config.openshift.io/v1/clusteroperators': { items: [] },
    '/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert': { data: { 'ca-bundle.crt': PEM } },
    '/apis/route.openshift.io/v1/namespaces/openshift-console/routes/console': {
      spec: { tls: { termination: 'reencrypt' } },
      status: { ingress: [{ host: 'console.reef.test', conditions: [condition('Admitted', 'True')] }] },
    },
  };
  asked = [];
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    asked.push({ path, authorization: request.headers.authorization });
    const isService = path.startsWith(SERVICE);
    const isRefused =
      isService && !path.endsWith('/logs') && request.headers['watcher-authorization'] !== SECRETS.watcher;
    const answer = isRefused ? undefined : answers[path];
    const status = isRefused ? 401 : answer === undefined ? 404 : 200;
    const body = answer ?? { kind: 'Status', code: status, message: `${path} not found` };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  cwd = scratchFolder();
  mkdirSync(join(cwd, 'site', 'auth'), { recursive: true });
  put('rendezvousIP', '192.0.2.10');
  put('auth/kubeadmin-password', PASSWORD);
  put(
    'auth/kubeconfig',
    `current-context: admin
contexts: [{name: admin, context: {cluster: reef, user: admin}}]
clusters:
- name: reef
  cluster:
    certificate-authority-data: ${btoa(PEM.replace('aW5ncmVzcw==', 'b3du'))}
    server: http://${address}
users: [{name: admin, user: {token: ${SECRETS.key}}}]
`,
  );
  put('.coreiso-agent-state.json', state({ watcherToken: SECRETS.watcher }));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function state(more: object = {}): string {
  return JSON.stringify({ version: 1, inputs: {}, outputs: {}, hosts: [], ...more });
}

function put(path: string, text: string): void {
  writeFileSync(join(cwd, 'site', path), text, { mode: 0o600 });
}

async function waitFor(end: string, words: readonly string[] = [], options: CliOptions = {}): Promise<CliResult> {
  const argv = ['agent', 'wait-for', end, '--dir', 'site', '--address', address, ...words];
  const result = await coreiso(argv, { cwd, ...options });
  for (const secret of Object.values(SECRETS)) expect(`${result.stdout}${result.stderr}`).not.toContain(secret);
  return result;
}

const cancelled = () => {
  answers[`${SERVICE}/clusters/c`] = { id: 'c', status: 'cancelled' };
  delete answers['/api/v1/namespaces/kube-system/configmaps/bootstrap'];
};

describe('agent wait-for', () => {
  test("install-complete prints the console, the password and a kubeconfig that trusts the cluster's routes", async () => {
    const { status, stderr } = await waitFor('install-complete');
    expect([status, stderr.trim().split('\n').slice(-5)]).toEqual([
      0,
      [
        'level=info msg=Install complete!',
        "level=info msg=To access the cluster as the system:admin user when using 'oc', run",
        `level=info msg=    export KUBECONFIG=${join(cwd, 'site', 'auth', 'kubeconfig')}`,
        'level=info msg=Access the OpenShift web-console here: https://console.reef.test',
        `level=info msg=Login to the console with user: "kubeadmin", and password: "${PASSWORD}"`,
      ],
    ]);
    expect(stderr).toContain('level=info msg=the hosts are being written');
    const kubeconfig = readFileSync(join(cwd, 'site', 'auth', 'kubeconfig'), 'utf8');
    expect(kubeconfig).toContain(btoa(PEM + PEM.replace('aW5ncmVzcw==', 'b3du')));
    expect(statSync(join(cwd, 'site', 'auth', 'kubeconfig')).mode & 0o777).toBe(0o600);
  });

  test('bootstrap-complete ends with the bootstrap, and needs no password', async () => {
    rmSync(join(cwd, 'site/auth/kubeadmin-password'));
    const { status, stderr } = await waitFor('bootstrap-complete');
    expect([status, stderr.trim().split('\n').at(-1)]).toEqual([0, 'level=info msg=cluster bootstrap is complete']);
    expect(asked.filter(({ path }) => path.includes('clusterversions') || path.includes('routes'))).toEqual([]);
  });

  test('--json prints one object per line, with its facts as data', async () => {
    put(
      '.coreiso-agent-state.json',
      state({ watcherToken: SECRETS.watcher, hosts: [{ name: 'cp-0', role: '', macs: [] }] }),
    );
    answers[`${SERVICE}/clusters/c`] = {
      id: 'c',
      status: 'installing',
      hosts: [{ id: 'h', requested_hostname: 'cp-0' }],
    };
    const { status, stdout, stderr } = await waitFor('install-complete', ['--json', '--log-level', 'error']);
    const lines = stdout.toString().trim().split('\n');
    const facts = lines.map((line) => JSON.parse(line).fact);
    expect([status, stderr]).toEqual([0, '']);
    expect(facts.map(({ kind }) => kind)).toContain('event');
    expect(facts).toContainEqual({ kind: 'host', host: 'cp-0', isRegistered: true, isPlanned: true });
    expect(facts.at(-1)).toMatchObject({
      kind: 'access',
      console: 'https://console.reef.test',
      password: '<redacted>',
    });
  });

  test("--json prints the administrator's password only on request", async () => {
    const hidden = (await waitFor('install-complete', ['--json'])).stdout.toString();
    expect(hidden).toContain('and password: \\"<redacted>\\"');
    expect(hidden).not.toContain(PASSWORD);
    const shown = (await waitFor('install-complete', ['--json', '--show-secrets'])).stdout.toString();
    expect(shown).toContain(`and password: \\"${PASSWORD}\\"`);
    expect(shown).toContain(`"password":"${PASSWORD}"`);
  });

  test('prints the level in front on a terminal', async () => {
    const { stderr } = await waitFor('bootstrap-complete', [], { terminal: true, env: { NO_COLOR: '1' } });
    expect(stderr).toContain('\nINFO cluster bootstrap is complete\n');
  });

  test('exits with 5 after a failure, and explains how to get the logs', async () => {
    cancelled();
    const { status, stderr } = await waitFor('bootstrap-complete');
    expect(status).toBe(5);
    expect(stderr).toContain('bootstrap process returned error: cluster installation was cancelled');
    expect(stderr).toContain('    ssh core@192.0.2.10 agent-gather -O > agent-gather.tar.xz\n');
  });

  test('fetches the logs with the user token, readable only by their owner', async () => {
    cancelled();
    answers[`${SERVICE}/clusters/c/logs`] = 'an archive';
    put('token', `${SECRETS.user}\n`);
    const { status } = await waitFor('install-complete', ['--token-file', 'site/token']);
    expect(status).toBe(5);
    const [file = ''] = readdirSync(join(cwd, 'site')).filter((name) => name.startsWith('agent-logs-'));
    expect(readFileSync(join(cwd, 'site', file), 'utf8')).toBe('an archive');
    expect(statSync(join(cwd, 'site', file)).mode & 0o777).toBe(0o600);
    expect(asked.at(-1)).toEqual({ path: `${SERVICE}/clusters/c/logs`, authorization: SECRETS.user });
  });

  test.each([
    ['coreiso', '.coreiso-agent-state.json', () => state({ watcherToken: SECRETS.watcher, userToken: SECRETS.user })],
    [
      'openshift-install',
      '.openshift_install_state.json',
      () =>
        JSON.stringify({
          '*gencrypto.AuthConfig': { WatcherAuthToken: SECRETS.watcher, UserAuthToken: SECRETS.user },
        }),
    ],
  ])('fetches the logs with the token in the state file of %s', async (_, name, text) => {
    cancelled();
    answers[`${SERVICE}/clusters/c/logs`] = 'an archive';
    rmSync(join(cwd, 'site/.coreiso-agent-state.json'));
    put(name, text());
    const { status, stderr } = await waitFor('install-complete');
    expect(status).toBe(5);
    expect(stderr).toMatch(/The logs of the hosts are in site\/agent-logs-/);
    expect(asked.at(-1)).toEqual({ path: `${SERVICE}/clusters/c/logs`, authorization: SECRETS.user });
    expect(stderr).not.toContain(SECRETS.user);
  });

  test('--compatible prints the messages of openshift-install', async () => {
    cancelled();
    const { status, stderr } = await waitFor('bootstrap-complete', ['--compatible']);
    expect([status, stderr.includes('openshift-install gather bootstrap --help')]).toEqual([5, true]);
  });

  test('exits with 8 when it is interrupted', async () => {
    answers['/api/v1/namespaces/kube-system/configmaps/bootstrap'] = { data: {} };
    const controller = new AbortController();
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        if (String(chunk).includes('"status"')) controller.abort(new Error('SIGINT'));
        done();
      },
    });
    const { status } = await waitFor('bootstrap-complete', ['--json'], { signal: controller.signal, stdout });
    expect(status).toBe(8);
  });

  test('reads only the API without a token of the image, and says so', async () => {
    put('.coreiso-agent-state.json', state());
    const { status, stderr } = await waitFor('bootstrap-complete');
    expect([
      status,
      stderr.includes('watching only the API of the new cluster, not the service on 192.0.2.10'),
    ]).toEqual([0, true]);
    expect(asked.some(({ path }) => path.startsWith(SERVICE))).toBe(false);
  });

  test.each([
    ['rendezvousIP', 'nowhere', 'site/rendezvousIP has no IP address'],
    ['.coreiso-agent-state.json', `{"watcherToken":"${SECRETS.watcher}"`, 'the state file is not JSON'],
    ['.coreiso-agent-state.json', '{"version":9}', 'the state file needs a newer version of coreiso'],
    ['.coreiso-agent-state.json', '{"version":0}', 'the state file has an unknown version'],
    ['auth/kubeconfig', 'clusters: [', 'site/auth/kubeconfig:1:12: error:'],
  ])('refuses an unusable %s in one sentence', async (path, text, words) => {
    put(path, text);
    const { status, stderr } = await waitFor('bootstrap-complete');
    expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
  });

  test('refuses a directory without an installation and invalid values, with help', async () => {
    const none = await coreiso(['agent', 'wait-for', 'bootstrap-complete'], { cwd });
    expect([none.status, none.stderr]).toEqual([
      1,
      expect.stringContaining('help: pass --dir with the directory that the image was made in'),
    ]);
    expect((await waitFor('bootstrap-complete', ['--log-level', 'loud'])).status).toBe(2);
    const elsewhere = ['agent', 'wait-for', 'bootstrap-complete', '--dir', 'site', '--address', '10.0.0.256'];
    expect((await coreiso(elsewhere, { cwd })).stderr).toContain('expected an IP address');
  });
});
