import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { ClusterError } from '../../src/errors.ts';
import { clusterFromKubeconfig } from '../../src/node/connect.ts';

const SECRET = 'planted-secret-never-shown';
const folder = scratchFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function refusal(options: Parameters<typeof clusterFromKubeconfig>[0]): Promise<string> {
  const error = await clusterFromKubeconfig({ env: { HOME: folder }, ...options }).catch((reason: unknown) => reason);
  if (!(error instanceof ClusterError)) throw new Error(`expected a ClusterError, not ${error}`);
  expect(error.code).toBe('CLUSTER_KUBECONFIG');
  expect(error.message).not.toContain(SECRET);
  return error.message.replaceAll(folder, '');
}

const whole = (user: string, cluster = 'server: https://api.example.test:6443') => `apiVersion: v1
clusters:
- name: harbor
  cluster:
    ${cluster}
contexts:
- name: admin
  context: { cluster: harbor, user: me }
current-context: admin
users:
- name: me
  user:
    ${user}
`;

describe('an invalid kubeconfig is refused with its position and help', () => {
  test.each([
    [
      'a login that only its own program knows',
      whole('auth-provider: { name: oidc }'),
      '/c:13:5: error: auth-provider is not supported',
    ],
    [
      'a certificate that is no base64',
      whole('client-certificate-data: "%%"'),
      '/c:13:30: error: client-certificate-data is not base64',
    ],
    [
      'a cluster without an address',
      whole(`token: ${SECRET}`, 'insecure-skip-tls-verify: true'),
      '/c:5:5: error: the cluster has no address',
    ],
    [
      'a proxy of another kind',
      whole('token: x', 'server: https://a.test\n    proxy-url: socks5://p:1'),
      '/c:6:16: error: only http and https proxies are supported',
    ],
    [
      'a user that does not exist',
      whole('token: x').replace('user: me', 'user: you'),
      '/c:8:37: error: there is no user "you"',
    ],
    ['text that is no YAML', 'clusters: [', '/c:1:12: error:'],
    ['text that is no mapping', 'clusters', '/c:1:1: error: a kubeconfig must be a mapping, not a string'],
    [
      'an address with a user',
      whole('token: x', `server: https://me:${SECRET}@a.test`),
      '/c:5:13: error: the address of the cluster has a user name',
    ],
    [
      'an address of a proxy that is none',
      whole('token: x', 'server: https://a.test\n    proxy-url: "http://[::"'),
      '/c:6:16: error: only http and https proxies are supported',
    ],
    [
      'a token in two lines',
      whole(`token: "${SECRET}\\n${SECRET}"`),
      '/c:13:12: error: token has characters that are invalid in a header',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await refusal({ kubeconfig: file('c', text) })).toContain(expected);
  });

  const exec = (members: string) =>
    whole(`exec: {apiVersion: client.authentication.k8s.io/v1, command: x, ${members}}`);
  const cluster = (members: string) => whole('token: x', `server: https://a.test\n    ${members}`);

  test.each([
    [
      'a mapping as an argument',
      exec('args: [{a: b}]'),
      '13:76: error: an entry of args must be a string, not a mapping',
    ],
    ['a number as an argument', exec('args: [8]'), '13:76: error: an entry of args must be a string, not a number'],
    ['an argument that is missing', exec('args: [~]'), '13:76: error: an entry of args must be a string, not null'],
    ['a NUL in an argument', exec('args: ["a\\0"]'), '13:76: error: an entry of args holds a NUL character'],
    ['arguments that are no list', exec('args: a'), '13:75: error: args must be a list, not a string'],
    [
      'a variable that is a string',
      exec('env: [A=b]'),
      '13:75: error: an entry of env must be a mapping, not a string',
    ],
    ['a variable that is missing', exec('env: [~]'), '13:75: error: an entry of env must be a mapping, not null'],
    ['a variable without a name', exec('env: [{value: b}]'), '13:75: error: an entry of env has no name'],
    ['a name with an equals sign', exec('env: [{name: "a=b"}]'), '13:82: error: an entry of env has no name'],
    [
      'a number as a variable',
      exec('env: [{name: a, value: 1}]'),
      '13:92: error: value must be a string, not a number',
    ],
    ['a NUL in a variable', exec('env: [{name: a, value: "\\0"}]'), '13:92: error: value holds a NUL character'],
    ['a hint that is a list', exec('installHint: []'), '13:82: error: installHint must be a string, not a list'],
    [
      'a word for a switch',
      exec('provideClusterInfo: "no"'),
      '13:89: error: provideClusterInfo must be true or false, not a string',
    ],
    ['a plugin that is a string', whole('exec: x'), '13:11: error: exec must be a mapping, not a string'],
    ['a command that is a list', whole('exec: {command: [a]}'), '13:21: error: command must be a string, not a list'],
    ['a command that is missing', whole('exec: {}'), '13:11: error: the exec plugin has no command'],
    ['a number as a token', whole('token: 12345678'), '13:12: error: token must be a string, not a number'],
    ['a list as a token file', whole('tokenFile: []'), '13:16: error: tokenFile must be a string, not a list'],
    [
      'a mapping as a key',
      whole('client-key-data: {}'),
      '13:22: error: client-key-data must be a string, not a mapping',
    ],
    [
      'a number as a certificate',
      whole('client-certificate: 7'),
      '13:25: error: client-certificate must be a string, not a number',
    ],
    [
      'an authority that is a list',
      cluster('certificate-authority-data: []'),
      '6:33: error: certificate-authority-data must be a string, not a list',
    ],
    [
      'a word for a check',
      cluster('insecure-skip-tls-verify: "yes"'),
      '6:31: error: insecure-skip-tls-verify must be true or false, not a string',
    ],
    ['a proxy that is a list', cluster('proxy-url: []'), '6:16: error: proxy-url must be a string, not a list'],
    [
      'a name that is a boolean',
      cluster('tls-server-name: true'),
      '6:22: error: tls-server-name must be a string, not a boolean',
    ],
    [
      'a server that is a mapping',
      whole('token: x', 'server: {}'),
      '5:13: error: server must be a string, not a mapping',
    ],
    [
      'clusters that are a mapping',
      'clusters: {}\ncontexts: [{name: a, context: {cluster: b}}]\ncurrent-context: a',
      '1:11: error: clusters must be a list, not a mapping',
    ],
    [
      'an entry that is missing',
      'contexts: [~]\ncurrent-context: a',
      '1:12: error: an entry of contexts must be a mapping, not null',
    ],
    [
      'a context that is a string',
      'contexts: [{name: a, context: b}]\ncurrent-context: a',
      '1:31: error: context must be a mapping, not a string',
    ],
    [
      'a context without a cluster',
      'contexts: [{name: a, context: {}}]\ncurrent-context: a',
      '1:31: error: the context names no cluster',
    ],
    [
      'a context that is absent',
      'contexts: [{name: a}]\ncurrent-context: a',
      '1:12: error: the context "a" has no context',
    ],
    [
      'a name that is a number',
      'contexts: [{name: 1}]\ncurrent-context: a',
      '1:19: error: name must be a string, not a number',
    ],
    [
      'a current context that is a number',
      'current-context: 1',
      '1:18: error: current-context must be a string, not a number',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await refusal({ kubeconfig: file('c', text) })).toContain(`/c:${expected}`);
  });

  test('stops reading at the limit of a kubeconfig', async () => {
    const readFile = async () => new Uint8Array(16 * 1024 * 1024 + 1);
    expect(await refusal({ kubeconfig: 'c', readFile })).toBe('cannot read c: the file is longer than 16 MiB');
    if (process.platform !== 'linux') return;
    expect(await refusal({ kubeconfig: '/dev/zero' })).toBe('cannot read /dev/zero: the file is longer than 16 MiB');
  });

  test('names the searched paths and the next step if there is no file', async () => {
    expect(await refusal({})).toBe(
      'there is no kubeconfig at /.kube/config; name one with --kubeconfig or KUBECONFIG, or log in with `oc login`',
    );
  });

  test('lists the existing contexts for an unknown one', async () => {
    const kubeconfig = file('contexts', whole('token: x'));
    expect(await refusal({ kubeconfig, context: 'other' })).toBe(
      '/contexts: there is no context "other"; expected one of admin',
    );
  });
});

