import {
  goYaml,
  json,
  type Node,
  parseJson,
  parseYaml,
  type ScalarNode,
  serdeYaml,
  valueOrThrow,
} from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RESOLVER_TABLE, TAG_TABLE } from './resolver-table.ts';

/** Ways to put a scalar into a text, and to find its node again. */
const PLACES: readonly { name: string; write: (scalar: string) => string; find: (root: Node) => Node | undefined }[] = [
  { name: 'the whole text', write: (scalar) => scalar, find: (root) => root },
  { name: 'a block value', write: (scalar) => `k: ${scalar}\n`, find: (root) => entry(root)?.value },
  { name: 'a value on its own line', write: (scalar) => `k:\n  ${scalar}\nl: 1\n`, find: (root) => entry(root)?.value },
  { name: 'a block key', write: (scalar) => `${scalar}: v\n`, find: (root) => entry(root)?.key },
  { name: 'an explicit key', write: (scalar) => `? ${scalar}\n: v\n`, find: (root) => entry(root)?.key },
  { name: 'a block item', write: (scalar) => `- ${scalar} # comment\n- x\n`, find: (root) => item(root) },
  { name: 'a flow value', write: (scalar) => `{k: ${scalar}, l: 1}`, find: (root) => entry(root)?.value },
  { name: 'a flow key', write: (scalar) => `{ ${scalar} : v}`, find: (root) => entry(root)?.key },
  { name: 'a flow item', write: (scalar) => `[ ${scalar} , x]`, find: (root) => item(root) },
  { name: 'an anchored item', write: (scalar) => `- &a ${scalar}\n- *a\n`, find: (root) => item(root, 1) },
];

describe('a plain scalar has the value in the table', () => {
  const rows = fc.constantFrom(...RESOLVER_TABLE);
  const places = fc.constantFrom(...PLACES);

  test('in every position', () => {
    fc.assert(
      fc.property(rows, places, (row, { write, find }) => {
        const node = scalarOf(write(row.text), find);
        expect(goYaml(node)).toEqual(row.goYaml);
        expect(serdeYaml(node)).toEqual(row.serdeYaml);
      }),
      { numRuns: 2000 },
    );
  });

  test('and is text if it is quoted or tagged as text', () => {
    const disguises = fc.constantFrom(
      (text: string) => `'${text}'`,
      (text: string) => `"${text}"`,
      (text: string) => `!!str ${text}`,
      (text: string) => `!!str "${text}"`,
    );
    fc.assert(
      fc.property(rows, places, disguises, (row, { write, find }, disguise) => {
        const node = scalarOf(write(disguise(row.text)), find);
        expect([goYaml(node), serdeYaml(node)]).toEqual([row.text, row.text]);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(RESOLVER_TABLE.filter((row) => 'json' in row))('JSON reads $text', ({ text, json: expected }) => {
    for (const [source, find] of [
      [text, (root: Node) => root],
      [`[${text}]`, (root: Node) => item(root)],
      [`{"k": ${text} }`, (root: Node) => entry(root)?.value],
    ] as const) {
      const { root } = valueOrThrow(parseJson(source));
      expect(json(find(root!) as ScalarNode)).toEqual(expected);
    }
  });

  test.each(RESOLVER_TABLE.filter((row) => !('json' in row)))('JSON refuses $text', ({ text }) => {
    expect(parseJson(text).ok).toBe(false);
  });

  test('a block scalar is text', () => {
    for (const header of ['|-', '>-']) {
      const node = scalarOf(`${header}\n  12\n`, (root) => root);
      expect([goYaml(node), serdeYaml(node)]).toEqual(['12', '12']);
    }
  });

  test('an empty scalar is null', () => {
    for (const [text, find] of [
      ['k:', (root: Node) => entry(root)?.value],
      ['-', (root: Node) => item(root)],
      ['{k: }', (root: Node) => entry(root)?.value],
      ['&a', (root: Node) => root],
    ] as const) {
      const node = scalarOf(text, find);
      expect([goYaml(node), serdeYaml(node)]).toEqual([null, null]);
    }
  });
});

test.each(TAG_TABLE)('a tag decides: $source', ({ source, goYaml: go, serdeYaml: serde }) => {
  const node = scalarOf(source, (root) => root);
  expect(goYaml(node)).toEqual(go === undefined ? node.text : go);
  expect(serdeYaml(node)).toEqual(serde === undefined ? node.text : serde);
});

test('a huge number of digits is quickly rejected as an integer', () => {
  const digits = '9'.repeat(1_000_000);
  const node = scalarOf(digits, (root) => root);
  expect([goYaml(node), serdeYaml(node), json(node)]).toEqual([digits, digits, Number.POSITIVE_INFINITY]);
  const zeros = scalarOf(`0x${'0'.repeat(1_000_000)}1f`, (root) => root);
  expect([goYaml(zeros), serdeYaml(zeros)]).toEqual([31n, 31n]);
});

function scalarOf(text: string, find: (root: Node) => Node | undefined): ScalarNode {
  const { root } = valueOrThrow(parseYaml(text)[0]);
  const node = root === undefined ? undefined : find(root);
  if (node?.kind !== 'scalar') throw new Error(`no scalar in ${text}`);
  return node;
}

function entry(root: Node) {
  return root.kind === 'mapping' ? root.entries[0] : undefined;
}

function item(root: Node, position = 0): Node | undefined {
  return root.kind === 'sequence' ? root.items[position] : undefined;
}
