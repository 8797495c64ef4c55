// The output of `nmstatectl format` 2.2.62 for the recorded states, as digests of its data with the members in its order.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseYaml, valueOrThrow } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { readState } from '../../src/state/read-state.ts';
import { writtenState } from '../../src/state/written.ts';

const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));
const formatted: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../goldens/formatted.json', import.meta.url), 'utf8'),
);

function written(text: string): unknown {
  const { root } = valueOrThrow(parseYaml(text, { flavour: 'libyaml' })[0]);
  return writtenState(readState(root, 'yaml', []).state, root);
}

const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? Number(member) : member));

test('writes a state as nmstate does', () => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const ours = Object.keys(formatted).map((name) => {
    const json = asJson(written(decoder.decode(goldens.bytes(`${name}.yml`))));
    return [name, createHash('sha256').update(json).digest('hex').slice(0, 16)];
  });
  expect(Object.fromEntries(ours)).toEqual(formatted);
});

test('writes InfiniBand keys with four digits', () => {
  const text =
    'interfaces:\n- {name: ib0.1, type: infiniband, infiniband: {pkey: 1, mode: datagram, base-iface: ib0}}\n';
  expect(asJson(written(text))).toContain('"pkey":"0x0001"');
});

test('sorts interfaces with the same name by type', () => {
  const types = ['ovs-bridge', 'ovs-interface', 'ipsec'];
  const text = `interfaces:\n${types
    .toReversed()
    .map((type) => `- {name: a, type: ${type}}\n`)
    .join('')}`;
  const { interfaces } = JSON.parse(asJson(written(text)));
  expect(interfaces.map(({ type }: { type: string }) => type)).toEqual(types);
});
