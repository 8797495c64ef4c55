// Three whole sites: a single node on no platform; compact bare metal behind mirrors, with bonds; two nodes with an arbiter, IPv6 first.
import { readFileSync } from 'node:fs';
import {
  type InstallFiles,
  parseInstallFiles,
  planCluster,
  readDirectory,
  renderManifests,
  simulateBoot,
} from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

const RELEASE = { version: '4.20.3', image: 'quay.example.test/ocp/release@sha256:55' };
const NAMES = ['single-node', 'compact', 'arbiter'] as const;
type Name = (typeof NAMES)[number];
type FileName = 'install-config.yaml' | 'agent-config.yaml';
type Edit = readonly [file: FileName, from: string | RegExp, to: string];

/** The two files of a site, with edits whose text has to exist. */
function sources(name: Name, edits: readonly Edit[] = []): { installConfig: string; agentConfig: string } {
  const read = (file: FileName): string => {
    let text = readFileSync(new URL(`../sites/${name}/${file}`, import.meta.url), 'utf8');
    for (const [target, from, to] of edits) {
      if (target !== file) continue;
      const edited = text.replace(from, to);
      expect(edited).not.toBe(text);
      text = edited;
    }
    return text;
  };
  return { installConfig: read('install-config.yaml'), agentConfig: read('agent-config.yaml') };
}

function site(name: Name): InstallFiles {
  const outcome = parseInstallFiles(sources(name), { version: RELEASE.version });
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  return outcome.value;
}

test.each(NAMES)('%s is valid, and so are its manifests', (name) => {
  expect(parseInstallFiles(sources(name), { version: RELEASE.version })).toMatchObject({ ok: true, diagnostics: [] });
  const { files, diagnostics } = renderManifests(site(name), RELEASE);
  expect(diagnostics).toEqual([]);
  const again = readDirectory(files, { release: RELEASE, previous: sources(name) });
  expect(again).toMatchObject({ ok: true, diagnostics: [] });
});

const INSTALL = 'install-config.yaml';
const AGENT = 'agent-config.yaml';

