// Values that once broke out of their place.
import { goYaml, parseYaml, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import { sampleIso } from '@coreiso/iso/sample';
import {
  type ClusterFacts,
  haproxySketch,
  parseNodesConfig,
  parseNodesConfigOrThrow,
  samples,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { buildNodesImage } from '../../src/images/build.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import { environmentText } from '../../src/join/service/environment.ts';
import { SAMPLE_CREDENTIALS } from '../join/sample-credentials.ts';

const NODES = 'hosts:\n- interfaces: [{name: eno1, macAddress: "52:54:00:00:00:20"}]\n';

function imageOf(host: object, cluster: ClusterFacts = samples.facts, join: 'direct' | 'service' = 'direct') {
  const config = parseNodesConfigOrThrow(
    { hosts: [{ interfaces: [{ name: 'eno1', macAddress: '52:54:00:00:00:20' }], ...host }] } as never,
    { mode: 'compatible' },
  );
  return liveConfig(
    planNodes(config, { cluster, join, ...(join === 'service' && { credentials: SAMPLE_CREDENTIALS }) } as never),
  );
}

test.each(['a\u2028b', 'a\u0085b', '*\n Z\u2029;%'])(
  'writes %j as one value in a manifest, also for YAML 1.1 readers',
  (text) => {
    const written = writeGoYaml({ a: text, b: 'c' });
    expect(written).not.toMatch(/[\u0085\u2028\u2029]/);
    const [outcome] = parseYaml(written);
    expect(outcome.ok && outcome.value.root && toPlain(outcome.value.root, goYaml)).toEqual({ a: text, b: 'c' });
  },
);

test.each(['4.20\\', '"4.20"', "'x", ' x', 'x '])('refuses %j in an environment file', (value) => {
  expect(() => environmentText({ VERSION: value })).toThrow(
    expect.objectContaining({ code: 'OPENSHIFT_UNUSABLE_FACTS', message: expect.stringMatching(/^VERSION has /) }),
  );
});

test('refuses a line separator in a release image, and does not show it', () => {
  const releaseImage = `${samples.facts.releaseImage}\u2028hunter2`;
  const build = () => imageOf({}, { ...samples.facts, releaseImage }, 'service');
  expect(build).toThrow(expect.objectContaining({ code: 'OPENSHIFT_UNUSABLE_FACTS' }));
  expect(build).not.toThrow('hunter2');
});

test.each(['-rf', '--privileged', '; id #', 'r.test/ocp:4.20.3 hunter2', ''])(
  'refuses release image %j, a name that podman cannot run',
  (releaseImage) => {
    const build = () => imageOf({}, { ...samples.facts, releaseImage }, 'service');
    expect(build).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^OPENSHIFT_(UNUSABLE|MISSING)_FACTS$/) }),
    );
    expect(build).not.toThrow('hunter2');
  },
);

test('refuses a pull secret that is not JSON with a code, and does not show it', () => {
  const build = () => imageOf({}, { ...samples.facts, pullSecret: '{"auths":{}}hunter2' }, 'service');
  expect(build).toThrow(expect.objectContaining({ code: 'NODES_UNUSABLE_FACTS' }));
  expect(build).not.toThrow('hunter2');
});

test.each([
  [{ deviceName: '/dev/sda\nhostname x' }, 'deviceName', 'a control character'],
  [{ model: 'a\ud800' }, 'model', 'an unpaired surrogate'],
])('points at root device hint %j', (rootDeviceHints, hint, fault) => {
  expect(() => imageOf({ rootDeviceHints })).toThrow(
    expect.objectContaining({
      code: 'NODES_UNSAFE_NAME',
      message: expect.stringMatching(new RegExp(`rootDeviceHints.${hint}.*: it has ${fault}$`)),
    }),
  );
});

describe('in a keyfile', () => {
  const codesOf = (network: object) => {
    const hosts = [{ interfaces: [{ name: 'eno1', macAddress: '52:54:00:00:00:20' }], networkConfig: network }];
    return parseNodesConfig({ hosts } as never).diagnostics.filter(({ code }) => code === 'nmstate/keyfile-escape');
  };
  const eno1 = (more: object) => ({ interfaces: [{ name: 'eno1', type: 'ethernet', state: 'up', ...more }] });

  test('refuses a backslash, which the reader changes, and accepts two', () => {
    const identity = (text: string) => eno1({ '802.1x': { identity: text, 'eap-methods': ['peap'], password: 'p' } });
    expect(codesOf(identity('DOMAIN\\user')).map(({ path }) => path.at(-1))).toEqual(['identity']);
    expect(codesOf(identity('DOMAIN\\\\user'))).toEqual([]);
  });

  test('refuses a semicolon in a search domain, which the reader splits at', () => {
    const search = (text: string) => ({
      ...eno1({ ipv4: { enabled: true, dhcp: true } }),
      'dns-resolver': { config: { search: [text] } },
    });
    expect(codesOf(search('a.test;b.test')).map(({ message }) => message)).toEqual([
      'a semicolon in `search` has another meaning in the keyfile',
    ]);
    expect(codesOf(search('a.test'))).toEqual([]);
  });

  test('refuses a lone surrogate in a name with a code', () => {
    const { ok, diagnostics } = parseNodesConfig({
      hosts: [
        {
          interfaces: [{ name: 'eno1', macAddress: '52:54:00:00:00:20' }],
          networkConfig: { interfaces: [{ name: 'a\ud800', type: 'dummy', state: 'up' }] },
        },
      ],
    } as never);
    expect(ok).toBe(false);
    expect(diagnostics.every(({ code }) => code.includes('/'))).toBe(true);
  });
});

test.each([
  ['apps.test\n  server x', 'far-0', '192.0.2.1'],
  ['apps.test', 'far-0 x', '192.0.2.1'],
  ['apps.test', 'far`0', '192.0.2.1'],
  ['apps.test', 'far-0', '192.0.2.1 weight 1'],
])('gives HAProxy no server with domain %j, name %j and address %j', (domain, name, address) => {
  expect(() => haproxySketch(domain, [{ name, address }])).toThrow(RangeError);
});

test.each([
  ['minimal-iso', 'http://user:hunter2@boot.test/a||reboot'],
  ['minimal-iso', 'http://user:hunter2@boot.test/a;reboot'],
  ['minimal-iso', 'http://user:hunter2@boot.test/{a}'],
  ['pxe', 'http://user:hunter2@boot.test/a||shell'],
  ['pxe', 'http://user:hunter2@boot.test/a&&shell'],
] as const)(
  'with form %s refuses to boot from %s, and does not show the password',
  async (form, bootArtifactsBaseURL) => {
    const plan = planNodes(parseNodesConfigOrThrow(NODES), { cluster: samples.facts });
    const building = buildNodesImage(await sampleIso(), plan, { form, bootArtifactsBaseURL });
    await expect(building).rejects.toMatchObject({
      code: 'OPENSHIFT_NO_BOOT_URL',
      message: expect.not.stringContaining('hunter2'),
    });
  },
);

test.each(['"; id; "', 'true', 'null', '[]', '7'])('refuses %s as a pull secret', (pullSecret) => {
  const cluster = { ...samples.facts, pullSecret };
  const plan = () =>
    planNodes(parseNodesConfigOrThrow(NODES), { cluster, join: 'service', credentials: SAMPLE_CREDENTIALS });
  expect(plan).toThrow(
    expect.objectContaining({ message: expect.stringContaining('the cluster fact pullSecret is no JSON object') }),
  );
});