test('gives precedence to the first of several files that sets a value', async () => {
  const one = file('one', whole('token: x'));
  const two = file(
    'two',
    whole('token: y', 'server: https://other.example.test:6443').replace(
      'current-context: admin',
      'current-context: none',
    ),
  );
  const env = { KUBECONFIG: [one, join(folder, 'absent'), two].join(delimiter) };
  await using cluster = await clusterFromKubeconfig({ env });
  expect([cluster.server, cluster.context]).toEqual(['https://api.example.test:6443', 'admin']);
});

describe('a file that client-go accepts', () => {
  const connected = async (text: string) => {
    const warnings: string[] = [];
    const kubeconfig = file('taken', text);
    await using cluster = await clusterFromKubeconfig({
      kubeconfig,
      env: {},
      onWarning: (word) => warnings.push(word),
    });
    return { server: cluster.server, isChecked: warnings.length === 0 };
  };
  const server = 'https://api.example.test:6443';

  test('is accepted with null members', async () => {
    const text = whole(
      'token: ~\n    exec: null\n    auth-provider: ~',
      `server: ${server}\n    insecure-skip-tls-verify: ~`,
    );
    expect(await connected(`preferences: ~\n${text}`)).toEqual({ server, isChecked: true });
  });

  test('is accepted with a context without a user', async () => {
    const text = whole('token: x').replace('user: me', 'user: ""');
    expect(await connected(text)).toEqual({ server, isChecked: true });
  });

  test('is accepted with the words of YAML 1.1 for true', async () => {
    const text = whole('token: x', `server: ${server}\n    insecure-skip-tls-verify: yes`);
    expect(await connected(text)).toEqual({ server, isChecked: false });
  });

  test('is accepted with merge keys', async () => {
    const text = whole('token: x', `<<: {server: "${server}"}`);
    expect(await connected(text)).toEqual({ server, isChecked: true });
  });
});

