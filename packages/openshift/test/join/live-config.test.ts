import { gunzipSync } from 'node:zlib';
import { type Config, decodeDataUrl, minimumVersion, stringifyConfig, validateConfig } from '@coreiso/ignition';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import type { ClusterFacts } from '../../../nodes-config/src/facts/facts.ts';
import { read, recordings } from '../../../nodes-config/test/hosts/recorded.ts';
import { OpenshiftError } from '../../src/errors.ts';
import { newStatusToken } from '../../src/join/direct/status-token.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { outlineBoots, planNodes } from '../../src/join/plan-nodes.ts';
import type { NodesPlan } from '../../src/join/strategy.ts';

interface Recording {
  readonly inputs: { readonly cluster: ClusterFacts; readonly nodesConfig: string };
  readonly files: readonly {
    readonly path: string;
    readonly mode: string;
    readonly owner: string | null;
    readonly overwrite: boolean;
    readonly text?: string;
    readonly lines?: readonly string[];
  }[];
}

const goldens = new Goldens(new URL('../goldens/node-ignition.json', import.meta.url));
const NAMES = ['plain-baremetal', 'mirrored-proxy-static', 'arm-none-legacy-mirrors'] as const;

function configOf({ inputs }: Recording, join: string): Config {
  const { cluster, nodesConfig } = inputs;
  const now = () => new Date('2026-09-19T14:13:20.5Z');
  return liveConfig(
    planNodes(parseNodesConfigOrThrow(nodesConfig, { cluster, mode: 'compatible' }), { cluster, join, now }),
  );
}

function textOf(config: Config, path: string): string | undefined {
  const contents = config.storage?.files?.find((file) => file.path === path)?.contents;
  const bytes = decodeDataUrl(contents?.source ?? '');
  if (bytes === undefined) return undefined;
  return new TextDecoder().decode(contents?.compression === 'gzip' ? gunzipSync(bytes) : bytes);
}

const mirrored = goldens.json<Recording>('mirrored-proxy-static.json');

describe.each(NAMES)('the config for %s', (name) => {
  const recording = goldens.json<Recording>(`${name}.json`);
  const config = configOf(recording, 'network-only');

  test("has the installer's files, byte for byte", () => {
    const carried =
      /^\/etc\/(assisted\/(network|hostnames|hostconfig)\/|containers\/registries\.conf|pki\/|chrony\.conf|systemd\/system\.conf\.d\/)/;
    const recorded = recording.files.filter(({ path, text, lines }) => {
      // Without mirrors or proxy the installer writes files without settings.
      return carried.test(path) && (text !== undefined || (lines ?? []).length > 1);
    });
    const ours = recorded.map(({ path }) => {
      const { mode, overwrite, user } = config.storage?.files?.find((file) => file.path === path) ?? {};
      return { path, mode: `0${mode?.toString(8)}`, owner: user?.name ?? null, overwrite, text: textOf(config, path) };
    });
    expect(ours).toEqual(
      recorded.map(({ path, mode, owner, overwrite, text, lines }) => {
        return { path, mode, owner, overwrite, text: text ?? `${lines?.join('\n')}\n` };
      }),
    );
  });

  test('is valid, in the lowest sufficient version, and the same every time', () => {
    expect(validateConfig(config).ok).toBe(true);
    expect(config.ignition.version).toBe(minimumVersion(config));
    expect(stringifyConfig(configOf(recording, 'network-only'))).toBe(stringifyConfig(config));
  });

  test('has no pull secret', () => {
    const whole = (config.storage?.files ?? []).map(({ path }) => textOf(config, path)).join('\n');
    expect(whole).not.toContain('auths');
    expect(stringifyConfig(config)).not.toContain('dXNlcjpwYXNz');
  });
});

function plan(text: string, clusterPath: string): NodesPlan {
  const { config, cluster } = read(text, clusterPath);
  return planNodes(config, { cluster });
}

