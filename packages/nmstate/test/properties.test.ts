import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateKeyfiles, type Interface, type NetworkState } from '../src/index.ts';

const names = ['eth0', 'eth1', 'eth2', 'eth3', 'eth4'];

/** Hosts that do not depend on the order of declaration: no DNS, no rules, no nesting that takes several rounds. */
const host: fc.Arbitrary<Interface[]> = fc
  .record({
    static: fc.subarray(names),
    bonded: fc.subarray(['eno1', 'eno2', 'eno3']),
    isBridged: fc.boolean(),
    vlans: fc.uniqueArray(fc.integer({ min: 1, max: 4094 }), { maxLength: 4 }),
  })
  .map((parts): Interface[] => [
    ...parts.static.map(
      (name, index): Interface => ({
        name,
        type: 'ethernet',
        ipv4: { enabled: true, address: [{ ip: `192.0.2.${index + 1}`, 'prefix-length': 24 }] },
      }),
    ),
    { name: 'bond0', type: 'bond', 'link-aggregation': { mode: 'active-backup', port: parts.bonded } },
    ...parts.bonded.map((name): Interface => ({ name, type: 'ethernet' })),
    ...parts.vlans.map((id): Interface => ({ name: `bond0.${id}`, type: 'vlan', vlan: { id, 'base-iface': 'bond0' } })),
    ...(parts.isBridged
      ? [
          { name: 'br0', type: 'linux-bridge', bridge: { port: [{ name: 'dummy0' }] } } as const,
          { name: 'dummy0', type: 'dummy' } as const,
        ]
      : []),
  ]);

test('gives the same files for any order of interfaces', () => {
  fc.assert(
    fc.property(
      host.chain((interfaces) =>
        fc.tuple(fc.constant(interfaces), fc.shuffledSubarray(interfaces, { minLength: interfaces.length })),
      ),
      ([interfaces, shuffled]) => {
        expect(generateKeyfiles({ interfaces: shuffled })).toEqual(generateKeyfiles({ interfaces }));
      },
    ),
    { numRuns: 200 },
  );
});

