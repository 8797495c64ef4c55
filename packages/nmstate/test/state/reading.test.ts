import type { Outcome } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { generateKeyfiles as generate, type Keyfile, refusalKind } from '../../src/index.ts';

/** Reading is the same in both modes; the checks of strict mode have their own tests. */
function generateKeyfiles(text: string): Outcome<Keyfile[]> {
  return generate(text, { mode: 'compatible' });
}

function findings(text: string): { at: string; code: string; message: string; help: string | undefined }[] {
  return generateKeyfiles(text).diagnostics.map(({ code, message, range, help }) => {
    return { at: `${range?.start.line}:${range?.start.column}`, code, message, help };
  });
}

describe('marks a mismatch', () => {
  test.each([
    [
      'an unknown key',
      'interfaces:\n- name: a\n  type: dummy\n  mttu: 5\n',
      '4:3',
      'nmstate/unknown-key',
      'Did you mean `mtu`?',
    ],
    [
      'an unknown key deep down',
      'interfaces:\n- {name: a, type: bond, bond: {options: {mimon: 5}}}\n',
      '2:42',
      'nmstate/unknown-key',
      'Did you mean `miimon`?',
    ],
    ['an unknown key at the top', 'interface: []\n', '1:1', 'nmstate/unknown-key', 'Did you mean `interfaces`?'],
    [
      'a missing key',
      'interfaces:\n- {type: dummy}\n',
      '2:3',
      'nmstate/missing-key',
      'Add `name`: name of the interface.',
    ],
    [
      'an unknown word',
      'interfaces:\n- {name: a, type: bond, bond: {mode: blance-rr}}\n',
      '2:38',
      'nmstate/unknown-value',
      'Did you mean `balance-rr`?',
    ],
    [
      'a number for text',
      'interfaces:\n- {name: 5, type: dummy}\n',
      '2:10',
      'nmstate/wrong-type',
      'Write "5", in quotes.',
    ],
    [
      'a word for a strict boolean',
      'interfaces:\n- {name: a, ipv4: {dhcp-send-hostname: yes}, type: dummy}\n',
      '2:40',
      'nmstate/wrong-type',
      'Write `true` or `false`, without quotes.',
    ],
    [
      'a number that is too large',
      'routes:\n  config:\n  - {weight: 70000}\n',
      '3:14',
      'nmstate/out-of-range',
      undefined,
    ],
    ['text that is no number', 'routes: {config: [{metric: high}]}\n', '1:28', 'nmstate/wrong-value', undefined],
    [
      'an address with a prefix length',
      'interfaces:\n- {name: a, type: dummy, ipv4: {address: [{ip: 10.0.0.1/8, prefix-length: 8}]}}\n',
      '2:48',
      'nmstate/wrong-address',
      'Write the address alone; the prefix length has a key of its own.',
    ],
    [
      'a key and its other spelling',
      'interfaces:\n- {name: a, type: vrf, vrf: {port: [], ports: []}}\n',
      '2:40',
      'nmstate/duplicate-key',
      'Remove one.',
    ],
    [
      'a key that the family refuses',
      'interfaces:\n- {name: a, type: dummy, ipv4: {autoconf: true}}\n',
      '2:33',
      'nmstate/refused-key',
      'Remove it.',
    ],
    [
      'the same route key twice',
      'routes:\n  config:\n  - destination: 10.0.0.0/8\n    destination: 11.0.0.0/8\n',
      '4:5',
      'nmstate/duplicate-key',
      'Remove one.',
    ],
    [
      'a second document',
      'interfaces: []\n---\nroutes: {}\n',
      '3:1',
      'nmstate/several-documents',
      'Put each document into a file of its own.',
    ],
    [
      'a byte order mark',
      '\ufeffinterfaces: []\n',
      '1:1',
      'nmstate/byte-order-mark',
      'Save the file as UTF-8 without a mark.',
    ],
    [
      'a number that JSON cannot hold',
      'interfaces:\n- {name: a, type: dummy, driver: 99999999999999999999}\n',
      '2:34',
      'nmstate/out-of-range',
      undefined,
    ],
    ['a tag', 'interfaces:\n- {name: !mine a, type: dummy}\n', '2:10', 'nmstate/wrong-type', undefined],
  ])('%s', (_, text, at, code, help) => {
    expect(findings(text)).toEqual([{ at, code, help, message: expect.any(String) }]);
  });
});

