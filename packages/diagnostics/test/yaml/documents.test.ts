import { parseYaml, serdeYaml, toPlain } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';

/** `undefined` for an empty document, the code for a failure, the value otherwise. */
function verdicts(text: string): unknown[] {
  return parseYaml(text).map((outcome) => {
    if (!outcome.ok) return outcome.diagnostics.map(({ code }) => code.replace('diagnostics/', '')).join(' ');
    return outcome.value.root === undefined ? undefined : toPlain(outcome.value.root, serdeYaml);
  });
}

test.each([
  ['an empty text', '', [undefined]],
  ['comments only', '# a\n\n  # b', [undefined]],
  ['a marker only', '---\n', [undefined]],
  ['two empty documents', '---\n---\n', [undefined, undefined]],
  ['a document and an empty one', 'a\n---\n', ['a', undefined]],
  ['an end marker', 'a\n...\n', ['a']],
  ['several end markers', 'a\n...\n...\n--- b\n...\n', ['a', 'b']],
  ['directives between documents', 'a\n...\n%YAML 1.1\n--- b\n', ['a', 'b']],
  ['a marker inside a word', 'a\n--- b\n---c', ['a', 'b ---c']],
])('documents: %s', (_, text, expected) => {
  expect(verdicts(text)).toEqual(expected);
});

test.each([
  ['its own document', 'a: [', ['yaml-syntax']],
  ['no earlier one', 'a\n--- b\n--- [\n--- c', ['a', 'b', 'yaml-syntax']],
  ['no earlier one, if it stands in a directive', 'a\n...\n%NEW\n---\nb', ['a', 'yaml-syntax']],
  ['no earlier one, if a quote runs into a marker', 'a\n--- "b\n--- c', ['a', 'yaml-syntax']],
  ['no earlier one, if it is text behind a document', '"a" b', ['a', 'yaml-syntax']],
  ['no earlier one, if it is a control character', 'a\n--- \u0007\n--- c', ['a', 'yaml-syntax']],
  ['only what follows a control character', '--- a\n--- b\u0007\n', ['a', 'yaml-syntax']],
])('a syntax error refuses %s', (_, text, expected) => {
  expect(verdicts(text)).toEqual(expected);
});

test('a control character after an earlier error does not hide it', () => {
  const outcome = parseYaml('a: b: c\nd: \u0007')[0];
  expect(outcome.diagnostics[0]).toMatchObject({ message: 'mapping values are not allowed in this context' });
});

test.each([
  [
    'unknown anchors, all of them, and only their own document',
    '[*a, *b]\n--- c',
    ['undefined-alias undefined-alias', 'c'],
  ],
  ['an anchor that contains itself', '&a [*a]', ['recursive-alias']],
  ['an anchor that contains itself deep down', '&a {b: [{c: *a}]}', ['recursive-alias']],
  ['an anchor of another document', '--- &a b\n--- *a', ['b', 'undefined-alias']],
  ['an unknown anchor before a syntax error', '[*a', ['undefined-alias yaml-syntax']],
])('aliases: %s', (_, text, expected) => {
  expect(verdicts(text)).toEqual(expected);
});

test('an alias refers to the anchor declared last', () => {
  expect(verdicts('[&a 1, *a, &a 2, *a, &a [&a 3, *a], *a]')).toEqual([[1n, 1n, 2n, 2n, [3n, 3n], 3n]]);
});

test('tags are resolved, with their handles', () => {
  const text = '%TAG !e! tag:example,2000:\n---\n[!!str a, !b c, !e!d e, !<f> g, !h%21 i, ! j]';
  const outcome = parseYaml(text)[0];
  const root = outcome.ok ? outcome.value.root : undefined;
  const tags = root?.kind === 'sequence' ? root.items.map(({ tag }) => tag) : [];
  expect(tags).toEqual(['tag:yaml.org,2002:str', '!b', 'tag:example,2000:d', 'f', '!h!', '!']);
});
