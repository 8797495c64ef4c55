import {
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
  parseNodesConfigOrThrow,
  planHosts,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const config = {
  cpuArchitecture: 'amd64',
  hosts: [
    {
      hostname: 'worker-0',
      rootDeviceHints: { deviceName: '/dev/sda', minSizeGigabytes: 120, rotational: false },
      interfaces: [{ name: 'eth0', macAddress: '52:54:00:a1:00:01' }],
      networkConfig: {
        interfaces: [{ name: 'eth0', type: 'ethernet', state: 'up', ipv4: { enabled: true, dhcp: true } }],
      },
    },
  ],
};

describe('a config as an object', () => {
  test('gives the same plan as its text', () => {
    const plans = [config, JSON.stringify(config)].map((source) => planHosts(parseNodesConfigOrThrow(source)));
    // An object has no places; otherwise its nodes equal those of the text.
    const [ofObject, ofText] = plans.map((plan) =>
      JSON.stringify(plan, (key, value) => (key === 'start' || key === 'end' ? undefined : value)),
    );
    expect(ofObject).toBe(ofText);
    expect(plans[0]?.files).toEqual(plans[1]?.files);
    expect(plans[0]?.files.length).toBeGreaterThan(3);
  });

  test('is refused with the messages of the text, with paths but without lines', () => {
    const wrong = {
      hosts: [
        {
          hostname: 7,
          interfaces: [{ name: 'eth0', macAddress: 'x' }],
          networkConfig: { interfaces: [{ name: 'eth0', type: 'ethernet', colour: 'red' }] },
          hostnme: 'y',
        },
      ],
    };
    const [found, expected] = [wrong as object, JSON.stringify(wrong)].map((source) => {
      return parseNodesConfig(source).diagnostics.map(({ range: _, ...finding }) => finding);
    });
    expect(new Set(found)).toEqual(new Set(expected));
    expect(found?.map(({ path }) => path)).toContainEqual(['hosts', 0, 'interfaces', 0, 'macAddress']);
    expect(parseNodesConfig(wrong as object).diagnostics.filter(({ range }) => range !== undefined)).toEqual([]);
  });

  test('can be any of the four kinds', () => {
    const interfaces = [{ name: 'eth0', macAddress: '52:54:00:a1:00:01' }];
    expect(parseAgentConfig({ apiVersion: 'v1beta1', rendezvousIP: '192.0.2.10' }).ok).toBe(true);
    expect(parseInfraEnv({ spec: { cpuArchitecture: 'x86_64' } }).ok).toBe(true);
    const network = config.hosts?.[0]?.networkConfig;
    const manifest = { metadata: { name: 'a', labels: { a: 'b' } }, spec: { interfaces, config: network } };
    expect(parseNMStateConfig(manifest)).toMatchObject({ ok: true, value: { items: [{ name: 'a' }] } });
  });

  test('an InfraEnv gives the settings of an image, and only those that are written', () => {
    const spec = {
      sshAuthorizedKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g',
      cpuArchitecture: 'arm64',
      pullSecretRef: { name: 'secret' },
      nmStateConfigLabelSelector: { matchLabels: { a: 'b' } },
      additionalNTPSources: ['ntp.test'],
      additionalTrustBundle: 'PEM',
      ignitionConfigOverride: '{}',
      kernelArguments: [{ operation: 'append', value: 'x' }],
      proxy: { httpProxy: 'http://a', httpsProxy: 'http://b', noProxy: 'c' },
    };
    expect(parseInfraEnv({ metadata: { name: 'n', namespace: 'ns' }, spec })).toMatchObject({
      ok: true,
      value: {
        kind: 'infraenv',
        name: 'n',
        namespace: 'ns',
        sshAuthorizedKey: spec.sshAuthorizedKey,
        cpuArchitecture: 'arm64',
        imageArchitecture: 'aarch64',
        pullSecretName: 'secret',
        nmStateConfigLabels: { a: 'b' },
        additionalNTPSources: ['ntp.test'],
        additionalTrustBundle: 'PEM',
        ignitionConfigOverride: '{}',
        kernelArguments: [{ operation: 'append', value: 'x' }],
        proxy: spec.proxy,
      },
      diagnostics: [],
    });
    expect(parseInfraEnv({})).toMatchObject({
      ok: true,
      value: { name: '', imageArchitecture: undefined, kernelArguments: [], proxy: { httpProxy: '' } },
    });
  });

  test('that contains itself, or a value that is not data, is refused', () => {
    const circle: Record<string, unknown> = {};
    circle['hosts'] = [circle];
    expect(parseNodesConfig(circle)).toMatchObject({ ok: false, diagnostics: [{ code: 'diagnostics/too-deep' }] });
    expect(parseNodesConfig({ hosts: [() => 1] } as object)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'diagnostics/no-data', path: ['hosts', 0] }],
    });
  });
});

describe('wrong arguments', () => {
  test.each([
    ['source', () => parseNodesConfig(undefined as unknown as string)],
    ['source', () => parseAgentConfig(7 as unknown as string)],
    ['mode', () => parseInfraEnv('', { mode: 'lax' as 'strict' })],
    ['options', () => parseNodesConfig('', 7 as never)],
    ['options', () => parseAgentConfig('', 7 as never)],
    ['options', () => parseNMStateConfig('', 7 as never)],
    ['options', () => parseInfraEnv('', 7 as never)],
    ['config', () => planHosts(undefined as never)],
    ['config', () => planHosts(parseNodesConfig(config) as never)],
  ])('%s is named by the error', (parameter, call) => {
    expect(call).toThrow(new RegExp(`^${parameter} must be `));
  });
});
