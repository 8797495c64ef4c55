// Policies with one mistake, and states in other forms.
import { describe, expect, test } from 'vitest';
import { evaluatePolicy } from '../../src/forms.ts';

const POLICY = 'capture: {a: interfaces.name == "eth0"}\ndesired: {interfaces: "{{ capture.a.interfaces }}"}\n';
const STATE = 'interfaces: [{name: eth0, type: ethernet, state: up, mtu: 1500}]\n';
const WANTED = { interfaces: [{ name: 'eth0', type: 'ethernet', state: 'up', mtu: 1500 }] };

const findings = (policy: string, state?: string) =>
  evaluatePolicy(policy, state).diagnostics.map(({ code, path, message, range }) => [
    `${range?.start.line}:${range?.start.column} ${code} ${path.join('.')}`,
    message,
  ]);

describe('the current state', () => {
  test.each<[string, Parameters<typeof evaluatePolicy>[1]]>([
    ['a text', STATE],
    ['plain data', { interfaces: [{ name: 'eth0', type: 'ethernet', state: 'up', mtu: 1500 }] }],
    ['JSON', JSON.stringify(WANTED)],
  ])('may be %s', (_, state) => {
    const outcome = evaluatePolicy(POLICY, state);
    expect(outcome.ok && JSON.parse(JSON.stringify(outcome.value))).toEqual(WANTED);
  });

  test('may come from the policy', () => {
    const outcome = evaluatePolicy(`${POLICY}current: {${STATE.trim()}}\n`);
    expect(outcome.ok && JSON.parse(JSON.stringify(outcome.value))).toEqual(WANTED);
  });

  test('is required if there are captures', () => {
    expect(findings(POLICY)).toEqual([['1:11 nmstate/capture capture', 'captures need a current state']]);
    expect(evaluatePolicy('desired: {interfaces: []}\n')).toMatchObject({ ok: true });
  });

  test('has findings of its own', () => {
    expect(findings(POLICY, 'interfaces: [{name: eth0, type: ethernet, bogus: 1}]\n')).toEqual([
      [
        '1:43 nmstate/unknown-key interfaces.0.bogus',
        'in the current state: unknown key `bogus` in a network card, or one end of a virtual cable',
      ],
    ]);
  });
});

test.each<[what: string, policy: string, place: string]>([
  [
    'an expression, at the character',
    'capture:\n  a: interfaces.name = eth0\ndesired: {}\n',
    '2:23 nmstate/capture capture.a',
  ],
  [
    'one in quotes, at the character',
    'capture:\n  a: "interfaces.name = eth0"\ndesired: {}\n',
    '2:24 nmstate/capture capture.a',
  ],
  [
    'one with escapes, as a whole',
    'capture:\n  a: "interfaces.name = \\u0065th0"\ndesired: {}\n',
    '2:6 nmstate/capture capture.a',
  ],
  [
    'one with other letters, as a whole',
    'capture:\n  a: "ínterfaces.name = eth0"\ndesired: {}\n',
    '2:6 nmstate/capture capture.a',
  ],
  [
    'one behind blanks, at the character',
    'capture:\n  a: "  interfaces.name = eth0"\ndesired: {}\n',
    '2:26 nmstate/capture capture.a',
  ],
  ['an expression that is none', 'capture: {a: [x]}\ndesired: {}\n', '1:14 nmstate/capture capture.a'],
  [
    'a reference, at the character',
    'capture:\n  a: interfaces.name == eth0\ndesired:\n  interfaces:\n  - name: "{{ capture.b.x }}"\n',
    '5:23 nmstate/policy desired.interfaces.0.name',
  ],
  [
    'a reference in the state by its other name',
    "capture:\n  a: interfaces.name == eth0\ndesiredState:\n  interfaces:\n  - name: '{{ capture.a.x }}'\n",
    '5:25 nmstate/policy desiredState.interfaces.0.name',
  ],
  ['an expression that finds nothing', 'capture:\n  a: interfaces.name == eth9\ndesired: {}\n', '2:17 nmstate/policy '],
])('marks %s', (_, policy, place) => {
  expect(findings(policy, STATE).map(([found]) => found)).toEqual([place]);
});