describe('the contents of a config', () => {
  const ESCAPES = 'hostname-escapes';
  const safe = recordings.filter(({ name }) => name !== ESCAPES);

  test('are refused if a host name leads out of its directory, though upstream accepts it', () => {
    const found = recordings.find(({ name }) => name === ESCAPES)!;
    expect(() => liveConfig(plan(found.text, found.recording.cluster))).toThrow(/^hosts\[0\]\.hostname .*"\.\.\/up"/);
  });

  test.each(safe)('are the recorded files of $name, as recorded', ({ text, recording, files }) => {
    const config = liveConfig(plan(text, recording.cluster));
    expect(files.map(({ path }) => textOf(config, path))).toEqual(files.map(({ contents }) => contents));
  });

  const paths = (config: Config): string[] => (config.storage?.files ?? []).map(({ path }) => path);
  const units = (config: Config): string[] => (config.systemd?.units ?? []).map(({ name }) => name);

  test('include the mapping script only with static networks', () => {
    const plain = configOf(goldens.json<Recording>('plain-baremetal.json'), 'network-only');
    const networked = configOf(mirrored, 'network-only');
    expect([paths(plain).includes('/usr/local/bin/coreiso-network'), units(plain)]).toEqual([
      false,
      ['coreiso-host.service', 'coreiso-hostname.service'],
    ]);
    expect([paths(networked).includes('/usr/local/bin/coreiso-network'), units(networked)]).toEqual([
      true,
      ['coreiso-host.service', 'coreiso-hostname.service', 'coreiso-network.service'],
    ]);
  });

  test('leave out profiles that are already in place, and the script that would choose them', () => {
    const { cluster, nodesConfig } = mirrored.inputs;
    const hosts = planNodes(parseNodesConfigOrThrow(nodesConfig, { cluster, mode: 'compatible' }));
    const config = liveConfig(hosts, { profiles: 'in-place' });
    expect(paths(config).filter((path) => /network/.test(path))).toEqual([]);
    expect(units(config)).toEqual(['coreiso-host.service', 'coreiso-hostname.service']);
  });

  test('give user core the key of the nodes-config, or of the cluster', () => {
    const keys = NAMES.map((name) => configOf(goldens.json<Recording>(`${name}.json`), 'network-only').passwd?.users);
    expect(keys).toEqual([
      undefined,
      [{ name: 'core', sshAuthorizedKeys: [mirrored.inputs.cluster.sshKey] }],
      [{ name: 'core', sshAuthorizedKeys: [expect.stringMatching(/^ecdsa-sha2-nistp256 /)] }],
    ]);
  });

  test('have every unit enabled and every script executable', () => {
    const config = configOf(mirrored, 'direct');
    expect(units(config)).toEqual([
      'coreiso-host.service',
      'coreiso-hostname.service',
      'coreiso-join.service',
      'coreiso-network.service',
      'multipathd.service',
    ]);
    expect(config.systemd?.units?.every(({ enabled }) => enabled)).toBe(true);
    const ours = (config.systemd?.units ?? []).filter(({ name }) => name.startsWith('coreiso-'));
    for (const { contents = '' } of ours) {
      const script = /^ExecStart=(.*)$/m.exec(contents ?? '')?.[1];
      expect(config.storage?.files?.find(({ path }) => path === script)?.mode).toBe(0o755);
    }
  });
});

