import { describe, expect, test } from 'vitest';
import {
  formatGcListing,
  generateKeyfiles,
  generateKeyfilesOrThrow,
  judgeState,
  type NetworkState,
} from '../../src/index.ts';

const host: NetworkState = {
  interfaces: [
    {
      name: 'bond0',
      type: 'bond',
      ipv4: { enabled: true, dhcp: true },
      'link-aggregation': { mode: '802.3ad', port: ['eth0', 'eth1'], options: { miimon: 100 } },
    },
    { name: 'br0', type: 'linux-bridge', bridge: { options: { 'multicast-query-interval': 18446744073709551615n } } },
  ],
  routes: { config: [{ destination: '198.51.100.0/24', 'next-hop-interface': 'bond0', metric: 10 }] },
};

test('gives the same for an object as for its text', () => {
  const text = JSON.stringify(host, (_, value) => (typeof value === 'bigint' ? Number(value) : value)).replace(
    '18446744073709552000',
    '18446744073709551615',
  );
  expect(generateKeyfiles(host, { mode: 'compatible' })).toEqual(generateKeyfiles(text, { mode: 'compatible' }));
  expect(generateKeyfilesOrThrow(host).map(({ name }) => name)).toEqual([
    'bond0.nmconnection',
    'br0.nmconnection',
    'eth0.nmconnection',
    'eth1.nmconnection',
  ]);
});

test('ignores undefined members', () => {
  const outcome = generateKeyfiles({ interfaces: [{ name: 'a', type: 'dummy', mtu: undefined }], routes: undefined });
  expect(outcome.ok).toBe(true);
});

test('gives findings about an object a path but no place', () => {
  const wrong = { interfaces: [{ name: 'a', type: 'dummy', mtu: 'big' }] } as unknown as NetworkState;
  const { diagnostics } = generateKeyfiles(wrong);
  expect(diagnostics).toEqual([
    {
      severity: 'error',
      code: 'nmstate/wrong-value',
      message: '`big` is not a whole number',
      path: ['interfaces', 0, 'mtu'],
    },
  ]);
});

describe('data that JSON does not have', () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  test.each([
    ['a function', { interfaces: () => 1 }],
    ['a symbol', { interfaces: [Symbol('x')] }],
    ['an object within itself', cyclic],
    ['not a number', { interfaces: [{ name: 'a', mtu: Number.NaN }] }],
  ])('is refused: %s', (_, value) => {
    const outcome = generateKeyfiles(value as NetworkState);
    expect(outcome.ok).toBe(false);
    expect(outcome.diagnostics.length).toBeGreaterThan(0);
  });
});

test('throws an error with all findings from the throwing variant', () => {
  expect(() => generateKeyfilesOrThrow('interfaces: [{name: a, type: dummy, x: 1}]')).toThrow(
    expect.objectContaining({
      name: 'DiagnosticsError',
      diagnostics: [expect.objectContaining({ code: 'nmstate/unknown-key' })],
    }),
  );
});

describe('arguments of the wrong type', () => {
  const node = { kind: 'mapping', entries: [], tag: undefined, start: 0, end: 0 };
  test.each<[string, unknown[], string]>([
    ['no state', [undefined], 'state must be a string, a network state or { node, document }, not undefined'],
    ['null', [null], 'not null'],
    ['a number', [5], 'not a number'],
    ['a list of interfaces', [[{ name: 'a' }]], 'not an array'],
    ['bytes', [new Uint8Array(3)], 'not a Uint8Array'],
    ['a node alone', [{ node }], 'state.document must be an object, not undefined'],
    ['a document alone', [{ document: { range: () => undefined } }], 'state.node must be an object, not undefined'],
    ['a mode without its name', ['', 'strict'], 'options must be an object, not a string'],
    ['options of null', ['', null], 'options must be'],
  ])('are named: %s', (_, parameters, message) => {
    const call = generateKeyfiles as (...given: unknown[]) => unknown;
    const named = expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) });
    expect(() => call(...parameters)).toThrow(named);
    if (parameters.length === 1) expect(() => (judgeState as typeof call)(...parameters)).toThrow(named);
  });

  test('are named: undefined for a listing', () => {
    expect(() => formatGcListing(undefined as never)).toThrow('keyfiles must be an array, not undefined');
  });
});
