import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import { afterEach, expect, test, vi } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

afterEach(() => void vi.unstubAllGlobals());

const SECRET = 'aHVudGVyMjpodW50ZXIy';

const USER = (members: string): string =>
  `{"ignition":{"version":"3.4.0"},"passwd":{"users":[{"name":"core",${members}}]}}`;

const CARD = (lines: string): string =>
  `interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n  802.1x:\n    identity: me\n    eap-methods: [tls]\n${lines}`;

test.each([
  ['ignition show', USER(`"passwordHash":"${SECRET}","colour":"red","uid":"x"`)],
  ['ignition show', USER(`"passwordHash":["${SECRET}"]`)],
  ['ignition show', USER(`"passwordHash":"${SECRET}`)],
  ['ignition validate', USER(`"passwordHash":"${SECRET}","uid":"x"`)],
  ['ignition merge', USER(`"uid":"x","passwordHash":"${SECRET}"`)],
  ['nmstate check', CARD(`    private-key-password: [${SECRET}]\n`)],
  ['nmstate check', CARD(`    private-key-password: "${SECRET}\n`)],
  ['nmstate check', CARD(`    {private-key-password: ${SECRET}, colour: red}\n`)],
  ['nodes validate', `hosts:\n- interfaces: [{macAddress: x}]\n  bmc: {colour: red, password: ${SECRET}}\n`],
  ['nodes validate --kind agent-config', `pullSecret: '{"auths":{"a":{"auth":"${SECRET}"}}}'\n`],
])('%s shows no secret of a file that it refuses: %#', async (command, input) => {
  const { status, stdout, stderr } = await coreiso([...command.split(' '), '-'], { input });
  expect(status).not.toBe(0);
  expect(stdout.toString() + stderr).not.toContain(SECRET);
});

test('nodes validate --json prints the hosts without their passwords', async () => {
  const input = `hosts:\n- interfaces: [{name: e, macAddress: "52:54:00:ab:00:01"}]\n  bmc: {username: admin, password: ${SECRET}}\n`;
  const { stdout } = await coreiso(['nodes', 'validate', '--json', '-'], { input });
  expect(stdout.toString()).toContain('admin');
  expect(stdout.toString()).not.toContain(SECRET);
});

const WORD = 'SEKRET';
const HIDING = `hosts:
- hostname: w1
  rootDeviceHints: {deviceName: /dev/sda}
  bmc: {address: "redfish://u:${WORD}a@192.0.2.9/x?token=${WORD}b", username: a, password: ${WORD}c}
  interfaces: [{name: eth0, macAddress: "52:54:00:00:00:01"}]
  networkConfig:
    interfaces:
    - {name: eth0, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true}, 802.1x: {identity: i, eap-methods: [tls], private-key: /etc/k, private-key-password: ${WORD}d}}
    - {name: hosta, type: ipsec, libreswan: {left: 192.0.2.1, right: 192.0.2.2, psk: ${WORD}e, ikev2: insist}}
    - {name: macsec0, type: macsec, state: up, macsec: {base-iface: eth0, encrypt: true, mka-cak: ${`${WORD}f`.padEnd(32, '0')}, mka-ckn: ${'4a'.repeat(32)}, port: 0, send-sci: true, validation: strict}}
`;

test.each([
  ['nodes validate', HIDING, 'SEKRETc'],
  ['nodes plan', HIDING, 'SEKRETd'],
  ['nodes simulate --mac 52:54:00:00:00:01', HIDING, 'SEKRETd'],
  ['nmstate check', HIDING.slice(HIDING.indexOf('    interfaces:')), 'SEKRETe'],
])('%s --json prints secrets only on request', async (command, input, secret) => {
  const words = [...command.split(' '), '--json', '-'];
  const hidden = await coreiso(words, { input });
  expect(hidden.stdout.toString()).toContain('<redacted>');
  expect(hidden.stdout.toString() + hidden.stderr).not.toContain(WORD);
  const shown = await coreiso([...words, '--show-secrets'], { input });
  expect(shown.stdout.toString()).toContain(secret);
  expect(shown.status).toBe(hidden.status);
});

test('agent plan --json prints the pull secret only on request', async () => {
  const cwd = scratchFolder();
  const pullSecret = `{"auths":{"a.test":{"auth":"${btoa(`u:${WORD}`)}"}}}`;
  writeFileSync(
    join(cwd, 'install-config.yaml'),
    `apiVersion: v1\nbaseDomain: example.test\nmetadata: {name: reef}\nnetworking: {networkType: OVNKubernetes, machineNetwork: [{cidr: 10.0.0.0/24}]}\ncontrolPlane: {replicas: 1}\ncompute: [{name: worker, replicas: 0}]\nplatform: {none: {}}\npullSecret: '${pullSecret}'\n`,
  );
  writeFileSync(
    join(cwd, 'agent-config.yaml'),
    'apiVersion: v1beta1\nrendezvousIP: 10.0.0.9\nhosts: [{hostname: a, interfaces: [{name: eno1, macAddress: "52:54:00:e7:05:00"}]}]\n',
  );
  const release = ['--release-image', `quay.example.test/a@sha256:${'5'.repeat(64)}`, '--openshift-version', '4.20.3'];
  const plan = (...more: string[]) => coreiso(['agent', 'plan', '--json', ...release, ...more], { cwd });
  const [hidden, shown] = [await plan(), await plan('--show-secrets')];
  expect([hidden.status, shown.status]).toEqual([0, 0]);
  expect(hidden.stdout.toString()).not.toContain(btoa(`u:${WORD}`));
  expect(shown.stdout.toString()).toContain(btoa(`u:${WORD}`));
  expect(JSON.parse(hidden.stdout.toString()).plan).toEqual(JSON.parse(shown.stdout.toString()).plan);
});

