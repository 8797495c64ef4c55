import { type Node, parseYaml, valueOrThrow } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { childrenOf, everyNode, shapeOf } from './tree.ts';
import { treeWriter } from './writers.ts';

const tree = treeWriter({ keys: 3 });

function parse(text: string): Node {
  const { root } = valueOrThrow(parseYaml(text)[0]);
  if (root === undefined) throw new Error('empty document');
  return root;
}

/** The source of every node, parents before children. */
function sources(text: string): string[] {
  return everyNode(parse(text)).map(({ start, end }) => text.slice(start, end));
}

test.each([
  ['a plain scalar', 'a b  # c', ['a b']],
  ['quotes', `- 'it''s'\n- "\\""`, [`- 'it''s'\n- "\\""`, "'it''s'", '"\\""']],
  ['a scalar over several lines', 'k: a\n  b\n\nl: c', ['k: a\n  b\n\nl: c', 'k', 'a\n  b', 'l', 'c']],
  [
    'a literal block with its header',
    'k: |- # c\n  a\n\nl: b',
    ['k: |- # c\n  a\n\nl: b', 'k', '|- # c\n  a\n\n', 'l', 'b'],
  ],
  ['a block in a list, not the dash', '- >\n  a\n- b', ['- >\n  a\n- b', '>\n  a\n', 'b']],
  ['a block that the text ends within', '|\n  a', ['|\n  a']],
  [
    'flow collections with their brackets',
    'k: [a, {b: c} ]  # d',
    ['k: [a, {b: c} ]', 'k', '[a, {b: c} ]', 'a', '{b: c}', 'b', 'c'],
  ],
  ['brackets in comments', '[a, # ]\n b # }\n]', ['[a, # ]\n b # }\n]', 'a', 'b']],
  [
    'a pair in a list',
    '[a: b, {c: d}: e]',
    ['[a: b, {c: d}: e]', 'a: b', 'a', 'b', '{c: d}: e', '{c: d}', 'c', 'd', 'e'],
  ],
  ['empty flow collections', '[[ ], { }]', ['[[ ], { }]', '[ ]', '{ }']],
  ['an anchor and a tag with their node', 'k: &a !!str x', ['k: &a !!str x', 'k', '&a !!str x']],
  ['properties without content', 'k: &a !!str\nl: m', ['k: &a !!str\nl: m', 'k', '&a !!str', 'l', 'm']],
  ['properties on the line before', 'k: &a\n  l: m', ['k: &a\n  l: m', 'k', '&a\n  l: m', 'l', 'm']],
  ['items no deeper than their key', 'k:\n- a\n- b\nl: c', ['k:\n- a\n- b\nl: c', 'k', '- a\n- b', 'a', 'b', 'l', 'c']],
  ['an explicit key', '? a\n: b', ['? a\n: b', 'a', 'b']],
  ['a mapping in a list', '- a: b\n  c: d\n- e', ['- a: b\n  c: d\n- e', 'a: b\n  c: d', 'a', 'b', 'c', 'd', 'e']],
  ['a wide character', '- 😀 é\n- x', ['- 😀 é\n- x', '😀 é', 'x']],
  ['CR LF', 'a: b\r\nc: |\r\n  d\r\n', ['a: b\r\nc: |\r\n  d\r\n', 'a', 'b', 'c', '|\r\n  d\r\n']],
])('nodes have their exact extent: %s', (_, text, expected) => {
  expect(sources(text)).toEqual(expected);
});

test.each([
  ['a value', 'a:   # c\nb: 1', 2],
  ['a value before a comment line', 'a:\n# c\nb: 1', 2],
  ['a last value', 'a:', 2],
  ['an item', '-\n- x', 1],
  ['a flow value', '{a: , b: 1}', 3],
  ['a flow key without value', '{a, b: 1}', 2],
  ['an explicit key', '?\n: x', 1],
])('an empty scalar is after the token that needs it: %s', (_, text, place) => {
  const nothing = everyNode(parse(text)).find((node) => node.kind === 'scalar' && node.text === '');
  expect(nothing).toMatchObject({ start: place, end: place });
});

test('an alias is the node that it names, at the place of its anchor', () => {
  const root = parse('- &a {x: 1}\n- *a\n');
  if (root.kind !== 'sequence') throw new Error('not a list');
  expect(root.items[1]).toBe(root.items[0]);
  expect(root).toMatchObject({ start: 0, end: 16 });
});

test('lines and columns count from one, columns in characters', () => {
  const text = 'a: 1\r\nb: [😀, x]\rc: y';
  const document = valueOrThrow(parseYaml(text)[0]);
  const places = everyNode(document.root!).map((node) => {
    const { start, end } = document.range(node);
    return `${start.line}:${start.column}-${end.line}:${end.column}`;
  });
  expect(places).toEqual([
    '1:1-3:5',
    '1:1-1:2',
    '1:4-1:5',
    '2:1-2:2',
    '2:4-2:10',
    '2:5-2:6',
    '2:8-2:9',
    '3:1-3:2',
    '3:4-3:5',
  ]);
});

test('the source of every node parses to the same node', () => {
  fc.assert(
    fc.property(tree, (write) => {
      const text = write(0, false);
      for (const node of everyNode(parse(text))) {
        const source = text.slice(node.start, node.end);
        if (source === '') continue;
        const column = node.start - (text.lastIndexOf('\n', node.start - 1) + 1);
        const isBlock = /^[|>]/.test(source);
        const again = parse(isBlock ? `x: ${source}` : ' '.repeat(column) + source);
        const read = isBlock && again.kind === 'mapping' ? again.entries[0]!.value : again;
        expect(shapeOf(read)).toEqual(shapeOf(node));
      }
    }),
    { numRuns: 500 },
  );
});

test('children are inside their parent, in order', () => {
  fc.assert(
    fc.property(tree, (write) => {
      for (const node of everyNode(parse(write(0, false)))) {
        let place = node.start;
        for (const child of childrenOf(node)) {
          expect(child.start).toBeGreaterThanOrEqual(place);
          expect(child.end).toBeGreaterThanOrEqual(child.start);
          place = child.end;
        }
        expect(node.end).toBeGreaterThanOrEqual(place);
      }
    }),
    { numRuns: 500 },
  );
});