test('reports files that contain secrets, and no others', async () => {
  const told = async (user: string) => {
    const files: string[] = [];
    const onSecretFile = (path: string) => files.push(path.replace(folder, ''));
    await using _ = await clusterFromKubeconfig({ kubeconfig: file('k', whole(user)), env: {}, onSecretFile });
    return files;
  };
  expect(await told('token: x')).toEqual(['/k']);
  expect(await told('client-key-data: AAAA')).toEqual(['/k']);
  expect(await told('tokenFile: t\n    client-key: sub/key\n    client-certificate: c')).toEqual(['/t', '/sub/key']);
  expect(await told('exec: {apiVersion: client.authentication.k8s.io/v1, command: x}')).toEqual([]);
});

describe('any kubeconfig gives a cluster or an error with a code', () => {
  const GOOD = {
    'current-context': 'a',
    clusters: [
      {
        name: 'c',
        cluster: {
          server: 'https://api.test',
          'certificate-authority': 'ca',
          'certificate-authority-data': 'AAAA',
          'insecure-skip-tls-verify': true,
          'tls-server-name': 'b',
          'proxy-url': 'http://p.test',
        },
      },
    ],
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    users: [
      {
        name: 'u',
        user: {
          token: 'x',
          tokenFile: 't',
          'client-certificate': 'c',
          'client-key-data': 'AAAA',
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: 'x',
            args: ['a'],
            env: [{ name: 'n', value: 'v' }],
            installHint: 'h',
            provideClusterInfo: true,
          },
        },
      },
    ],
  };

  type Path = readonly (string | number)[];
  const pathsOf = (value: unknown, path: Path = []): Path[] => [
    path,
    ...(typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) =>
          pathsOf(member, [...path, Array.isArray(value) ? Number(name) : name]),
        )
      : []),
  ];
  const replaced = (value: unknown, [step, ...rest]: Path, by: unknown): unknown => {
    if (step === undefined) return by;
    if (Array.isArray(value)) return value.map((item, at) => (at === step ? replaced(item, rest, by) : item));
    const object = value as Record<string, unknown>;
    return { ...object, [step]: replaced(object[step], rest, by) };
  };

  async function outcome(text: string): Promise<void> {
    const readFile = async () => new TextEncoder().encode(text);
    try {
      await using cluster = await clusterFromKubeconfig({ kubeconfig: 'k', env: {}, readFile });
      expect(cluster.server).toMatch(/^https?:/);
    } catch (error) {
      expect(error).toBeInstanceOf(ClusterError);
      expect(error).toMatchObject({ code: 'CLUSTER_KUBECONFIG' });
    }
  }

  test('with any value at any place', async () => {
    const place = fc.constantFrom(...pathsOf(GOOD));
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom([null], [{}], [[]], {}, '', '\0', 0, -1.5, true, null));
    await fc.assert(
      fc.asyncProperty(place, value, (path, by) => outcome(JSON.stringify(replaced(GOOD, path, by)))),
      { numRuns: 1000 },
    );
  });

  test('with any text', async () => {
    const words = fc.constantFrom(
      'clusters',
      'contexts',
      'users',
      'exec',
      ': ',
      '- ',
      '\n',
      '  ',
      '{',
      '}',
      '[',
      ']',
      '*a',
      '&a ',
      '<<',
      '~',
      '!!int ',
      '"',
      '|',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(words, fc.string()), { maxLength: 30 }), (parts) => outcome(parts.join(''))),
      { numRuns: 1000 },
    );
  });
});