describe('an error in a site is reported at its place, with help', () => {
  test.each<[Name, string, Edit, FileName, [line: number, column: number], RegExp]>([
    ['single-node', 'workers', [INSTALL, 'replicas: 0', 'replicas: 2'], INSTALL, [9, 3], /replicas: 0/],
    ['single-node', 'no pool of workers', [INSTALL, /compute:\n.*\n.*\n/, ''], INSTALL, [1, 1], /three workers/],
    [
      'single-node',
      'bare metal',
      [INSTALL, 'none: {}', 'baremetal: {apiVIPs: [192.0.2.2], ingressVIPs: [192.0.2.3]}'],
      INSTALL,
      [21, 3],
      /platform: \{none: \{\}\}/,
    ],
    ['single-node', 'an upper-case name', [INSTALL, 'lighthouse', 'Lighthouse'], INSTALL, [4, 9], /lower-case letters/],
    [
      'single-node',
      'everything under spec',
      [AGENT, 'rendezvousIP:', 'spec:\n  rendezvousIP:'],
      AGENT,
      [5, 1],
      /up one level/,
    ],
    [
      'single-node',
      'a rendezvous address that is none',
      [AGENT, 'rendezvousIP: 192.0.2.10', 'rendezvousIP: 192.0.2.10/24'],
      AGENT,
      [5, 15],
      /without a prefix length/,
    ],
    ['single-node', 'a disk by its number', [AGENT, '/dev/nvme0n1', '/dev/disk/by-id/x'], AGENT, [10, 19], /by-path/],
    [
      'compact',
      'VIPs elsewhere',
      [INSTALL, '192.0.2.2\n', '198.51.100.2\n'],
      INSTALL,
      [23, 9],
      /free address of 192\.0\.2\.0\/24/,
    ],
    [
      'compact',
      'a host prefix that is too short',
      [INSTALL, '10.128.0.0/14\n      hostPrefix: 23', '10.128.0.0/24\n      hostPrefix: 23'],
      INSTALL,
      [17, 19],
      /from 24 to 25/,
    ],
    [
      'compact',
      'doubled quotes around the pull secret',
      [INSTALL, /'(\{"auths".*\})'/, `'"$1"'`],
      INSTALL,
      [46, 13],
      /oc extract secret/,
    ],
    [
      'compact',
      'a mirror with a scheme',
      [INSTALL, '- mirror.example', '- https://mirror.example'],
      INSTALL,
      [29, 9],
      /without a scheme/,
    ],
    [
      'compact',
      'a bundle with a tail',
      [INSTALL, 'CERTIFICATE-----\npullSecret', 'CERTIFICATE-----\n  tail\npullSecret'],
      INSTALL,
      [34, 24],
      /nothing after the last one/,
    ],
    ['compact', 'one MAC address twice', [AGENT, '52:54:00:bb:01:00', '52:54:00:bb:00:00'], AGENT, [16, 21], /./],
    [
      'arbiter',
      'families in two orders',
      [INSTALL, '      - 2001:db8:5::2\n      - 192.0.2.2\n', '      - 192.0.2.2\n      - 2001:db8:5::2\n'],
      INSTALL,
      [30, 7],
      /one order everywhere/,
    ],
    [
      'arbiter',
      'two arbiters',
      [INSTALL, 'arbiter\n  replicas: 1', 'arbiter\n  replicas: 2'],
      INSTALL,
      [10, 13],
      /Write 1/,
    ],
    ['arbiter', 'an IPv6 host prefix', [INSTALL, 'hostPrefix: 64', 'hostPrefix: 56'], INSTALL, [21, 19], /Write 64/],
    [
      'arbiter',
      'a worker that leads',
      [AGENT, 'rendezvousIP: 2001:db8:5::20', 'rendezvousIP: 2001:db8:5::23'],
      AGENT,
      [122, 11],
      /role master/,
    ],
    [
      'arbiter',
      'more workers than wanted',
      [AGENT, 'role: arbiter', 'role: master'],
      AGENT,
      [7, 3],
      /raise the replicas/,
    ],
  ])('%s: %s', (name, _, edit, file, [line, column], help) => {
    const outcome = parseInstallFiles(sources(name, [edit]), { version: RELEASE.version });
    const first = outcome.diagnostics.find(({ severity }) => severity === 'error');
    expect(outcome.ok).toBe(false);
    expect({ file: first?.file, ...first?.range?.start }).toMatchObject({ file, line, column });
    expect(first?.help).toMatch(help);
  });

  test('too few workers are a warning, not an error', () => {
    const { installConfig, agentConfig } = sources('arbiter', [
      [INSTALL, 'replicas: 2\nnetworking', 'replicas: 3\nnetworking'],
    ]);
    const { ok, diagnostics } = parseInstallFiles({ installConfig, agentConfig });
    expect(ok).toBe(true);
    expect(diagnostics).toMatchObject([{ severity: 'warning', file: AGENT, help: expect.stringContaining('DHCP') }]);
  });

  test('mistakes in both files are all reported', () => {
    const edits: Edit[] = [
      [INSTALL, 'lighthouse', 'Lighthouse'],
      [INSTALL, 'hostPrefix: 23', 'hostPrefix: 9'],
      [AGENT, 'role: master', 'role: king'],
    ];
    const { diagnostics } = parseInstallFiles(sources('single-node', edits));
    expect(diagnostics.map(({ file, range }) => `${file}:${range?.start.line}`)).toEqual([
      `${INSTALL}:4`,
      `${INSTALL}:17`,
      `${AGENT}:8`,
    ]);
  });
});

