// Rules about texts that are valid line by line but work on no machine: a single possible fix is offered, and repairs.
import { readFileSync } from 'node:fs';
import { applyEdits, type Diagnostic } from '@coreiso/diagnostics';
import { findingsWithFixes, mendText, type Source } from '@coreiso/language';
import { describe, expect, test } from 'vitest';

interface Network {
  readonly ip?: string;
  readonly listed?: string;
  readonly declared?: string;
  readonly gateway?: string;
  readonly dns?: string;
  readonly role?: string;
}

/** A host whose network is valid unless the test changes it. */
function host({
  ip = '192.0.2.20',
  listed = 'eno1',
  declared = listed,
  gateway = '192.0.2.1',
  dns = '192.0.2.53',
  role = '',
}: Network = {}): string {
  const last = `${ip.split('.').at(-1)}${listed === 'eno2' ? '2' : ''}`.padStart(3, '0');
  const routes = `    routes:
      config:
      - destination: 0.0.0.0/0
        next-hop-address: ${gateway}
        next-hop-interface: ${declared}
`;
  return `- hostname: host-${last}
${role === '' ? '' : `  role: ${role}\n`}  interfaces:
  - name: ${listed}
    macAddress: 52:54:00:00:0${last[0]}:${last.slice(1)}
  networkConfig:
    interfaces:
    - name: ${declared} # the only one
      type: ethernet
      state: up
      ipv4:
        enabled: true
        dhcp: false
        address:
        - ip: ${ip}
          prefix-length: 24
${dns === '' ? '' : `    dns-resolver: {config: {server: [${dns}]}}\n`}${gateway === '' ? '' : routes}`;
}

const nodes = (...hosts: string[]): Source => ({ kind: 'nodes-config', text: `hosts:\n${hosts.join('')}` });

const installConfig = `apiVersion: v1
metadata: {name: reef}
baseDomain: example.test
controlPlane: {name: master, replicas: 2}
compute: [{name: worker, replicas: 1}]
networking: {machineNetwork: [{cidr: 192.0.2.0/24}]}
platform: {baremetal: {apiVIPs: [192.0.2.5], ingressVIPs: [192.0.2.6]}}
pullSecret: '{"auths":{"a.test":{"auth":"YTpi"}}}'
`;
const three = [
  host({ ip: '192.0.2.40', role: 'worker' }),
  host({ ip: '192.0.2.20', role: 'master' }),
  host({ ip: '192.0.2.21' }),
];
const agent = (address: string, hosts: readonly string[] = three): Source => ({
  kind: 'agent-config',
  text: `apiVersion: v1beta1\nkind: AgentConfig\nmetadata: {name: reef}\nrendezvousIP: ${address}\nhosts:\n${hosts.join('')}`,
  installConfig,
});

function found(source: Source, code: string): Diagnostic {
  const one = findingsWithFixes(source).find((finding) => finding.code === `nodes-config/${code}`);
  if (one === undefined) throw new Error(`no ${code}`);
  return one;
}

const documented = readFileSync(new URL('../../../docs/fixes.md', import.meta.url), 'utf8');

test.each<[string, Source, Source]>([
  ['interface-unmapped', nodes(host({ declared: 'eon1' })), nodes(host())],
  ['name-not-in-network', nodes(host({ declared: 'eon1' })), nodes(host())],
  [
    'interface-unmapped',
    nodes(host(), host({ ip: '192.0.2.21', declared: 'eon1' })),
    nodes(host(), host({ ip: '192.0.2.21' })),
  ],
  ['rendezvous-on-no-host', agent('192.0.2.30'), agent('192.0.2.20')],
  ['rendezvous-on-no-host', agent('192.0.2.211'), agent('192.0.2.21')],
  ['virtual-address', agent('192.0.2.5'), agent('192.0.2.20')],
  ['virtual-address', agent("'192.0.2.6'"), agent("'192.0.2.20'")],
])('%s has a fix that repairs it', (code, source, meant) => {
  const { fixes: [fix] = [] } = found(source, code);
  expect(applyEdits(source.text, fix?.edits ?? [])).toBe(meant.text);
  expect(findingsWithFixes(meant)).toEqual([]);
  expect(documented).toContain(`\`nodes-config/${code}\``);
});

test.each<[string, Source]>([
  ['address-is-gateway', nodes(host({ ip: '192.0.2.1' }))],
  ['network-address', nodes(host({ ip: '192.0.2.0' }))],
  ['network-address', nodes(host({ ip: '192.0.2.255' }))],
  ['virtual-address', agent('192.0.2.20', [...three.slice(0, 2), host({ ip: '192.0.2.5' })])],
  ['duplicate-address', nodes(host(), host({ listed: 'eno2' }))],
  ['no-default-route', nodes(host({ gateway: '' }))],
  ['no-dns-server', nodes(host({ dns: '' }))],
])('%s has none, because only its author knows the fix', (code, source) => {
  expect(found(source, code)).not.toHaveProperty('fixes');
  expect(mendText(source, 'all')).toBe(source.text);
});

describe('the rendezvous address', () => {
  test('may be that of any host but workers, and is never a safe fix', () => {
    const { fixes = [] } = found(agent('192.0.2.30'), 'rendezvous-on-no-host');
    expect(fixes.map(({ title, safe }) => [title, safe])).toEqual([
      ['Write `192.0.2.20`', false],
      ['Write `192.0.2.21`', false],
    ]);
    expect(mendText(agent('192.0.2.30'), 'safe')).toBe(agent('192.0.2.30').text);
    expect(mendText(agent('192.0.2.30'), 'all')).toBe(agent('192.0.2.20').text);
  });

  test('is not moved to a host that itself has a virtual address', () => {
    const hosts = [three[0] ?? '', host({ ip: '192.0.2.5' }), three[2] ?? ''];
    const { fixes: [fix] = [] } = found(agent('192.0.2.6', hosts), 'virtual-address');
    expect(fix?.title).not.toContain('192.0.2.5');
  });
});

describe('a misspelt interface', () => {
  test.each<[string, Network]>([
    ['usual', { listed: 'eno1', declared: 'eon1' }],
    ['of the site', { listed: 'uplink', declared: 'upilnk' }],
    ['with another number of letters', { listed: 'storage0', declared: 'storag0' }],
  ])('named %s is one typo, repaired once', (_, network) => {
    const source = nodes(host(network));
    const text = mendText(source, 'all');
    expect(findingsWithFixes({ ...source, text })).toEqual([]);
  });

  test('leaves other names and comments as they are', () => {
    const port =
      '    - {name: bond0, type: bond, state: up, link-aggregation: {mode: active-backup, port: [eno1, eno2]}}\n';
    const text = `hosts:
- interfaces:
  - {name: eno1, macAddress: '52:54:00:00:00:01'}
  - {name: eno2, macAddress: '52:54:00:00:00:02'} # eno22 on the old board
  networkConfig:
    interfaces:
${port}    - {name: eno1, type: ethernet, state: up}
    - {name: eno22, type: ethernet, state: up, description: eno22}
`;
    const fixes = findingsWithFixes({ kind: 'nodes-config', text }).flatMap((one) => one.fixes ?? []);
    for (const { title, edits } of fixes.filter((one) => one.title.startsWith('Rename'))) {
      expect(title).toBe('Rename `eno22` to `eno2`');
      expect(applyEdits(text, edits)).toBe(text.replace('{name: eno22', '{name: eno2'));
    }
  });
});
