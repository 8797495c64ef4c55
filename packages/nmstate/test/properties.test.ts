import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateKeyfiles, type Interface, type NetworkState } from '../src/index.ts';

const names = ['eth0', 'eth1', 'eth2', 'eth3', 'eth4'];

/** Hosts in which nothing depends on the order of declaration: no DNS, no rules, no nesting that needs several rounds. */
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

test('any order of interfaces gives the same files', () => {
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

describe('nothing makes it throw', () => {
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

  test('no text', () => {
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

  test('no data', () => {
    fc.assert(
      fc.property(fc.oneof(tree, fc.record({ interfaces: fc.array(fc.dictionary(word, tree)) })), (state) => {
        const { ok, diagnostics } = generateKeyfiles(state as NetworkState, { mode: 'strict' });
        expect(ok || diagnostics.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
