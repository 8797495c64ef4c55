import { expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { blocksOfPage, blocksOfProgram, filesOf, KINDS, sample, sentencesOf } from '../scripts/sentences/read.mjs';
import { root } from './support/sources.ts';

interface Sentence {
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly text: string;
}

test('npm run sentences reads paragraphs, list items and cells of a page, but no code', () => {
  const page = [
    '---',
    'title: no sentence',
    '---',
    '# One heading of a page',
    'A paragraph',
    'of two lines.',
    '```sh',
    'rm all of it',
    '```',
    '- an item of a list',
    '',
    '| a cell | another |',
    '| ------ | ------- |',
  ];
  const blocks: Sentence[] = blocksOfPage(page.join('\n'));
  expect(blocks.map(({ line, text }) => `${line} ${text.trim()}`).filter((one) => / \S/.test(one))).toEqual([
    '4 One heading of a page',
    '5 A paragraph of two lines.',
    '10 an item of a list',
    '12 a cell',
    '12 another',
  ]);
});

test('npm run sentences reads comments, texts and titles of programs', () => {
  const program = [
    '/**',
    ' * Opens the image.',
    ' *',
    ' * @example',
    ' * open();',
    ' */',
    'export function open(name: string): void {',
    '  // Two lines are',
    '  // one comment.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a program
    '  throw new Error(`cannot open ${name}: no such file`);',
    '}',
  ];
  const read = (path: string, lines: string[]) =>
    blocksOfProgram(path, lines.join('\n')).map(({ line, kind, text }: Sentence) => `${line} ${kind} ${text.trim()}`);
  expect(read('a.ts', program)).toEqual([
    '1 comment Opens the image.',
    '8 comment Two lines are  one comment.',
    '10 text cannot open …: no such file',
  ]);
  expect(read('a.test.ts', ["test('it opens an image', () => say('hello to the world'));"])).toEqual([
    '1 title it opens an image',
  ]);
});

test('npm run sentences draws the same sentences for the same seed, from all kinds', () => {
  const all: Sentence[] = filesOf(root)
    .filter((path: string) => /^docs\/h|^packages\/peers|\.md$/.test(path))
    .flatMap((path: string) => sentencesOf(root, path));
  expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual([...KINDS].sort());
  expect(sample(all, 50, 7)).toEqual(sample(all, 50, 7));
  expect(sample(all, 50, 7)).not.toEqual(sample(all, 50, 8));
  expect(new Set(sample(all, 50, 7)).size).toBe(50);
});