test('finds all mismatches of a file at once, in interfaces and routes', () => {
  const text =
    'interfaces:\n- {name: a, type: dummy, x: 1, mtu: big}\n- {type: vlan}\nroutes:\n  config:\n  - {metric: y, weight: -1}\n';
  expect(findings(text).map(({ at }) => at)).toEqual(['6:14', '6:25', '2:37', '2:26', '3:3']);
});

test('finds all refusals of a file at once, the one of nmstate first', () => {
  const text = `interfaces:
- {name: a, type: vrf}
- {name: b, type: bond, bond: {mode: 1, options: {miimon: 1, arp_interval: 1, lacp_rate: fast}}}
routes:
  config:
  - {destination: 10.0.0.0/8}
dns-resolver: {config: {server: [nonsense]}}
`;
  const { diagnostics } = generateKeyfiles(text);
  expect(diagnostics.map(({ message, range }) => `${range?.start.line} ${message.slice(0, 40)}`)).toEqual([
    '2 Route table ID undefined or 0 is not all',
    '3 Bond miimon and arp interval are not com',
    '3 The `lacp_rate` option is only valid for',
    '6 Route with empty next hop interface is n',
    '7 Invalid DNS server string nonsense',
  ]);
  expect(diagnostics.map(refusalKind)).toEqual([
    'InvalidArgument',
    'InvalidArgument',
    'InvalidArgument',
    'NotImplementedError',
    'InvalidArgument',
  ]);
});

test('places a refusal at the value, also if the key has another spelling', () => {
  const text = 'interfaces:\n- name: b\n  type: bond\n  bond:\n    mode: 1\n    options:\n      lacp_rate: fast\n';
  expect(findings(text)).toMatchObject([{ at: '7:18', code: 'nmstate/invalid-argument' }]);
});

test('reads a no-break space as a space, and keeps positions correct', () => {
  expect(findings('interfaces:\u00a0[{name:\u00a0a, typo: x}]\n')).toMatchObject([{ at: '1:24' }]);
});

test('reports invalid YAML with its place', () => {
  expect(findings('interfaces: [\n')).toMatchObject([{ code: 'diagnostics/yaml-syntax' }]);
});

describe('policies', () => {
  const current = 'current: {interfaces: [{name: eno9, type: ethernet, mtu: 9000, state: up}]}\n';

  test('give mistakes in the desired state a kind and a place', () => {
    const { diagnostics } = generateKeyfiles('desired:\n  interfaces:\n  - {name: a, type: dummy, bogus: 1}\n');
    expect(diagnostics).toMatchObject([
      { message: 'unknown field `bogus`', range: { start: { line: 3, column: 28 } } },
    ]);
    expect(refusalKind(diagnostics[0]!)).toBe('InvalidArgument');
  });

  test.each([
    ['1.0', '1.0'],
    ['1e16', '1e+16'],
    ['0.0000001', '1e-7'],
  ])('show a float as serde_json does: %s', (written, shown) => {
    const { diagnostics } = generateKeyfiles(
      `desired: {interfaces: [{name: a, type: dummy, description: ${written}}]}`,
    );
    expect(diagnostics[0]?.message).toBe(`invalid type: floating point \`${shown}\`, expected a string`);
  });

  test('place refusals in the desired state', () => {
    const text =
      'desired:\n  interfaces: []\n  routes:\n    config:\n    - {destination: 10.0.0.0/8, next-hop-interface: eth7}\n';
    expect(findings(text)).toMatchObject([{ at: '5:53', code: 'nmstate/invalid-argument' }]);
  });

  test('do not use the current state without captures', () => {
    expect(generateKeyfiles(`${current}desired: {interfaces: [{name: eno9, type: ethernet}]}\n`)).toMatchObject({
      ok: true,
    });
  });

  test('are not read further if they have an unknown key', () => {
    expect(
      findings('desired: {interfaces: [{name: a, type: ethernet, driver: x, bogus: 1}]}\nextra: 1\n'),
    ).toMatchObject([{ at: '2:1', code: 'nmstate/unknown-key' }]);
  });

  test('have to be filled first if they have captures', () => {
    const text = `${current}capture: {a: interfaces.name == "eno9"}\ndesired: {interfaces: []}\n`;
    expect(findings(text)).toEqual([
      expect.objectContaining({ code: 'nmstate/capture', at: '2:11', help: expect.stringContaining('evaluatePolicy') }),
    ]);
  });
});

