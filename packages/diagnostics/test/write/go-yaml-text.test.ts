import { readFileSync } from 'node:fs';
import { asGoWrites, goYaml, type Node, type Plain, parseYaml, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareKeys } from '../../src/write/go-yaml-text.ts';
import { everyNode, shapeOf } from '../yaml/tree.ts';

interface Recording {
  readonly what: string;
  readonly json: string;
  readonly yaml: string;
}

/** The texts that `yaml.JSONToYAML` of sigs.k8s.io/yaml 1.6.0 wrote for each value. */
const recordings: Recording[] = JSON.parse(readFileSync(new URL('./go-yaml-text.json', import.meta.url), 'utf8'));

/** The same of random values, as JSON. */
const values: [json: string, yaml: string][] = JSON.parse(
  readFileSync(new URL('./go-yaml-values.json', import.meta.url), 'utf8'),
);

function read(text: string): Plain {
  const root = rootOf(text);
  return root === undefined ? null : toPlain(root, goYaml);
}

function rootOf(text: string): Node | undefined {
  const [document] = parseYaml(text, { flavour: 'go' });
  if (!document.ok) throw new Error(document.diagnostics[0]?.message);
  return document.value.root;
}

/** Texts whose style is easy to get wrong. */
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', ':', '-', '#', '"', "'", 'y', '1', '0', '\t', 'é', '\u00a0', '\r', '😀'),
});
const { value } = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Plain>(null, true, 7n, 1.5),
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
}));

describe('values are written as sigs.k8s.io/yaml writes them', () => {
  test.each(recordings)('$what', ({ json, yaml }) => {
    expect(writeGoYaml(read(json))).toBe(yaml);
  });

  test('so are random ones', () => {
    expect(values.map(([json]) => [json, writeGoYaml(read(json))])).toEqual(values);
  });

  test('and read back as the same values', () => {
    fc.assert(
      fc.property(value, (plain) => {
        expect(read(writeGoYaml(plain))).toEqual(plain);
      }),
    );
  });
});

test.each([
  [0.0001, '0.0001'],
  [0.00012, '0.00012'],
  [0.00001, '1e-05'],
  [-0.0001, '-0.0001'],
  [999999, '999999'],
  [Number.NEGATIVE_INFINITY, '-.inf'],
  [Number.NaN, '.nan'],
])('%d is written as %s', (number, written) => {
  expect(writeGoYaml(number)).toBe(`${written}\n`);
});

describe('nodes of a value that a Go program passes on as text', () => {
  test.each([
    ['words of YAML 1.1', 'a: yes\nb: Off\nc: ~', 'a: true\nb: false\nc: null\n'],
    ['octal, hexadecimal and binary', '[010, 0x1F, 0b11, 1_000]', '- 8\n- 31\n- 3\n- 1000\n'],
    ['floats', '[1.0, 1e3, 1.50]', '- 1\n- 1000\n- 1.5\n'],
    [
      'keys of any kind, sorted, the last of equal ones',
      '{b: 1, a10: 2, a9: 3, 010: 4, b: 5}',
      '"8": 4\na9: 3\na10: 2\nb: 5\n',
    ],
    [
      'text that looks like something else',
      '["yes", "1", "a b", !!str 5, !!binary YQ==]',
      '- "yes"\n- "1"\n- a b\n- "5"\n- a\n',
    ],
  ])('are those of that text: %s', (_, written, handedOn) => {
    const root = rootOf(written);
    if (root === undefined) throw new Error('nothing was written');
    expect(writeGoYaml(toPlain(root, goYaml))).toBe(handedOn);
    expect(shapeOf(asGoWrites(root))).toEqual(shapeOf(rootOf(handedOn) ?? root));
  });

  test('are those of any such text', () => {
    fc.assert(
      fc.property(value, (plain) => {
        const root = rootOf(
          JSON.stringify(plain, (_, member) => (typeof member === 'bigint' ? Number(member) : member)),
        );
        if (root === undefined) throw new Error('nothing was written');
        const again = rootOf(writeGoYaml(toPlain(root, goYaml)));
        expect(shapeOf(asGoWrites(root))).toEqual(again && shapeOf(again));
      }),
    );
  });

  test('have their original places', () => {
    const root = rootOf('b: [yes, &n {y: 010}]\na: *n\n');
    if (root === undefined) throw new Error('nothing was written');
    const places = (node: Node): string[] => everyNode(node).map(({ kind, start, end }) => `${kind} ${start}-${end}`);
    expect(places(asGoWrites(root)).toSorted()).toEqual(places(root).toSorted());
  });
});

/** By go-yaml's rules: numbers by their value, letters after everything else, leading zeros last. */
test.each<[a: string, b: string, order: number]>([
  ['a', 'b', -1],
  ['a', 'a', 0],
  ['a', 'aa', -1],
  ['a1', 'a2', -1],
  ['a2', 'a10', -1],
  ['a02', 'a2', 1],
  ['a1', 'ab', -1],
  ['a', '1', 1],
  ['1', '01', -1],
  ['10', '9', 1],
  ['a-1', 'a1', -1],
  ['a_b', 'aB', -1],
  ['A', 'a', -1],
  ['é', 'z', 1],
  ['a100', 'a1000', -1],
  ['a10', 'a100', -1],
  ['a1b2', 'a1b10', -1],
  ['v1.10', 'v1.9', 1],
  ['a0', 'a00', -1],
  ['1a', 'a1', -1],
  ['', 'a', -1],
  ['a.b', 'a0', -1],
  ['١', '2', 1],
  ['a101', 'a11', 1],
  ['a001', 'a01', 1],
  ['a100b', 'a10b', -1],
  ['😀', '￿', 1],
  ['99999999999999999999', '1', 1],
  ['a1', 'a', 1],
  ['k120', 'k1200', -1],
  ['a-', 'a1', -1],
])('orders the keys %j and %j as %i', (a, b, order) => {
  expect([Math.sign(compareKeys(a, b)), Math.sign(compareKeys(b, a)) || 0]).toEqual([order, -order || 0]);
});

test('writes a node with several aliases once', () => {
  const root = rootOf('a: &n [yes]\nb: *n\nc: [*n]\n');
  const again = root && asGoWrites(root);
  if (again?.kind !== 'mapping') throw new Error('no mapping');
  const [a, b, c] = again.entries.map(({ value: one }) => one);
  expect(b).toBe(a);
  expect(c?.kind === 'sequence' && c.items[0]).toBe(a);
});
