// Configs that are valid line by line, but with which a machine cannot work. Each rule reports its case at its place,
// and accepts similar cases.
import { type ClusterFacts, isUpstream, parseAgentConfig, parseNodesConfig } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const cluster: ClusterFacts = {
  apiVIPs: ['192.0.2.5'],
  ingressVIPs: ['192.0.2.6', '2001:db8::6'],
  nodes: [{ name: 'node-0', architecture: 'amd64', master: true }],
};

interface Network {
  readonly ip?: string;
  readonly length?: number;
  readonly gateway?: string | undefined;
  readonly dns?: string;
  readonly more?: string;
  readonly mac?: string;
}

/** A host whose network is valid by default. */
function host({
  ip = '192.0.2.20',
  length = 24,
  gateway = '192.0.2.1',
  dns = ip.includes(':') ? '2001:db8::53' : '192.0.2.53',
  more = '',
  mac = '01',
}: Network = {}): string {
  const family = ip.includes(':') ? 'ipv6' : 'ipv4';
  const all = gateway.includes(':') ? '::/0' : '0.0.0.0/0';
  const routes =
    gateway === ''
      ? ''
      : `    routes: {config: [{destination: '${all}', next-hop-address: '${gateway}', next-hop-interface: eth0}]}\n`;
  const servers = dns === '' ? '' : `    dns-resolver: {config: {server: ['${dns}']}}\n`;
  return `- hostname: h-${ip.replace(/[^0-9a-z]/g, '-')}
  interfaces:
  - {name: eth0, macAddress: '52:54:00:00:00:${mac}'}
${more === '' ? '' : "  - {name: eth1, macAddress: '52:54:00:00:00:99'}\n"}  networkConfig:
    interfaces:
    - name: eth0
      type: ethernet
      state: up
      ${family}: {enabled: true, dhcp: false, address: [{ip: '${ip}', prefix-length: ${length}}]}
${more}${routes}${servers}`;
}

const nodes = (...hosts: string[]): string => `hosts:\n${hosts.join('')}`;

/** Severity, code and place of findings. */
function found(text: string, mode: 'strict' | 'compatible' = 'strict'): string[] {
  return parseNodesConfig(text, { cluster, mode })
    .diagnostics.filter((one) => !isUpstream(one))
    .map(
      ({ severity, code, range }) =>
        `${severity} ${code.replace('nodes-config/', '')} ${text.slice(range?.start.offset, range?.end.offset).split('\n')[0]}`,
    );
}

describe('the address of a host', () => {
  test.each<[string, Network, string[]]>([
    ['is its own', {}, []],
    ['is the virtual address of the API', { ip: '192.0.2.5' }, ["error virtual-address '192.0.2.5'"]],
    [
      'is that of ingress, written otherwise',
      { ip: '2001:db8:0:0::6', length: 64, gateway: 'fe80::1' },
      ["error virtual-address '2001:db8:0:0::6'"],
    ],
    ['is its gateway', { ip: '192.0.2.1' }, ["error address-is-gateway '192.0.2.1'"]],
    [
      'is its gateway, written otherwise',
      { ip: '2001:db8::1', length: 64, gateway: '2001:db8:0::1' },
      ["error address-is-gateway '2001:db8::1'"],
    ],
    ['is that of the network', { ip: '192.0.2.0' }, ["error network-address '192.0.2.0'"]],
    [
      'is that of a smaller network',
      { ip: '192.0.2.64', length: 26, gateway: '192.0.2.65' },
      ["error network-address '192.0.2.64'"],
    ],
    ['ends in zero inside a larger network', { ip: '192.0.3.0', length: 23, gateway: '192.0.3.1' }, []],
    ['is the broadcast address', { ip: '192.0.2.255' }, ["error network-address '192.0.2.255'"]],
    ['is one of two', { ip: '192.0.2.2', length: 31, gateway: '192.0.2.3' }, []],
    [
      'is the only one',
      { ip: '192.0.2.2', length: 32, gateway: '192.0.2.1' },
      ["warning nmstate/unreachable-gateway '192.0.2.1'"],
    ],
    ['is an IPv6 one with nothing behind the prefix', { ip: '2001:db8::', length: 64, gateway: 'fe80::1' }, []],
  ])('%s', (_, network, expected) => {
    const text = nodes(host(network));
    expect(found(text)).toEqual(expected);
    expect(found(text, 'compatible')).toEqual(expected.map((line) => line.replace('error', 'warning')));
  });

  test('may be a virtual address if the site has its own load balancer', () => {
    const text = nodes(host({ ip: '192.0.2.5' }));
    const { diagnostics } = parseNodesConfig(text, { cluster: { ...cluster, loadBalancer: 'UserManaged' } });
    expect(diagnostics).toEqual([]);
  });

  test('is reported with the range of valid addresses', () => {
    const { diagnostics } = parseNodesConfig(nodes(host({ ip: '192.0.2.255' })));
    expect(diagnostics[0]).toMatchObject({ help: 'Choose an address from 192.0.2.1 to 192.0.2.254.' });
  });
});

