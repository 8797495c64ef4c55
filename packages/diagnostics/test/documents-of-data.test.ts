import { documentOf, goYaml, json, type Node, serdeYaml, toPlain } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';

function root(value: unknown): Node | undefined {
  const outcome = documentOf(value);
  if (!outcome.ok) throw new Error(outcome.diagnostics[0]?.message);
  return outcome.value.root;
}

test.each<[value: unknown, text: string, style: string]>([
  ['a', 'a', 'double'],
  ['1', '1', 'double'],
  [1, '1', 'plain'],
  [7n, '7', 'plain'],
  [true, 'true', 'plain'],
  [null, 'null', 'plain'],
  [Number.NaN, '.nan', 'plain'],
  [Number.POSITIVE_INFINITY, '.inf', 'plain'],
  [Number.NEGATIVE_INFINITY, '-.inf', 'plain'],
])('reads %s as the scalar %s', (value, text, style) => {
  expect(root(value)).toEqual({ kind: 'scalar', text, style, tag: undefined, start: 0, end: 0 });
});

test('gives data the same meaning for every reader, and leaves out undefined members', () => {
  const node = root({ a: [1, 'x', { b: null }], c: undefined, yes: true, d: [undefined] });
  for (const reader of [goYaml, serdeYaml, json]) {
    expect(
      JSON.stringify(node && toPlain(node, reader), (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    ).toBe('{"a":[1,"x",{"b":null}],"yes":true,"d":[null]}');
  }
  const keys = node?.kind === 'mapping' ? node.entries.map(({ key }) => key.kind === 'scalar' && key.style) : [];
  expect(keys).toEqual(['double', 'double', 'double']);
});

const nested = (levels: number): unknown =>
  levels === 0 ? 1 : levels % 2 === 0 ? [nested(levels - 1)] : { a: nested(levels - 1) };

test('refuses functions, symbols and data that is nested too deep, with their place', () => {
  const refusal = (value: unknown) => {
    const outcome = documentOf(value);
    return outcome.ok ? undefined : outcome.diagnostics.map(({ code, message, path }) => [code, message, path.length]);
  };
  expect(refusal({ a: [() => {}] })).toEqual([
    ['diagnostics/no-data', 'a value of type function cannot be part of a document', 2],
  ]);
  expect(refusal({ a: Symbol('x') })).toEqual([
    ['diagnostics/no-data', 'a value of type symbol cannot be part of a document', 1],
  ]);
  expect(refusal(undefined)).toEqual([
    ['diagnostics/no-data', 'a value of type undefined cannot be part of a document', 0],
  ]);
  expect(refusal(nested(128))).toBeUndefined();
  expect(refusal(nested(129))).toEqual([['diagnostics/too-deep', 'the data is nested more than 128 levels deep', 129]]);
});
