import {
  applyEdits,
  type Change,
  editsFor,
  goYaml,
  type Node,
  type Path,
  type Plain,
  parseJson,
  parseYaml,
  type TextDocument,
  toPlain,
  valueOrThrow,
} from '@coreiso/diagnostics';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { treeWriter } from '../yaml/writers.ts';
import { after } from './changed-data.ts';

const read = (text: string): TextDocument => valueOrThrow(parseYaml(text)[0]);
const dataOf = (document: TextDocument): Plain => (document.root === undefined ? null : toPlain(document.root, goYaml));
/** Includes the order of members, which equality ignores. */
const shown = (value: Plain): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? { integer: String(part) } : part));

const value: fc.Arbitrary<Plain> = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Plain>(
      'x',
      'yes',
      '0644',
      '1:20',
      'a: b',
      '- a',
      '# c',
      '',
      ' lead',
      "it's",
      'tab\t',
      'l1\nl2',
      'l1\nl2\n',
      'é',
      '@x',
      'x #y',
      '[z',
      '\u0085',
      '52:54:00:00:00:01',
    ),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt({ min: -99n, max: 9999n }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('k', 'l', 'no', 'm n', '1'), tie('value'), { maxKeys: 3, noNullPrototype: false }),
  ),
})).value;

/** Texts with comments and the line ends of other systems, and JSON. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(treeWriter({ keys: 9 }), fc.array(fc.nat(), { maxLength: 3 }), fc.boolean())
    .map(([write, places, isWindows]) => {
      const plain = write(0, false);
      const lines = plain.split('\n');
      for (const [index, place] of places.entries()) {
        const at = place % lines.length;
        const commented = lines.with(at, `${lines[at]} # comment ${index}`);
        const outcome = parseYaml(commented.join('\n'))[0];
        // Inside quotes and blocks it is not a comment.
        if (outcome.ok && shown(dataOf(outcome.value)) === shown(dataOf(read(plain)))) lines[at] = commented[at] ?? '';
      }
      return lines.join(isWindows ? '\r\n' : '\n');
    }),
  fc
    .tuple(fc.json({ maxDepth: 3 }), fc.constantFrom(undefined, 1, 2, 4))
    .map(([json, indent]) => JSON.stringify(JSON.parse(json), null, indent)),
);

function pathsOf(node: Node, path: Path = []): Path[] {
  const inner =
    node.kind === 'sequence'
      ? node.items.flatMap((item, index) => pathsOf(item, [...path, index]))
      : node.kind === 'mapping'
        ? node.entries.flatMap(({ key, value: child }) =>
            key.kind === 'scalar' ? pathsOf(child, [...path, key.text]) : [],
          )
        : [];
  return [path, ...inner];
}

const change = (document: TextDocument): fc.Arbitrary<Change> => {
  const paths = fc.constantFrom(...(document.root === undefined ? [[]] : pathsOf(document.root)));
  return fc.oneof(
    fc.record({ do: fc.constant('rename' as const), path: paths, name: fc.constantFrom('renamed', 'a b', 'yes') }),
    fc.record({ do: fc.constant('set' as const), path: paths, value }),
    fc.record({ do: fc.constant('set' as const), path: paths.map((path) => [...path, 'added']), value }),
    fc.record({ do: fc.constant('set' as const), path: paths.map((path) => [...path, 'added', 'inner']), value }),
    fc.record({
      do: fc.constant('insert' as const),
      path: fc.tuple(paths, fc.nat({ max: 3 })).map(([path, index]) => [...path, index]),
      value,
    }),
    fc.record({ do: fc.constant('remove' as const), path: paths }),
    fc.record({ do: fc.constant('unwrap' as const), path: paths }),
    fc.record({
      do: fc.constant('move' as const),
      path: paths,
      to: fc.tuple(paths, fc.constantFrom('moved', 0, 1)).map(([path, step]) => [...path, step]),
    }),
  );
};

const cases = text.chain((written) => {
  const document = read(written);
  return change(document).map((made) => ({ written, document, made }));
});

test('the changed text means the changed data', () => {
  let done = 0;
  fc.assert(
    fc.property(cases, ({ written, document, made }) => {
      const edits = editsFor(document, made);
      if (!edits.ok) return;
      done++;
      const result = applyEdits(written, edits.value);
      expect(shown(dataOf(read(result))), result).toBe(shown(after(dataOf(document), made)));
      const gone = made.do === 'remove' || made.do === 'set' || /[[{]/.test(written);
      for (const [comment] of gone ? [] : written.matchAll(/# comment \d/g)) expect(result).toContain(comment);
    }),
    { numRuns: 4000 },
  );
  expect(done).toBeGreaterThan(800);
});

test('js-yaml reads the same in the changed text', () => {
  fc.assert(
    fc.property(cases, ({ written, document, made }) => {
      const edits = editsFor(document, made);
      if (!edits.ok || made.do !== 'set' || /!|&/.test(written)) return;
      const result = applyEdits(written, edits.value);
      const there = made.path.reduce<unknown>((node, step) => (node as Record<string, unknown>)?.[step], load(result));
      expect(JSON.stringify(there), result).toBe(
        JSON.stringify(made.value, (_, part) => (typeof part === 'bigint' ? Number(part) : part)),
      );
    }),
    { numRuns: 1500 },
  );
});

test('JSON stays JSON', () => {
  fc.assert(
    fc.property(cases, ({ written, document, made }) => {
      const before = parseJson(written);
      if (!before.ok) return;
      const edits = editsFor(document, made);
      if (edits.ok) expect(() => JSON.parse(applyEdits(written, edits.value))).not.toThrow();
    }),
    { numRuns: 1500 },
  );
});

test('the reverse change restores the old text', () => {
  const undone = (written: string, there: Change, back: Change): string | undefined => {
    const first = editsFor(read(written), there);
    if (!first.ok) return undefined;
    const changed = applyEdits(written, first.value);
    return applyEdits(changed, valueOrThrow(editsFor(read(changed), back)));
  };
  let done = 0;
  fc.assert(
    fc.property(text, value, fc.nat(), (written, added, chance) => {
      const { root } = read(written);
      const paths = root === undefined ? [[]] : pathsOf(root);
      const path = paths[chance % paths.length] ?? [];
      const trials: [Change, Change][] = [
        [
          { do: 'rename', path, name: 'renamed' },
          { do: 'rename', path: [...path.slice(0, -1), 'renamed'], name: String(path.at(-1)) },
        ],
        [
          { do: 'set', path: [...path, 'added'], value: added },
          { do: 'remove', path: [...path, 'added'] },
        ],
        [
          { do: 'insert', path: [...path, 0], value: added },
          { do: 'remove', path: [...path, 0] },
        ],
      ];
      for (const [there, back] of trials) {
        const holder =
          root &&
          path.reduce<Plain>((node, step) => (node as Record<string, Plain>)?.[step] ?? null, dataOf(read(written)));
        const isEmpty = holder === null || typeof holder !== 'object' || Object.keys(holder).length === 0;
        if (there.do !== 'rename' && isEmpty) continue;
        const result = undone(written, there, back);
        if (result === undefined) continue;
        done++;
        expect(result).toBe(written);
      }
    }),
    { numRuns: 1500 },
  );
  expect(done).toBeGreaterThan(300);
});

test('refuses edits that overlap or are outside the text', () => {
  expect(() =>
    applyEdits('abc', [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ]),
  ).toThrow(/overlap/);
  expect(() => applyEdits('abc', [{ start: 2, end: 4, text: '' }])).toThrow(/lie in the text/);
  expect(() => applyEdits('abc', [{ start: 2, end: 1, text: '' }])).toThrow(RangeError);
  expect(
    applyEdits('abc', [
      { start: 1, end: 2, text: 'X' },
      { start: 1, end: 1, text: '1' },
      { start: 1, end: 1, text: '2' },
    ]),
  ).toBe('a12Xc');
});