describe('the status port', () => {
  const { cluster, nodesConfig } = mirrored.inputs;
  const hosts = parseNodesConfigOrThrow(nodesConfig, { cluster, mode: 'compatible' });
  const TOKEN = 'a-token-of-the-caller_0123456789';
  const withToken = (join: string, statusToken?: string) => {
    const plan = planNodes(hosts, { cluster, join, statusToken, expires: new Date(0) });
    const config = liveConfig(plan);
    const names = [...(config.storage?.files ?? []), ...(config.systemd?.units ?? [])].map((one) =>
      'path' in one ? one.path : one.name,
    );
    return { plan, config, names: names.filter((name) => name.includes('status')) };
  };

  test('opens on machines that install themselves, if the caller has a token', () => {
    const { config, names, plan } = withToken('direct', TOKEN);
    expect(names).toEqual([
      '/etc/coreiso/status-token',
      '/usr/local/bin/coreiso-status',
      'coreiso-status.socket',
      'coreiso-status@.service',
    ]);
    expect(textOf(config, '/etc/coreiso/status-token')).toBe(`${TOKEN}\n`);
    expect(config.storage?.files?.find(({ path }) => path === '/etc/coreiso/status-token')?.mode).toBe(0o600);
    expect(config.systemd?.units?.find(({ name }) => name === 'coreiso-status.socket')?.enabled).toBe(true);
    expect(stringifyConfig(config)).toBe(stringifyConfig(withToken('direct', TOKEN).config));
    expect(outlineBoots(plan, plan.hosts[0]!).first).toContain('reports its progress on port 8090');
    expect(JSON.stringify(plan.hosts.map((host) => outlineBoots(plan, host)))).not.toContain(TOKEN);
  });

  test('is absent otherwise', () => {
    expect(withToken('direct').names).toEqual([]);
    expect(withToken('network-only', TOKEN)).toMatchObject({ names: [], plan: { statusToken: undefined } });
  });

  test.each(['', 'short', `${TOKEN} ${TOKEN}`, `${TOKEN}\n`, 'ä'.repeat(30), 'a'.repeat(129), 7 as never])(
    'refuses a token such as %j, and does not repeat it',
    (token) => {
      expect(() => withToken('direct', token)).toThrow(
        'statusToken must be 22 to 128 letters, digits, - or _; newStatusToken() makes one',
      );
    },
  );

  test('gets a token from the random source of the caller, or of the platform', () => {
    expect(newStatusToken((bytes) => void bytes.fill(0xa5))).toBe('a5'.repeat(16));
    const tokens = new Set(Array.from({ length: 100 }, () => newStatusToken()));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('joining directly', () => {
  const config = configOf(mirrored, 'direct');

  test('has settings with the endpoint, the registries with mirrors first, and the minimum of a worker', () => {
    expect(textOf(config, '/etc/coreiso/join')).toBe(`endpoint https://198.51.100.2:22623/config/worker
ignition 3.2.0
registry mirror.dc1.example.test:5000
registry releases.example.test
memory 7372
disk 100
clock 300
expires 1790000000 2026-09-21T14:13:20Z
`);
    const arm = configOf(goldens.json<Recording>('arm-none-legacy-mirrors.json'), 'direct');
    expect(textOf(arm, '/etc/coreiso/join')?.split('\n').slice(0, 5)).toEqual([
      'endpoint https://api-int.heron.edge.example.test:22623/config/worker',
      'endpoint-name api-int.heron.edge.example.test',
      'ignition 3.2.0',
      'registry cache.edge.example.test',
      'registry releases.example.test',
    ]);
    expect(textOf(arm, '/etc/coreiso/worker-ca.pem')).toBe('');
  });

  test('boots the worker with the pointer of the cluster, and with its name', () => {
    const userData = mirrored.inputs.cluster.workerUserData;
    const plain = JSON.parse(textOf(config, '/etc/coreiso/worker.ign') ?? '');
    const named = JSON.parse(textOf(config, '/etc/coreiso/worker-named.ign') ?? '');
    expect(plain).toEqual(userData);
    expect(named.ignition).toMatchObject({ ...userData?.ignition });
    expect(named.storage.files).toEqual([
      {
        path: '/etc/hostname',
        mode: 0o644,
        overwrite: true,
        contents: { compression: '', source: 'data:,__HOSTNAME__' },
      },
    ]);
    expect(validateConfig(named).ok).toBe(true);
  });

  test('writes its authority as PEM', () => {
    expect(textOf(config, '/etc/coreiso/worker-ca.pem')).toMatch(
      /^-----BEGIN CERTIFICATE-----\n[\s\S]*-----END CERTIFICATE-----\n$/,
    );
  });

  test.each([
    ['there is no user data', {}, 'OPENSHIFT_MISSING_FACTS'],
    [
      'the user data names no address',
      { workerUserData: { ignition: { version: '3.2.0' } } },
      'OPENSHIFT_MISSING_FACTS',
    ],
  ])('is refused if %s', (_, cluster, code) => {
    const hosts = parseNodesConfigOrThrow('hosts:\n- interfaces:\n  - name: a\n    macAddress: 52:54:00:00:00:01\n');
    expect(() => planNodes(hosts, { cluster, join: 'direct' })).toThrow(expect.objectContaining({ code }));
  });

  test('is refused for a host that is not a worker', () => {
    const text = 'hosts:\n- role: master\n  interfaces:\n  - name: a\n    macAddress: 52:54:00:00:00:01\n';
    const hosts = parseNodesConfigOrThrow(text);
    expect(() => planNodes(hosts, { cluster: mirrored.inputs.cluster, join: 'direct' })).toThrow(OpenshiftError);
    expect(planNodes(hosts, { cluster: mirrored.inputs.cluster }).join).toBe('network-only');
  });

  test('throws a RangeError for an unknown strategy', () => {
    const hosts = parseNodesConfigOrThrow('hosts:\n- interfaces:\n  - name: a\n    macAddress: 52:54:00:00:00:01\n');
    expect(() => planNodes(hosts, { join: 'by-carrier-pigeon' })).toThrow(RangeError);
  });
});
