import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { describeWith, run } from '../../../test/support/tools.ts';
import { formatGcListing, generateKeyfiles, type Interface, type NetworkState, refusalKind } from '../src/index.ts';

const VERSION = '2.2.62';

describeWith(['nmstatectl'], 'the real nmstatectl', () => {
  const folder = scratchFolder();

  /** The output of the tool: its listing or its refusal. */
  function theirs(text: string): string {
    const file = join(folder, 'state.yml');
    writeFileSync(file, text);
    const { status, stdout, stderr } = run('nmstatectl', ['gc', '-q', file]);
    return status === 0 ? stdout.toString() : stderr;
  }

  function ours(text: string): string {
    const outcome = generateKeyfiles(text, { mode: 'compatible' });
    if (outcome.ok) return formatGcListing(outcome.value);
    const [first] = outcome.diagnostics;
    return `NmstateError: ${refusalKind(first!)}: ${first?.message}\n`;
  }

  test('has the version of the recordings', () => {
    expect(run('nmstatectl', ['--version']).stdout.toString()).toContain(VERSION);
  });

  test('prints the same bytes', () => {
    const goldens = new Goldens(new URL('goldens/nmstate.json', import.meta.url));
    const hosts = goldens.paths(/^(?:host|description|name|profile)-.*\.yml$/).filter((path) => {
      const { files, unordered } = goldens.json<{ files?: unknown; unordered?: unknown }>(
        path.replace('.yml', '.json'),
      );
      return files !== undefined && unordered === undefined;
    });
    expect(hosts.length).toBeGreaterThan(50);
    for (const path of hosts) expect(ours(goldens.text(path)), path).toBe(theirs(goldens.text(path)));
  });

  test('agrees on random hosts', () => {
    fc.assert(
      fc.property(state(), (host) => {
        const text = JSON.stringify(host);
        expect(ours(text)).toBe(theirs(text));
      }),
      { numRuns: 60 },
    );
  });
});

/** Hosts with at most one mistake, because the tool names a random one of several. */
function state(): fc.Arbitrary<NetworkState> {
  const address = fc.record({ ip: fc.ipV4(), 'prefix-length': fc.integer({ min: 0, max: 32 }) });
  const address6 = fc.record({ ip: fc.ipV6(), 'prefix-length': fc.integer({ min: 0, max: 128 }) });
  const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
  const ip = { enabled: maybe(fc.boolean()), dhcp: maybe(fc.boolean()), 'auto-dns': maybe(fc.boolean()) };
  const base = {
    state: maybe(fc.constantFrom('up', 'down', 'absent', 'ignore')),
    mtu: maybe(fc.integer({ min: 1280, max: 9000 })),
    'mac-address': maybe(fc.constantFrom('02:00:00:00:00:aa', '02:00:00:00:00:BB')),
    ipv4: maybe(fc.record({ ...ip, address: maybe(fc.array(address, { maxLength: 3 })) })),
    ipv6: maybe(fc.record({ ...ip, address: maybe(fc.array(address6, { maxLength: 3 })) })),
    'wait-ip': maybe(fc.constantFrom('any', 'ipv4', 'ipv6', 'ipv4+ipv6')),
    lldp: maybe(fc.record({ enabled: fc.boolean() })),
  };
  // Interfaces on top of an absent one are refused, and there may be two of them.
  const present = maybe(fc.constantFrom('up', 'down', 'ignore'));
  const ethernet = fc.record({
    ...base,
    name: fc.constantFrom('eth0', 'eth1', 'eth2'),
    type: fc.constantFrom('ethernet', undefined),
  });
  const vlan = fc.record({
    ...base,
    state: present,
    name: fc.constantFrom('v1', 'v2'),
    type: fc.constant('vlan'),
    vlan: fc.record({ id: fc.nat(4095), 'base-iface': fc.constantFrom('eth0', 'bond0', 'v1') }),
  });
  const bond = fc.record({
    ...base,
    state: present,
    name: fc.constant('bond0'),
    type: fc.constant('bond'),
    'link-aggregation': fc.record({
      mode: fc.integer({ min: 0, max: 6 }),
      port: fc.subarray(['eno1', 'eno2', 'eno3']),
    }),
  });
  return fc.record({
    interfaces: fc.uniqueArray(fc.oneof(ethernet, vlan, bond), { selector: ({ name }) => name, maxLength: 5 }),
  }) as fc.Arbitrary<NetworkState & { interfaces: Interface[] }>;
}