describe('the route to other networks', () => {
  const DYNAMIC = '    - {name: eth1, type: ethernet, state: up, ipv4: {enabled: true, dhcp: true%s}}\n';
  test.each<[string, Network, string[]]>([
    ['lacks a default route', { gateway: '' }, ['no-default-route']],
    ['lacks a DNS server', { dns: '' }, ['no-dns-server']],
    ['lacks both', { gateway: '', dns: '' }, ['no-default-route', 'no-dns-server']],
    ['comes from the site', { gateway: '', dns: '', more: DYNAMIC.replace('%s', '') }, []],
    [
      'comes from the site without a route',
      { gateway: '', dns: '', more: DYNAMIC.replace('%s', ', auto-routes: false') },
      ['no-default-route'],
    ],
    [
      'comes from the site without servers',
      { gateway: '', dns: '', more: DYNAMIC.replace('%s', ', auto-dns: false') },
      ['no-dns-server'],
    ],
  ])('%s', (_, network, codes) => {
    const text = nodes(host(network));
    const { diagnostics } = parseNodesConfig(text, { cluster });
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
      codes.map((code) => `warning nodes-config/${code}`),
    );
    for (const { help } of diagnostics) expect(help).toMatch(/^Add to its networkConfig, .*:\n\S+:\n/);
  });
});

const isOwn = (one: Parameters<typeof isUpstream>[0]): boolean => !isUpstream(one);

describe('the rendezvous address', () => {
  const install = (platform: string, masters: number): string => `apiVersion: v1
metadata: {name: reef}
baseDomain: example.test
controlPlane: {name: master, replicas: ${masters}}
compute: [{name: worker, replicas: 0}]
networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}
platform: ${platform}
pullSecret: '{"auths":{"a.test":{"auth":"YTpi"}}}'
`;
  const METAL = '{baremetal: {apiVIPs: [192.0.2.5], ingressVIPs: [192.0.2.6]}}';
  const three = [20, 21, 22].map((last) => host({ ip: `192.0.2.${last}`, mac: String(last) }));
  const agent = (address: string, hosts: readonly string[] = three): string =>
    `apiVersion: v1beta1\nrendezvousIP: ${address}\n${hosts.length === 0 ? '' : `hosts:\n${hosts.join('')}`}`;
  const codes = (text: string, installConfig?: string): string[] =>
    parseAgentConfig(text, { installConfig })
      .diagnostics.filter(isOwn)
      .map(({ code, path }) => `${code.replace('nodes-config/', '')} ${path.join('.')}`);

  test.each([
    ['of a host', '192.0.2.21', install(METAL, 3), three, []],
    ['of a host, written otherwise', '::ffff:192.0.2.21', undefined, three, []],
    ['of no host', '192.0.2.30', install(METAL, 3), three, ['rendezvous-on-no-host rendezvousIP']],
    ['of a machine that is not listed', '192.0.2.30', install(METAL, 4), three, []],
    ['of who knows how many', '192.0.2.30', undefined, three, []],
    [
      'of a machine that gets its addresses from the site',
      '192.0.2.30',
      install(METAL, 3),
      [...three.slice(1), three[0]!.replace(/ {2}networkConfig[\s\S]*/, '')],
      [],
    ],
    ['of the API', '192.0.2.5', install(METAL, 3), three, ['virtual-address rendezvousIP']],
    [
      'of the API, which is nobody\u2019s without a platform',
      '192.0.2.20',
      install('{none: {}}', 1),
      three.slice(0, 1),
      [],
    ],
  ])('is that %s', (_, address, installConfig, hosts, expected) => {
    expect(codes(agent(address, hosts), installConfig)).toEqual(expected);
  });

  test('gets a suitable address as help', () => {
    const { diagnostics } = parseAgentConfig(agent('192.0.2.30'), { installConfig: install(METAL, 3) });
    expect(diagnostics[0]?.help).toBe('Write the address of one control-plane host, such as 192.0.2.20.');
  });
});

describe('a card whose declared name nearly equals its name in the table', () => {
  const config = (declared: string): string => `hosts:
- interfaces:
  - {name: nic0, macAddress: '52:54:00:00:00:01'}
  - {name: nic1, macAddress: '52:54:00:00:00:02'}
  networkConfig:
    interfaces:
    - {name: bond0, type: bond, state: up, link-aggregation: {mode: active-backup, port: [nic0, nic1]}, ipv4: {enabled: true, dhcp: true}}
    - {name: nic0, type: ethernet, state: up}
    - {name: ${declared}, type: ethernet, state: up}
`;

  test('is reported at both places with help that names the other one', () => {
    const { diagnostics } = parseNodesConfig(config('nci1'));
    expect(diagnostics.map(({ code, severity, help }) => [code, severity, help])).toEqual([
      [
        'nodes-config/name-not-in-network',
        'warning',
        'Use the same name here and in `networkConfig.interfaces`, which has nci1.',
      ],
      [
        'nodes-config/interface-unmapped',
        'error',
        'Write nic1, as in `interfaces`; or add nci1 with its MAC address there.',
      ],
    ]);
  });

  test.each([
    ['right', 'nic1', []],
    ['a real name', 'eno1', ['info name-not-in-network']],
    ['quite another', 'uplink7', ['info name-not-in-network', 'error interface-unmapped']],
  ])('gets no suggestion if the name is %s', (_, name, expected) => {
    const { diagnostics } = parseNodesConfig(config(name));
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code.replace('nodes-config/', '')}`)).toEqual(
      expected,
    );
    expect(diagnostics.some(({ help = '' }) => help.startsWith('Write'))).toBe(false);
  });
});
