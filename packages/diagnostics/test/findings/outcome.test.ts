import {
  DiagnosticsError,
  diagnostic,
  fail,
  json,
  member,
  parseJson,
  parseYaml,
  type ScalarNode,
  serdeYaml,
  succeed,
  toPlain,
  valueOrThrow,
} from '@coreiso/diagnostics';
import { expect, test } from 'vitest';

test('a diagnostic about a node points at it', () => {
  const document = valueOrThrow(parseYaml('hosts:\n- name: x')[0]);
  const root = document.root!;
  const place = root.kind === 'mapping' ? root.entries[0]!.key : root;
  expect(diagnostic({ code: 'a/b', message: 'm', path: ['hosts'], help: 'c' }, document.range(place))).toEqual({
    severity: 'error',
    code: 'a/b',
    message: 'm',
    path: ['hosts'],
    range: { start: { offset: 0, line: 1, column: 1 }, end: { offset: 5, line: 1, column: 6 } },
    help: 'c',
  });
});

test('a diagnostic has no member for a missing value', () => {
  expect(diagnostic({ code: 'a/b', message: 'm', help: undefined })).toStrictEqual({
    severity: 'error',
    code: 'a/b',
    message: 'm',
    path: [],
  });
});

test('a diagnostic has the fixes that exist', () => {
  const fix = { title: 't', edits: [], safe: true };
  expect(diagnostic({ code: 'a/b', message: 'm', fixes: [undefined, fix] }).fixes).toEqual([fix]);
  expect(diagnostic({ code: 'a/b', message: 'm', fixes: [undefined] })).not.toHaveProperty('fixes');
  expect(diagnostic({ code: 'a/b', message: 'm', arguments: { x: 1 } }).arguments).toEqual({ x: 1 });
});

test('a success returns its value, a failure throws its findings', () => {
  expect(valueOrThrow(succeed(1, [diagnostic({ code: 'a/b', message: 'm', severity: 'warning' })]))).toBe(1);
  const warning = diagnostic({ code: 'a/w', message: 'odd', severity: 'warning' });
  const place = { offset: 4, line: 2, column: 3 };
  const error = diagnostic({ code: 'a/e', message: 'wrong' }, { start: place, end: place });
  try {
    valueOrThrow(fail(warning, error, error));
    expect.unreachable();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(DiagnosticsError);
    expect(thrown).toMatchObject({ message: '2:3: wrong (and 1 more)', diagnostics: [warning, error, error] });
  }
});

test('a single error is not counted', () => {
  const place = { offset: 4, line: 2, column: 3 };
  const warning = diagnostic({ code: 'a/w', message: 'odd', severity: 'warning' });
  const error = diagnostic({ code: 'a/e', message: 'wrong' }, { start: place, end: place });
  expect(() => valueOrThrow(fail(error, warning))).toThrow(/^2:3: wrong$/);
});

test('a failure without findings still has a message', () => {
  expect(() => valueOrThrow(fail())).toThrow('the text was refused');
});

test('a member is found by name; the last of several wins', () => {
  const { root } = valueOrThrow(parseYaml('a: 1\nb: 2\na: 3\n[a]: 4')[0]);
  if (root?.kind !== 'mapping') throw new Error('not a mapping');
  expect(member(root, 'a')?.value).toMatchObject({ text: '3' });
  expect(member(root, 'c')).toBeUndefined();
});

test('plain values have no prototype that could be polluted', () => {
  const { root } = valueOrThrow(parseJson('{"__proto__": {"x": 1}, "a": [null, "b", 1.5]}'));
  const value = toPlain(root!, json) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['__proto__', 'a']);
  expect(value['a']).toEqual([null, 'b', 1.5]);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('the deepest text is converted to plain values without a stack overflow', () => {
  const { root } = valueOrThrow(parseJson('['.repeat(10_000) + ']'.repeat(10_000)));
  expect(Array.isArray(toPlain(root!, json))).toBe(true);
});

test('members can be left out or renamed by a resolver that reads keys', () => {
  const { root } = valueOrThrow(parseYaml('a: 1\nb: 2\n? [c]\n: 3')[0]);
  expect(
    toPlain(
      root!,
      Object.assign((node: ScalarNode) => serdeYaml(node), {
        key: ({ text }: ScalarNode) => (text === 'a' ? 'A' : undefined),
      }),
    ),
  ).toEqual({ A: 1n });
});