describe('the plan of a site', () => {
  test('a single node is its own rendezvous host', () => {
    const { rendezvous, hosts, topology, unlisted } = planCluster(site('single-node'));
    expect(rendezvous).toEqual({
      address: '192.0.2.10',
      host: 'lamp',
      reason: 'it is the rendezvousIP of agent-config.yaml',
    });
    expect(hosts).toMatchObject([
      { name: 'lamp', isRendezvous: true, boots: { second: expect.stringContaining('alone') } },
    ]);
    expect(topology.ingressPlacement).toBe('ControlPlane');
    expect(unlisted).toBe(0);
  });

  test('the default rendezvous address is the first static one of the control plane', () => {
    const { rendezvous, hosts, virtualAddresses } = planCluster(site('compact'));
    expect(rendezvous).toMatchObject({
      address: '192.0.2.10',
      host: 'master-0',
      reason: expect.stringContaining('control-plane host'),
    });
    expect(hosts.map(({ isRendezvous }) => isRendezvous)).toEqual([true, false, false]);
    expect(hosts[1]?.boots.first).toContain('registers with the service at 192.0.2.10');
    expect(virtualAddresses).toEqual({ api: ['192.0.2.2'], ingress: ['192.0.2.3'] });
  });

  test('machines that no file lists are counted', () => {
    const outcome = parseInstallFiles(
      sources('arbiter', [[INSTALL, 'replicas: 2\nnetworking', 'replicas: 3\nnetworking']]),
    );
    const plan = outcome.ok ? planCluster(outcome.value) : undefined;
    expect(plan?.machines).toEqual({ controlPlane: 2, arbiter: 1, compute: 3 });
    expect(plan?.unlisted).toBe(1);
    expect(plan?.hosts.map(({ role }) => role)).toEqual(['master', 'master', 'arbiter', 'worker', 'worker']);
  });

  test('an address that no host has needs DHCP', () => {
    const files = sources('arbiter', [[AGENT, 'rendezvousIP: 2001:db8:5::20', 'rendezvousIP: 2001:db8:5::99']]);
    const outcome = parseInstallFiles(files, { mode: 'compatible' });
    expect(outcome.ok && planCluster(outcome.value).rendezvous).toMatchObject({
      host: undefined,
      reason: expect.stringContaining('DHCP'),
    });
  });

  test('an address that no host has is refused if all machines have other addresses', () => {
    const elsewhere = [AGENT, 'rendezvousIP: 2001:db8:5::20', 'rendezvousIP: 2001:db8:5::99'] as const satisfies Edit;
    const codesOf = (...changes: Edit[]): string[] =>
      parseInstallFiles(sources('arbiter', changes)).diagnostics.map(({ code, severity }) => `${severity} ${code}`);
    expect(codesOf(elsewhere)).toEqual(['error nodes-config/rendezvous-on-no-host']);
    // A machine that is not listed may have it.
    expect(codesOf(elsewhere, [INSTALL, 'replicas: 2\nnetworking', 'replicas: 3\nnetworking'])).not.toContain(
      'error nodes-config/rendezvous-on-no-host',
    );
  });

  test('a machine finds its host by its cards', () => {
    const { hostPlans } = planCluster(site('compact'));
    const boot = simulateBoot(hostPlans, { nics: { ens1f0: '52:54:00:bb:00:02', ens1f1: '52:54:00:bb:01:02' } });
    expect(boot.host?.name).toBe('master-2');
    expect(boot.files?.map(({ name }) => name)).toContain('bond0.nmconnection');
  });

  test('manifests without an install config give a plan without roles', () => {
    const outcome = readDirectory(renderManifests(site('compact'), RELEASE).files, { release: RELEASE });
    expect(outcome.ok && planCluster(outcome.value)).toMatchObject({
      domain: 'reef.example.test',
      platform: 'baremetal',
      rendezvous: { address: '192.0.2.10', host: 'reef-0', reason: expect.stringContaining('nmstateconfig.yaml') },
      hosts: [{ role: '' }, { role: '' }, { role: '' }],
      virtualAddresses: { api: ['192.0.2.2'] },
    });
  });
});
