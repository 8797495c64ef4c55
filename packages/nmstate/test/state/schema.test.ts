import { parseYaml, serdeYaml, toPlain } from '@coreiso/diagnostics';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { networkStateSchema } from '../../src/schema.ts';

const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false, allErrors: true });
const validate = ajv.compile(networkStateSchema());
const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));

/** The data as an editor reads it. */
function data(text: string): unknown {
  const [document] = parseYaml(text.replaceAll('\u00a0', ' '));
  const root = document.ok ? document.value.root : undefined;
  if (root === undefined) return {};
  return toPlain(root, (node) => {
    const value = serdeYaml(node);
    return typeof value === 'bigint' ? Number(value) : value;
  });
}

const recordings = goldens.paths(/\.yml$/).map((path) => {
  const name = path.replace(/\.yml$/, '');
  return {
    name,
    input: goldens.text(path),
    ...goldens.json<{ files?: unknown[]; error?: { kind: string | null } }>(`${name}.json`),
  };
});

/** Policies, and values that nmstate drops silently. */
const BEYOND = /^(?:policy-|ovs-external-ids$|yaml-inf-nan$)/;

describe('the schema accepts the same as nmstate', () => {
  const accepted = recordings.filter(({ name, files }) => files !== undefined && !BEYOND.test(name));
  test.each(accepted)('$name', ({ input }) => {
    expect(validate(data(input)) || validate.errors).toBe(true);
  });
});

test('the schema refuses most of what the parser of nmstate refuses', () => {
  const refused = recordings.filter(({ error }) => error?.kind === null);
  const caught = refused.filter(({ input }) => !validate(data(input)));
  expect(caught.length).toBeGreaterThan(refused.length * 0.8);
});

describe('the schema refuses', () => {
  test.each([
    ['an unknown key at the top', { interface: [] }],
    ['an unknown key of an interface', { interfaces: [{ name: 'a', type: 'dummy', bridge: {} }] }],
    ['the section of another type', { interfaces: [{ name: 'a', type: 'bond', vlan: { id: 1 } }] }],
    ['an unknown word', { interfaces: [{ name: 'a', type: 'bond', 'link-aggregation': { mode: 'turbo' } }] }],
    ['a number out of range', { interfaces: [{ name: 'a', type: 'vlan', vlan: { id: 65536 } }] }],
    ['an interface without name', { interfaces: [{ type: 'dummy' }] }],
    ['IPv6 words in IPv4', { interfaces: [{ name: 'a', type: 'dummy', ipv4: { autoconf: true } }] }],
  ])('%s', (_, state) => {
    expect(validate(state)).toBe(false);
  });
});

test('the schema describes every key', () => {
  const schema = networkStateSchema() as {
    definitions: Record<string, { properties?: Record<string, { description?: string }> }>;
  };
  for (const { properties = {} } of Object.values(schema.definitions)) {
    for (const [key, { description }] of Object.entries(properties)) {
      if (key !== 'name' && key !== 'type') expect(description).toMatch(/\.$/);
    }
  }
});
