import { factExpiries, factsFromObjects } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';

import { workerEndpoint } from '../../src/facts/facts.ts';

import { collectObjects, ObjectStore } from '../../src/facts/objects.ts';

const collected = (input: unknown): unknown => {
  const outcome = collectObjects(input);
  return outcome.ok ? outcome.value : outcome.diagnostics;
};

describe('exported objects are found', () => {
  test.each<[string, unknown, unknown]>([
    ['alone', { kind: 'A' }, [{ kind: 'A' }]],
    ['in lists of lists', [[{ kind: 'A' }], { items: [{ kind: 'B' }] }], [{ kind: 'A' }, { kind: 'B' }]],
    [
      'in a typed list, whose items do not say what they are',
      { kind: 'NodeList', items: [{ a: 1 }] },
      [{ a: 1, kind: 'Node' }],
    ],
    ['in a typed list, whose items do', { kind: 'NodeList', items: [{ kind: 'Other' }] }, [{ kind: 'Other' }]],
    ['in a list without a type', { items: [{ a: 1 }] }, [{ a: 1 }]],
    ['in a list of texts and objects', ['kind: A', { kind: 'B' }], [{ kind: 'A' }, { kind: 'B' }]],
    ['in bytes', new TextEncoder().encode('kind: A\n---\n---\nkind: B\n'), [{ kind: 'A' }, { kind: 'B' }]],
    ['with numbers as numbers', 'a: 1\nb: [2, {c: 3.5}]\nd: null\n', [{ a: 1, b: [2, { c: 3.5 }], d: null }]],
    ['among what is none', [1, null, 'kind: A', undefined, true], [{ kind: 'A' }]],
    ['with items that are no list', { kind: 'A', items: 7 }, [{ kind: 'A', items: 7 }]],
    ['in nothing', undefined, []],
  ])('%s', (_, input, objects) => {
    expect(collected(input)).toEqual(objects);
  });

  test('but a text that cannot be read is refused, with its position in a list', () => {
    const refusal = {
      code: 'diagnostics/yaml-syntax',
      message: expect.stringMatching(/^cannot read the exported objects: /),
    };
    expect(collected('a: [b')).toMatchObject([{ ...refusal, path: [] }]);
    expect(collected([{}, {}, 'a: [b'])).toMatchObject([{ ...refusal, path: [2] }]);
  });
});

describe('a store of objects', () => {
  const store = new ObjectStore([
    { kind: 'Secret', metadata: { name: 'a', namespace: 'one' }, is: 'in one' },
    { kind: 'Secret', metadata: { name: 'b' }, is: 'anywhere' },
    { kind: 'Other', metadata: { name: 'a', namespace: 'two' } },
  ]);

  test.each([
    ['Secret', 'a', 'one', 'in one'],
    ['Secret', 'a', undefined, 'in one'],
    ['Secret', 'a', 'two', undefined],
    ['Secret', 'b', 'two', 'anywhere'],
    ['Secret', 'c', undefined, undefined],
    ['Node', 'a', undefined, undefined],
  ])('%s %s of namespace %s is %s', (kind, name, namespace, is) => {
    expect(store.find(kind, name, namespace)?.['is']).toBe(is);
  });

  test.each<[string, object, string | undefined]>([
    ['a refusal by reason', { reason: 'Forbidden', details: { kind: 'secrets', name: 'a' } }, 'no'],
    ['a refusal by number', { code: 403, details: { kind: 'secrets', name: 'a' } }, 'no'],
    ['a refusal of all of them', { code: 403, details: { kind: 'secrets' } }, 'no'],
    ['a refusal of another', { code: 403, details: { kind: 'secrets', name: 'b' } }, undefined],
    ['a refusal of other things', { code: 403, details: { kind: 'nodes', name: 'a' } }, undefined],
    ['another answer', { code: 404, details: { kind: 'secrets', name: 'a' } }, undefined],
  ])('answers for %s', (_, status, message) => {
    const refusals = new ObjectStore([{ kind: 'Status', message: 'no', ...status }]);
    expect(refusals.refusal('secrets', 'a')).toBe(message);
  });
});

test('a missing object is reported with the command that prints it', () => {
  const { ok, diagnostics } = factsFromObjects([]);
  expect(ok).toBe(false);
  expect(diagnostics.map(({ code, message, help }) => [code, message, help])).toEqual(
    [
      ['clusterversions.config.openshift.io', 'version', ''],
      ['proxies.config.openshift.io', 'cluster', ''],
      ['secrets', 'pull-secret', ' -n openshift-config'],
      ['infrastructures.config.openshift.io', 'cluster', ''],
    ].map(([resource, name, namespace]) => [
      'nodes-config/cluster-object',
      `${resource} "${name}" not found`,
      `Add the output of \`oc get ${resource}${namespace} ${name} -o yaml\`.`,
    ]),
  );
});

test.each([
  ['clusterversions', 'version'],
  ['proxies', 'cluster'],
  ['secrets', 'pull-secret'],
  ['infrastructures', 'cluster'],
  ['configmaps', 'user-ca-bundle'],
])('%s that may not be read are reported in the cluster\u2019s words', (kind, name) => {
  const status = { kind: 'Status', code: 403, message: `${kind} are secret`, details: { kind, name } };
  const { diagnostics } = factsFromObjects([status]);
  expect(diagnostics.map(({ message }) => message)).toContain(`${kind} are secret`);
  expect(diagnostics).toHaveLength(kind === 'configmaps' ? 5 : 4);
});

describe('the address of a worker\u2019s config', () => {
  const from = (...sources: (string | null)[]) =>
    workerEndpoint({ ignition: { version: '3.2.0', config: { merge: sources.map((source) => ({ source })) } } })?.href;

  test.each([
    [['https://a.test/x'], 'https://a.test/x'],
    [['http://a.test/x'], 'http://a.test/x'],
    [[null, 'data:,{}', 'https://a.test/x', 'https://b.test/x'], 'https://a.test/x'],
    [['data:,{}'], undefined],
    [['https://'], undefined],
    [[], undefined],
  ])('%j', (sources, endpoint) => {
    expect(from(...sources)).toBe(endpoint);
  });

  test('is unknown without user data', () => {
    expect(workerEndpoint(undefined)).toBeUndefined();
    expect(workerEndpoint({ ignition: { version: '3.2.0' } })).toBeUndefined();
  });
});

test('a wrong argument for facts is refused', () => {
  expect(() => factExpiries(7 as never)).toThrow(/^facts must be /);
  expect(factExpiries({})).toEqual([]);
});
