import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CliOptions, coreiso, scratchFolder } from '../support.ts';

const SECRET = 'planted-secret-never-shown';
let cwd: string;
beforeEach(() => {
  cwd = scratchFolder();
  put('nodes.yaml', 'hosts:\n- hostname: worker-0\n  interfaces: [{name: eth0, macAddress: "52:54:00:ab:00:01"}]\n');
});
afterEach(() => {
  vi.restoreAllMocks();
});

function put(name: string, text: string, mode = 0o600): string {
  writeFileSync(join(cwd, name), text);
  chmodSync(join(cwd, name), mode);
  return join(cwd, name);
}

const kubeconfig = (user: string) => `current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: u, user: {${user}}}]
`;

async function warnings(words: readonly string[], options: CliOptions = {}): Promise<string[]> {
  const { stdout, stderr } = await coreiso(words, { cwd, ...options });
  expect(`${stdout}${stderr}`).not.toContain(SECRET);
  return stderr
    .replaceAll(`${cwd}/`, '')
    .split('\n')
    .filter((line) => /^(?:warning|help: chmod|help: copy)/.test(line));
}

const open = (name: string, mode: string) => [
  `warning: ${name} holds a secret and is open to others (mode ${mode})`,
  `help: chmod 600 ${name}`,
];

const approve = ['nodes', 'approve', '--kubeconfig', 'kc', 'nodes.yaml'];

describe.skipIf(process.getuid === undefined)('a file with a secret that others can read', () => {
  test.each([
    [0o644, open('kc', '0644')],
    [0o640, open('kc', '0640')],
    [0o602, open('kc', '0602')],
    [0o600, []],
    [0o400, []],
  ])('is reported, here a kubeconfig of mode %i', async (mode, expected) => {
    put('kc', kubeconfig(`token: ${SECRET}`), mode);
    expect(await warnings(approve)).toEqual(expected);
  });

  test('is reported for the files that a kubeconfig names, but not for one without secrets', async () => {
    put('kc', kubeconfig('tokenFile: token, client-key: key, client-certificate: cert'), 0o644);
    for (const name of ['token', 'key', 'cert']) put(name, SECRET, 0o644);
    expect(await warnings(approve)).toEqual([...open('token', '0644'), ...open('key', '0644')]);
  });

  test('is reported through links, which have no mode of their own', async () => {
    put('real', kubeconfig(`token: ${SECRET}`), 0o600);
    symlinkSync('real', join(cwd, 'kc'));
    expect(await warnings(approve)).toEqual([]);
    chmodSync(join(cwd, 'real'), 0o644);
    expect(await warnings(approve)).toEqual(open('kc', '0644'));
  });

  test('is reported once', async () => {
    put('kc', kubeconfig('tokenFile: key, client-key: key'), 0o600);
    put('key', SECRET, 0o644);
    expect(await warnings(approve)).toEqual(open('key', '0644'));
  });

  test('is reported with a command that works in a shell', async () => {
    put("it's kc", kubeconfig(`token: ${SECRET}`), 0o644);
    expect(await warnings(['nodes', 'approve', '--kubeconfig', "it's kc", 'nodes.yaml'])).toEqual([
      "warning: it's kc holds a secret and is open to others (mode 0644)",
      `help: chmod 600 '${cwd}/it'\\''s kc'`.replaceAll(`${cwd}/`, ''),
    ]);
  });

  test('is reported if it belongs to another user', async () => {
    const path = put('kc', kubeconfig(`token: ${SECRET}`));
    if (process.getuid?.() === 0) chownSync(path, 54_321, 54_321);
    const owner = process.getuid?.() === 0 ? 54_321 : process.getuid?.();
    vi.spyOn(process as Required<NodeJS.Process>, 'getuid').mockReturnValue(12_345);
    expect(await warnings(approve)).toEqual([
      `warning: kc holds a secret and belongs to another user (uid ${owner})`,
      'help: copy it to a file of your own: install -m 600 kc FILE',
    ]);
  });

  test.each([
    ['--registry-config', ['base', 'fetch', 'release:127.0.0.1:1/a:b', '--registry-config', 'file']],
    ['--tls-key', ['serve', 'nodes.yaml', '--tls-cert', 'file', '--tls-key', 'file']],
    ['--token-file of serve', ['serve', 'nodes.yaml', '--token-file', 'file']],
    [
      '--password-hash-file',
      ['nodes', 'image', '--base', 'base.iso', '--join', 'network-only', '--password-hash-file', 'file', 'nodes.yaml'],
    ],
    ['--auth-token', ['nodes', 'plan', '--join', 'service', '--auth-token', 'file', 'nodes.yaml']],
  ])('is reported for %s', async (_, words) => {
    expect((await coreiso(['sample-iso', 'base.iso'], { cwd })).status).toBe(0);
    put('file', SECRET.slice(0, 3), 0o644);
    expect(await warnings(words, { signal: AbortSignal.timeout(10_000) })).toEqual(open('file', '0644'));
  });

  test('is reported for the files of podman and docker', async () => {
    mkdirSync(join(cwd, '.docker'));
    put('.docker/config.json', '{"auths":', 0o644);
    expect(await warnings(['base', 'fetch', 'release:127.0.0.1:1/a:b'], { env: { HOME: cwd } })).toEqual(
      open('.docker/config.json', '0644'),
    );
  });

  test('is reported for the files that a wait reads', async () => {
    mkdirSync(join(cwd, 'site/auth'), { recursive: true });
    put('site/rendezvousIP', '192.0.2.1', 0o644);
    put('site/auth/kubeconfig', kubeconfig(`token: ${SECRET}`), 0o640);
    put('site/auth/kubeadmin-password', SECRET, 0o640);
    put('site/.openshift_install_state.json', `{"*gencrypto.AuthConfig":{"WatcherAuthToken":"${SECRET}"}}`, 0o640);
    put('user-token', SECRET, 0o644);
    const words = ['agent', 'wait-for', 'install-complete', '--dir', 'site', '--token-file', 'user-token'];
    expect(await warnings(words, { signal: AbortSignal.abort(new Error('SIGTERM')) })).toEqual([
      ...open('site/.openshift_install_state.json', '0640'),
      ...open('user-token', '0644'),
      ...open('site/auth/kubeadmin-password', '0640'),
      ...open('site/auth/kubeconfig', '0640'),
    ]);
  });
});