describe('secrets', () => {
  test.each([
    ['a password', '802.1x: {password: 12345678}'],
    ['the password of a key', '802.1x: {private-key-password: [12345678]}'],
  ])('%s never shows in a message', (_, entry) => {
    for (const text of [
      `interfaces: [{name: a, type: dummy, ${entry}}]`,
      `desired: {interfaces: [{name: a, ${entry}}]}`,
    ]) {
      const { ok, diagnostics } = generateKeyfiles(text);
      expect(ok).toBe(false);
      expect(JSON.stringify(diagnostics)).not.toContain('12345678');
    }
  });
});

test('treats names of the language itself like any other name', () => {
  const entries = [
    'name: constructor, type: ethernet, ethtool: {feature: {constructor: true}}',
    'name: a, type: bond, bond: {mode: toString}',
    'name: a, type: ovs-bridge, ovs-db: {external_ids: {__proto__: x}}',
    'name: a, type: dummy, ipv4: {enabled: true, dhcp: true, dhcp-client-id: valueOf}',
  ].map((entry) => generateKeyfiles(`interfaces: [{${entry}}]`));
  expect(entries.map(({ diagnostics }) => diagnostics.map(({ message }) => message))).toEqual([
    ['InvalidArgument:Unsupported ethtool feature feature-constructor'],
    [expect.stringMatching(/^`toString` is not one of balance-rr/)],
    [],
    [],
  ]);
  expect(entries[2]?.ok && entries[2].value[0]?.content).toContain('data.__proto__=x');
  expect(entries[3]?.ok && entries[3].value[0]?.content).toContain('dhcp-client-id=valueOf');
});

// The first error of nmstatectl 2.2.62 about each.
test.each([
  ['name aaa zzz mmm', 'mmm'],
  ['aaa name zzz mmm', 'aaa'],
  ['name state aaa zzz mmm', 'mmm'],
  ['state name aaa zzz mmm', 'zzz'],
  ['state aaa name zzz mmm', 'zzz'],
  ['type name aaa zzz mmm', 'mmm'],
  ['name aaa type zzz mmm', 'mmm'],
  ['name aaa zzz mmm state', 'mmm'],
  ['name aaa zzz mmm mtu', 'aaa'],
  ['name aaa zzz mmm mtu state type', 'aaa'],
])('reads an interface without a type and with the keys %s as ethernet, and refuses `%s` first', (keys, first) => {
  const values: Record<string, string> = { name: 'hs0', state: 'up', type: 'unknown', mtu: '1500' };
  const lines = keys.split(' ').map((key) => `${key}: ${values[key] ?? 1}`);
  const outcome = generateKeyfiles(`interfaces:\n- ${lines.join('\n  ')}\n`);
  expect(outcome.ok ? [] : outcome.diagnostics.map(({ message }) => message)[0]).toBe(
    `Invalid property for ethernet interface: unknown field \`${first}\``,
  );
});
