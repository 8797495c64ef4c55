import { type AgentConfig, hostData, parseAgentConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const AGENT = 'apiVersion: v1beta1\nrendezvousIP: 192.0.2.1\n';
const mac = (index: number): string => `52:54:00:a1:00:0${index}`;

function installed(hosts: readonly object[], agent = AGENT) {
  const installConfig = { controlPlane: { replicas: 9 }, arbiter: { replicas: 9 }, platform: { baremetal: { hosts } } };
  const outcome = parseAgentConfig(agent, { installConfig, mode: 'compatible' });
  const codes = outcome.diagnostics.map(
    ({ severity, code, path, range }) =>
      `${severity} ${code.replace('nodes-config/', '')} [${path.join('.')}]${range === undefined ? '' : ' at a line'}`,
  );
  return { hosts: outcome.ok ? (outcome.value as AgentConfig).hosts.map(hostData) : [], codes };
}

const card = (macAddress?: string, name = 'eth0') => ({
  name,
  type: 'ethernet',
  state: 'up',
  ipv4: { enabled: true, dhcp: true },
  ...(macAddress === undefined ? {} : { 'mac-address': macAddress }),
});

describe('hosts of an install config', () => {
  test('are used if the agent config has none, by role: control plane, arbiters, workers, others', () => {
    const roles = ['', 'worker', 'arbiter', 'master'];
    const { hosts } = installed(roles.map((role, index) => ({ name: `h${index}`, role, bootMACAddress: mac(index) })));
    expect(hosts.map(({ hostname, role }) => [hostname, role])).toEqual([
      ['h3', 'master'],
      ['h2', 'arbiter'],
      ['h1', 'worker'],
      ['h0', ''],
    ]);
  });

  test('have their hints and controllers, and are identified by the card that they boot from', () => {
    const bmc = { address: 'a', username: 'u', password: 'p', disableCertificateVerification: true };
    const host = {
      name: 'h',
      role: 'master',
      bootMACAddress: mac(1),
      rootDeviceHints: { deviceName: '/dev/sda' },
      bmc,
    };
    expect(installed([host]).hosts).toEqual([
      {
        hostname: 'h',
        role: 'master',
        rootDeviceHints: { deviceName: '/dev/sda' },
        interfaces: [{ name: 'boot', macAddress: mac(1) }],
        networkConfig: null,
        bmc,
      },
    ]);
  });

  test('are identified by the cards in their network', () => {
    const host = (interfaces: object[]) => ({
      name: 'h',
      role: 'master',
      bootMACAddress: mac(1),
      networkConfig: { interfaces },
    });
    const tables = (interfaces: object[]) => installed([host(interfaces)]).hosts.map((one) => one.interfaces);
    expect(tables([card(mac(1)), card(mac(2), 'eth1'), card(undefined, 'eth2')])).toEqual([
      [
        { name: 'eth0', macAddress: mac(1) },
        { name: 'eth1', macAddress: mac(2) },
      ],
    ]);
    expect(tables([card()])).toEqual([[{ name: 'boot', macAddress: mac(1) }]]);
  });

  test('get a warning if the card that they boot from is not in their network', () => {
    const host = (boot: string, address?: string) => ({
      name: 'h',
      role: 'master',
      bootMACAddress: boot,
      networkConfig: { interfaces: [card(address)] },
    });
    const codes = (one: object) => installed([one]).codes.filter((code) => code.includes('boot-mac'));
    expect(codes(host(mac(1), mac(1)))).toEqual([]);
    expect(codes(host(mac(1), mac(2)))).toEqual(['warning boot-mac [hosts]']);
    expect(codes(host(mac(1)))).toEqual(['warning boot-mac [hosts]']);
    expect(codes({ name: 'h', role: 'master', bootMACAddress: mac(1) })).toEqual([]);
  });

  test('must name the card that they boot from', () => {
    const { codes, hosts } = installed([{ name: 'a', bootMACAddress: mac(1) }, { name: 'b' }]);
    expect(codes).toEqual(['error boot-mac []']);
    expect(hosts).toEqual([]);
  });

  test('have findings without a place, with paths in their own list', () => {
    const networkConfig = { interfaces: [{ ...card(mac(2)), colour: 'red' }] };
    const { codes } = installed([
      { name: 'w', role: 'worker', bootMACAddress: mac(2), networkConfig },
      { name: 'm', role: 'boss', bootMACAddress: mac(1) },
    ]);
    expect(codes.filter((code) => code.startsWith('error'))).toEqual([
      'error role [hosts.1.role]',
      'error nmstate/unknown-key [hosts.0.networkConfig.interfaces.0.colour]',
    ]);
  });

  test('are ignored, with a warning, if the agent config has its own', () => {
    const own = `${AGENT}hosts:\n- hostname: own\n  role: master\n  interfaces: [{name: eth0, macAddress: "${mac(7)}"}]\n`;
    const { hosts, codes } = installed([{ name: 'h', bootMACAddress: mac(1) }], own);
    expect(hosts.map(({ hostname }) => hostname)).toEqual(['own']);
    expect(codes).toEqual(['warning ignored-hosts [hosts] at a line', 'warning too-few-hosts [hosts] at a line']);
    expect(installed([], own).codes).toEqual(['warning too-few-hosts [hosts] at a line']);
  });
});

test('an install config that cannot be read adds no hosts and no findings', () => {
  const own = `${AGENT}hosts:\n- role: master\n  interfaces: [{name: eth0, macAddress: "${mac(7)}"}]\n`;
  expect(parseAgentConfig(own, { installConfig: 'a: [b' }).diagnostics).toEqual([]);
});

describe('the rendezvous address is that', () => {
  const host = (role: string, index: number, ...addresses: string[]): string => `- role: '${role}'
  interfaces: [{name: eth0, macAddress: "${mac(index)}"}]
${
  addresses.length === 0
    ? ''
    : `  networkConfig:
    interfaces:
    - name: eth0
      type: ethernet
      state: up
${addresses.map((ip) => `      ${ip.includes(':') ? 'ipv6' : 'ipv4'}: {enabled: true, dhcp: false, address: [{ip: "${ip}", prefix-length: 24}]}\n`).join('')}`
}`;
  const address = (...hosts: string[]): unknown => {
    const outcome = parseAgentConfig(`apiVersion: v1beta1\nhosts:\n${hosts.join('')}`, { mode: 'compatible' });
    return outcome.ok && outcome.value.rendezvousAddress;
  };

  test.each<[string, string[], string | undefined]>([
    ['of the control plane first', [host('', 1, '192.0.2.1'), host('master', 2, '192.0.2.2')], '192.0.2.2'],
    ['of an arbiter', [host('', 1, '192.0.2.1'), host('arbiter', 2, '192.0.2.2')], '192.0.2.2'],
    ['of a host without a role', [host('worker', 1, '192.0.2.1'), host('', 2, '192.0.2.2')], '192.0.2.2'],
    ['of no worker', [host('worker', 1, '192.0.2.1')], undefined],
    ['of the first that has one', [host('master', 1), host('master', 2, '192.0.2.2')], '192.0.2.2'],
    ['of IPv4 first', [host('master', 1, '2001:db8::1', '192.0.2.1')], '192.0.2.1'],
    ['in its canonical form', [host('master', 1, '2001:db8:0::1')], '2001:db8::1'],
  ])('%s', (_, hosts, expected) => {
    expect(address(...hosts)).toBe(expected);
  });
});