describe('an endless file', () => {
  test.skipIf(process.platform !== 'linux').each([
    ['a kubeconfig', ['nodes', 'approve', '--kubeconfig', '/dev/zero', 'nodes.yaml'], 'cannot read /dev/zero'],
    [
      'a token',
      ['nodes', 'plan', '--join', 'service', '--auth-token', '/dev/zero', 'nodes.yaml'],
      'cannot read /dev/zero',
    ],
  ])('is not accepted as a %s', async (_, words, expected) => {
    const { status, stderr } = await coreiso(words, { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain(expected);
    expect(stderr).toContain('it is longer than 16.0 MiB');
  });

  test('is not a pull secret, even if it is only too long', async () => {
    put('auth.json', ' '.repeat(16 * 1024 * 1024 + 1));
    const { status, stderr } = await coreiso(
      ['base', 'fetch', 'release:127.0.0.1:1/a:b', '--registry-config', 'auth.json'],
      {
        cwd,
      },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('it is longer than 16.0 MiB')]);
  });
});

test('COREISO_MAX_ANSWER is a size', async () => {
  put('kc', kubeconfig(`token: ${SECRET}`));
  const { status, stderr } = await coreiso(approve, { cwd, env: { COREISO_MAX_ANSWER: 'much' } });
  expect([status, stderr]).toEqual([2, expect.stringContaining('COREISO_MAX_ANSWER: expected a size')]);
});