test('nodes facts writes secrets to files and pipes, but on a terminal only on request', async () => {
  const words = ['nodes', 'facts', '--sample'];
  const printed = async (terminal: boolean, ...more: string[]) =>
    JSON.parse((await coreiso([...words, ...more], { terminal })).stdout.toString()).pullSecret;
  expect(await printed(false)).toContain('auths');
  expect(await printed(true)).toBe('<redacted>');
  expect(await printed(true, '--show-secrets')).toContain('auths');
  expect(await printed(false, '--redact')).toBe('<redacted>');
  expect((await coreiso(words, { terminal: true })).stderr).toContain('write them with -o FILE');
});

test('agent validate shows no item below a secret member', async () => {
  const cwd = scratchFolder();
  writeFileSync(
    join(cwd, 'install-config.yaml'),
    `apiVersion: v1\nbaseDomain: example.test\nmetadata: {name: a}\nplatform:\n  vsphere:\n    vcenters:\n    - server: v.example.test\n      user: u\n      password:\n      - ${WORD}\n`,
  );
  const { status, stdout, stderr } = await coreiso(['agent', 'validate'], { cwd });
  expect([status, stderr]).toEqual([1, expect.stringContaining('password')]);
  expect(stdout.toString() + stderr).not.toContain(WORD);
});

test.each([
  'base fetch stream:http://u:SEKRETa@127.0.0.1:1/x.json?sig=SEKRETb',
  'base fetch http://u:SEKRETa@127.0.0.1:1/x.iso?X-Amz-Signature=SEKRETb',
  'base fetch ftp://u:SEKRETa@127.0.0.1:1/x.iso?sig=SEKRETb',
  'base fetch release:u:SEKRETa@127.0.0.1:1/a/b',
  'base fetch release:http://u:SEKRETa@127.0.0.1:1/a/b',
  'base list stream:http://u:SEKRETa@127.0.0.1:1/x.json?sig=SEKRETb',
  'base list release:u:SEKRETa@127.0.0.1:1/a/b',
  'base list http://u:SEKRETa@127.0.0.1:1/x.json?sig=SEKRETb',
  'base list stream:stable --stream-base-url http://u:SEKRETa@127.0.0.1:1/?sig=SEKRETb',
  'base verify x stream:http://u:SEKRETa@127.0.0.1:1/x.json?sig=SEKRETb',
  'iso inspect http://u:SEKRETa@127.0.0.1:1/x.iso?sig=SEKRETb',
  'iso inspect stream:http://u:SEKRETa@127.0.0.1:1/x.iso?sig=SEKRETb',
  'iso inspect --http://u:SEKRETa@127.0.0.1:1/x.iso',
  'nodes image --base stream:http://u:SEKRETa@127.0.0.1:1/x?token=SEKRETb',
])('%s shows no user and no signature of an address', async (command) => {
  const cwd = scratchFolder();
  writeFileSync(
    join(cwd, 'nodes-config.yaml'),
    'hosts: [{interfaces: [{name: a, macAddress: "52:54:00:ab:00:01"}]}]\n',
  );
  // A server that does not answer would be retried.
  vi.stubGlobal('fetch', async (url: string) => Promise.reject(new Error(`no way to ${url}`, { cause: String(url) })));
  vi.stubGlobal('setTimeout', (work: () => void) => queueMicrotask(work));
  const { status, stdout, stderr } = await coreiso(command.split(' '), { cwd, env: { COREISO_CACHE: join(cwd, 'c') } });
  expect(status).not.toBe(0);
  expect(stdout.toString() + stderr).not.toContain(WORD);
});

test('base list shows the addresses of a stream without their credentials', async () => {
  const location = `https://u:${WORD}@mirror.test/a.iso?X-Amz-Signature=${WORD}`;
  const disk = { location, sha256: '0'.repeat(64) };
  const artifacts = { metal: { release: '1', formats: { iso: { disk } } } };
  const input = JSON.stringify({ stream: 'mine', architectures: { x86_64: { artifacts } } });
  for (const more of [[], ['--json']]) {
    const { status, stdout } = await coreiso(['base', 'list', ...more, 'stream:-'], {
      input,
      env: { COREISO_CACHE: join(scratchFolder(), 'c') },
    });
    expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('@mirror.test/a.iso')]);
    expect(stdout.toString()).not.toContain(WORD);
  }
});

test.each(['validate', 'plan', 'simulate --mac 52:54:00:ab:00:01', 'image --base base.iso'])(
  'nodes %s shows nothing of an unreadable pull secret',
  async (command) => {
    const cwd = scratchFolder();
    const config = 'hosts:\n- interfaces: [{name: eth0, macAddress: "52:54:00:ab:00:01"}]\n';
    for (const [name, content] of Object.entries({
      'nodes-config.yaml': config,
      'facts.json': JSON.stringify({ pullSecret: SECRET }),
    })) {
      writeFileSync(join(cwd, name), content);
    }
    await writeCopy(await sampleIso(), join(cwd, 'base.iso'));
    const { status, stdout, stderr } = await coreiso(['nodes', ...command.split(' '), '--cluster', 'facts.json'], {
      cwd,
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('invalid PullSecret configuration')]);
    expect(stdout.toString() + stderr).not.toContain(SECRET.slice(0, 6));
  },
);
