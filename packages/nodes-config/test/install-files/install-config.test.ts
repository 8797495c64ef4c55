import { parseInstallConfig, parseInstallFiles } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRUumdNxUzz0Ux53zzPC0eg+K4Apj7/Q3kLt1+RmDLC ops@example.test';

/** A compact site on bare metal; each test changes one line of it. */
const COMPACT = `apiVersion: v1
baseDomain: example.test
metadata:
  name: reef
controlPlane:
  replicas: 3
compute:
- name: worker
  replicas: 0
networking:
  machineNetwork:
  - cidr: 192.0.2.0/24
  clusterNetwork:
  - cidr: 10.128.0.0/14
    hostPrefix: 23
platform:
  baremetal:
    apiVIPs: [192.0.2.2]
    ingressVIPs: [192.0.2.3]
pullSecret: '{"auths":{"registry.example.test":{"auth":"dTpzZWNyZXQtdmFsdWU="}}}'
sshKey: ${KEY}
`;

function changed(from: string, to: string): string {
  expect(COMPACT).toContain(from);
  return COMPACT.replace(from, to);
}

test('a valid file is accepted in strict mode', () => {
  expect(parseInstallConfig(COMPACT)).toMatchObject({ ok: true, diagnostics: [] });
});

describe('a typical mistake is reported at its place, with help', () => {
  test.each([
    ['an upper-case name', 'name: reef', 'name: Reef', 4, /lower-case letters/],
    ['a VIP elsewhere', '[192.0.2.2]', '[198.51.100.2]', 18, /free address of 192\.0\.2\.0\/24/],
    ['a short host prefix', 'hostPrefix: 23', 'hostPrefix: 13', 15, /from 14 to 25/],
    ['a machine network with host bits', '192.0.2.0/24', '192.0.2.7/24', 12, /Write 192\.0\.2\.0\/24/],
    ['a misspelt key', 'baseDomain:', 'baseDomian:', 2, /Did you mean `baseDomain`\?/],
    [
      'a key of the other file',
      'apiVersion: v1\n',
      'apiVersion: v1\nrendezvousIP: 192.0.2.9\n',
      2,
      /agent-config\.yaml/,
    ],
    ['a pull secret in doubled quotes', `'{"auths"`, `'"{\\"auths\\"`, 20, /oc extract secret/],
    ['replicas as text', 'replicas: 3', 'replicas: "3"', 6, /without quotes/],
  ])('%s', (_, from, to, line, help) => {
    const outcome = parseInstallConfig(changed(from, to));
    const first = outcome.diagnostics.find(({ severity }) => severity === 'error');
    expect(outcome.ok).toBe(false);
    expect(first?.range?.start.line).toBe(line);
    expect(first?.help).toMatch(help);
  });

  test('all mistakes are reported at once', () => {
    const text = changed('name: reef', 'name: Reef').replace('[192.0.2.2]', '[198.51.100.2]');
    const codes = parseInstallConfig(text).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(['nodes-config/cluster-name', 'nodes-config/vip']);
  });
});

describe('no message contains a secret', () => {
  const bmc = (address: string) =>
    `    provisioningNetwork: Disabled\n    hosts:\n    - {role: master, bmc: {address: "${address}", username: admin, password: hunter2}}\n`;
  test.each([
    ['a pull secret that is no JSON', `'{"auths"`, `'{hunter2"auths"`],
    ['a pull secret without credentials', `{"auth":"dTpzZWNyZXQtdmFsdWU="}`, `{"hunter2":1}`],
    ['the password of a proxy', 'sshKey:', 'proxy:\n  httpProxy: https://user:hunter2@proxy.test\nsshKey:'],
    ['one with a slash in it', 'sshKey:', 'proxy:\n  httpProxy: http://user:hunter2/hunter2@proxy.test\nsshKey:'],
    ['one with nothing behind it', 'sshKey:', 'proxy:\n  httpProxy: http://user:hunter2\nsshKey:'],
    ['a private key', `sshKey: ${KEY}`, 'sshKey: |\n  -----BEGIN OPENSSH PRIVATE KEY-----\n  hunter2\n'],
    ['a controller', 'pullSecret:', `${bmc('ipmi://user:hunter2@198.51.100.1')}pullSecret:`],
    [
      'credentials in the wrong pool',
      '  replicas: 0',
      '  replicas: 0\n  fencing: {credentials: [{hostName: a, username: hunter2, password: hunter2, address: "redfish+https://a:1"}]}',
    ],
  ])('%s', (_, from, to) => {
    const outcome = parseInstallConfig(changed(from, to));
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome.diagnostics)).not.toContain('hunter2');
  });
});

test('findings of an agent config are not upstream\u2019s if the install config fails', () => {
  const agentConfig = 'apiVersion: v1beta1\nrendezvousIP: nowhere\n';
  const sound = parseInstallFiles({ installConfig: COMPACT, agentConfig });
  const broken = parseInstallFiles({ installConfig: changed('name: reef', 'name: Reef'), agentConfig });
  const about = ({ diagnostics }: typeof sound) =>
    diagnostics.filter(({ file, code }) => file === 'agent-config.yaml' && code === 'nodes-config/rendezvous-ip');
  expect(about(sound)).toMatchObject([{ upstream: true }]);
  expect(about(broken)).toMatchObject([{ upstream: false }]);
});

test('a YAML bomb gives one message', () => {
  const bomb = `a: &a [1,1,1,1,1,1,1,1,1,1]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}1]`).join('\n')}\n`;
  const { ok, diagnostics } = parseInstallConfig(bomb);
  expect(ok).toBe(false);
  expect(diagnostics).toHaveLength(1);
});
