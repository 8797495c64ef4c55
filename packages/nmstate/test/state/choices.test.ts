import type { Outcome } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { generateKeyfiles, type Keyfile } from '../../src/index.ts';

function generate(text: string): Outcome<Keyfile[]> {
  return generateKeyfiles(text, { mode: 'compatible' });
}

const vlan = (protocol: string): string =>
  `interfaces: [{name: a.5, type: vlan, vlan: {base-iface: a, id: 5, protocol: ${protocol}}}]`;
const bond = (mode: string): string => `interfaces: [{name: b, type: bond, bond: {mode: ${mode}}}]`;
const route = (type: string): string => `routes: {config: [{destination: 192.0.2.0/24, route-type: ${type}}]}`;

describe('accepts a word of an interface as the key of a map', () => {
  test.each([
    ['a word', '{802.1ad: null}', '802.1ad'],
    ['a word without a value', '{802.1ad: }', '802.1ad'],
    ['a word in quotes', '{"802.1q": ~}', '802.1q'],
  ])('%s', (_, map, word) => {
    expect(generate(vlan(map))).toMatchObject({ ok: true });
    expect(generate(vlan(map))).toEqual(generate(vlan(word)));
  });

  test.each([
    ['a word with a value', '{802.1ad: 1}', 'nmstate/wrong-type', 'expected nothing, found `1`'],
    ['a word with a map', '{802.1ad: {}}', 'nmstate/wrong-type', 'expected nothing, found a map'],
    ['two words', '{802.1ad: null, 802.1q: null}', 'nmstate/wrong-type', 'found a map'],
    ['no word', '{}', 'nmstate/wrong-type', 'found a map'],
    ['another word', '{802.1x: null}', 'nmstate/unknown-value', '`802.1x` is not one of 802.1q, 802.1ad'],
    ['a list', '[802.1ad]', 'nmstate/wrong-type', 'found a list'],
  ])('but not %s', (_, map, code, message) => {
    const { ok, diagnostics } = generate(vlan(map));
    expect(ok).toBe(false);
    expect(diagnostics).toEqual([
      expect.objectContaining({ code, message: expect.stringContaining(message), range: expect.anything() }),
    ]);
  });

  test.each(['{active-backup: null}', '{1: null}'])('but not if the word may also be a number: %s', (map) => {
    expect(generate(bond(map))).toMatchObject({ ok: false, diagnostics: [{ code: 'nmstate/wrong-type' }] });
  });
});

test('refuses a word outside interfaces as the key of a map', () => {
  expect(generate(route('blackhole'))).toMatchObject({ ok: true });
  expect(generate(route('{blackhole: null}'))).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'nmstate/wrong-type' }],
  });
});

describe('writes the port of a MACsec channel within the range of NetworkManager', () => {
  const macsec = (port: number): string =>
    `interfaces: [{name: m, type: macsec, macsec: {base-iface: a, encrypt: true, port: ${port}, validation: strict, send-sci: true}}]`;
  test.each([
    [0, undefined],
    [1, '1'],
    [2147483646, '2147483646'],
    [2147483647, '2147483647'],
    [2147483648, undefined],
    [4294967295, undefined],
  ])('%d', (port, written) => {
    const outcome = generate(macsec(port));
    const content = outcome.ok ? outcome.value[0]?.content : undefined;
    expect(content).toContain('[macsec]');
    expect(/^port=(.*)$/m.exec(content ?? '')?.[1]).toBe(written);
  });

  test('and refuses 4294967296', () => {
    expect(generate(macsec(4294967296)).diagnostics).toMatchObject([{ code: 'nmstate/out-of-range' }]);
  });
});