describe('never throws for', () => {
  const word = fc.constantFrom(
    'name',
    'type',
    'state',
    'ipv4',
    'address',
    'interfaces',
    'routes',
    'config',
    'bond',
    'port',
    'eth0',
    'lo',
    'up',
    'bridge',
    'vlan',
    'desired',
    'capture',
    '{{ x }}',
    '',
    '0.0.0.0/0',
    '::/0',
    'dns-resolver',
    'server',
    '\ufeff',
    '\u0000',
  );
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      word,
      fc.integer(),
      fc.double(),
      fc.bigInt(),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('map'),
    ),
    list: fc.array(tie('node'), { maxLength: 4 }),
    map: fc.dictionary(word, tie('node'), { maxKeys: 5 }),
  })).node;

  test('any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc
            .array(
              fc.constantFrom(
                'interfaces:',
                '\n',
                '- ',
                ' ',
                '{',
                '}',
                '[',
                ']',
                'name: a',
                ', ',
                '&x ',
                '*x',
                '!t ',
                '"',
                '|',
                'type: bond',
                '---\n',
              ),
            )
            .map((parts) => parts.join('')),
        ),
        (text) => {
          const { ok, diagnostics } = generateKeyfiles(text, { mode: 'strict' });
          expect(ok || diagnostics.length > 0).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('any data', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.dictionary(word, tree), fc.record({ interfaces: fc.array(fc.dictionary(word, tree)) })),
        (state) => {
          const { ok, diagnostics } = generateKeyfiles(state as NetworkState, { mode: 'strict' });
          expect(ok || diagnostics.length > 0).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('takes time in proportion to the input', () => {
  const many = (count: number, entry: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => entry(index)).join('');

  test.each([
    [
      'interfaces',
      (n: number) =>
        `interfaces:\n${many(n, (i) => `- {name: e${i}, type: ethernet, ipv4: {enabled: true, dhcp: true}}\n`)}`,
    ],
    [
      'declared ports that name their controller',
      (n: number) =>
        `interfaces:\n- {name: b, type: bond, bond: {mode: 1, port: [${many(n, (i) => `e${i}, `)}]}}\n${many(n, (i) => `- {name: e${i}, type: ethernet, controller: b}\n`)}`,
    ],
    [
      'undeclared ports',
      (n: number) =>
        `interfaces:\n- {name: b, type: linux-bridge, bridge: {port: [${many(n, (i) => `{name: e${i}}, `)}]}}\n`,
    ],
    [
      'ports of an Open vSwitch bond',
      (n: number) =>
        `interfaces:\n- {name: b, type: ovs-bridge, bridge: {port: [{name: p, bond: {port: [${many(n, (i) => `{name: e${i}}, `)}]}}]}}\n`,
    ],
    [
      'VLANs on one base',
      (n: number) =>
        `interfaces:\n- {name: e, type: ethernet}\n${many(n, (i) => `- {name: v${i}, type: vlan, vlan: {id: 5, base-iface: e}}\n`)}`,
    ],
    [
      'one profile name',
      (n: number) => `interfaces:\n${many(n, (i) => `- {name: e${i}, type: dummy, profile-name: p}\n`)}`,
    ],
    [
      'addresses',
      (n: number) =>
        `interfaces:\n- {name: e, type: dummy, ipv4: {enabled: true, address: [${many(n, (i) => `{ip: 10.0.${i >> 8}.${i & 255}, prefix-length: 8}, `)}]}}\n`,
    ],
    [
      'routes',
      (n: number) =>
        `interfaces: [{name: e, type: dummy, ipv4: {enabled: true, dhcp: true}}]\nroutes:\n  config:\n${many(n, (i) => `  - {destination: 10.${i >> 8}.${i & 255}.0/24, next-hop-interface: e, next-hop-address: 10.0.0.1}\n`)}`,
    ],
    [
      'rules for a table each',
      (n: number) =>
        `interfaces: [{name: e, type: dummy, ipv4: {enabled: true, dhcp: true}}]\nroute-rules:\n  config:\n${many(n, (i) => `  - {ip-from: 10.${i >> 8}.${i & 255}.0/24, route-table: ${i}}\n`)}`,
    ],
    [
      'rules without priority',
      (n: number) =>
        `interfaces: [{name: e, type: dummy, ipv4: {enabled: true, dhcp: true}}]\nroute-rules:\n  config:\n${many(n, (i) => `  - {ip-from: 10.${i >> 8}.${i & 255}.0/24}\n`)}`,
    ],
    [
      'name servers',
      (n: number) =>
        `interfaces: [{name: e, type: dummy, ipv4: {enabled: true, address: [{ip: 10.0.0.1, prefix-length: 24}]}}]\ndns-resolver: {config: {server: [${many(n, (i) => `10.1.${i >> 8}.${i & 255}, `)}]}}\n`,
    ],
    [
      'trunk tags',
      (n: number) =>
        `interfaces:\n- {name: b, type: ovs-bridge, bridge: {port: [{name: e, vlan: {mode: trunk, trunk-tags: [${many(n, (i) => `{id: ${i}}, `)}]}}]}}\n`,
    ],
    ['mismatches', (n: number) => `interfaces:\n${many(n, (i) => `- {name: e${i}, type: dummy, mttu: 5}\n`)}`],
    ['refusals', (n: number) => `interfaces:\n${many(n, (i) => `- {name: e${i}, type: vrf}\n`)}`],
  ])('%s', (_, text) => {
    const few = countSteps(() => generateKeyfiles(text(100), { mode: 'strict' }));
    const more = countSteps(() => generateKeyfiles(text(400), { mode: 'strict' }));
    // The input is four times as long; sorting adds a little.
    expect(more / few).toBeLessThan(5.5);
  });
});

test('counts quadratic work', () => {
  const square = (n: number) => () =>
    Array.from({ length: n }).map((_, index, all) => all.some((__, other) => other > n + index));
  expect(countSteps(square(400)) / countSteps(square(100))).toBeGreaterThan(15);
});

const COUNTED = [
  'map',
  'filter',
  'find',
  'findLast',
  'some',
  'every',
  'forEach',
  'flatMap',
  'reduce',
  'sort',
  'includes',
  'indexOf',
  'slice',
] as const;

/** Counts the calls of callbacks of array methods, and the items that copies and searches may touch. */
function countSteps(work: () => unknown): number {
  let steps = 0;
  const prototype = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = COUNTED.map((name) => [name, prototype[name]!] as const);
  const iterate = Array.prototype[Symbol.iterator];
  try {
    for (const [name, original] of originals) {
      prototype[name] = function (this: unknown[], ...args: unknown[]) {
        const [callback, ...rest] = args;
        if (typeof callback !== 'function') {
          steps += this.length;
          return original.apply(this, args);
        }
        const counted = (...inner: unknown[]): unknown => {
          steps++;
          return callback(...inner);
        };
        return original.call(this, counted, ...rest);
      };
    }
    Array.prototype[Symbol.iterator] = function (this: unknown[]) {
      steps += this.length;
      return iterate.call(this);
    };
    work();
  } finally {
    for (const [name, original] of originals) prototype[name] = original;
    Array.prototype[Symbol.iterator] = iterate;
  }
  return steps;
}
