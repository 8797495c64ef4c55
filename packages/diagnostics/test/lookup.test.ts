import { member, nodeAt, parseYaml } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';

/** A mapping with keys that are collections and keys that occur twice. */
function mapping(others: number) {
  const lines = Array.from({ length: others }, (_, index) => `k${index}: ${index}\n`).join('');
  const [document] = parseYaml(`a: 1\n${lines}[a]: 2\na: 3\n`);
  if (!document.ok || document.value.root?.kind !== 'mapping') throw new Error('no mapping');
  return document.value.root;
}

const text = (node: ReturnType<typeof nodeAt> | undefined) => (node?.kind === 'scalar' ? node.text : node?.kind);

describe.each([0, 13, 14, 40])('a mapping of %i more members', (others) => {
  test('returns the last of several entries, searched or indexed', () => {
    const root = mapping(others);
    expect(text(member(root, 'a')?.value)).toBe('3');
    expect(member(root, 'b')).toBeUndefined();
    expect(member(root, '')).toBeUndefined();
    if (others > 0) expect(text(member(root, `k${others - 1}`)?.value)).toBe(`${others - 1}`);
  });
});

test('follows a path as far as it exists', () => {
  const [document] = parseYaml('a: [x, {b: y}]\n');
  if (!document.ok || document.value.root === undefined) throw new Error('nothing');
  const { root } = document.value;
  const at = (...path: (string | number)[]) => text(nodeAt(root, path));
  expect([at(), at('a'), at('a', 0), at('a', 1, 'b')]).toEqual(['mapping', 'sequence', 'x', 'y']);
  expect([at('b'), at('a', 7), at('a', 'b'), at(0), at('a', 0, 'b'), at('a', 1, 0)]).toEqual([
    ...['mapping', 'sequence', 'sequence', 'mapping', 'x', 'mapping'],
  ]);
  expect(text(nodeAt(root, ['A', 0], (node, name) => member(node, name.toLowerCase())))).toBe('x');
});
