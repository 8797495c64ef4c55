import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { filesOf } from '../scripts/sentences/read.mjs';
import { exampleSources, root, type Source, sources } from './support/sources.ts';

/** The phrases of the last table of docs/words.md. */
const REFUSED = [...(read('docs/words.md').split('## Refused')[1] ?? '').matchAll(/^\| ([a-z][^|]*?) +\|/gm)].map(
  ([, phrase = '']) => phrase,
);
const PATTERN = new RegExp(`\\b(?:${REFUSED.join('|')})\\b`, 'i');

/** Messages of other tools that we repeat, word for word. */
const PEERS: readonly string[] = [];

/** Every page written by hand, except the one that lists the phrases. */
const documents: readonly string[] = filesOf(root).filter(
  (path: string) => /^(?!\.changeset).*\.md$/.test(path) && path !== 'docs/words.md',
);

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The texts in a program, without its comments: any of them may reach a user. */
function textsOf({ path, text }: Source): { place: string; text: string }[] {
  if (!PATTERN.test(text)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: { place: string; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.pos);
      for (const one of node.text.split('\n')) {
        // A line of a script that runs on a machine: its comments are not for users.
        if (!/^\s*#/.test(one)) found.push({ place: `${path}:${line + 1}`, text: one });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function refusedIn(text: string): string | undefined {
  const own = PEERS.reduce((rest, message) => rest.replaceAll(message, ''), text);
  return PATTERN.exec(own)?.[0];
}

test('the table of refused phrases is read', () => {
  expect(REFUSED.length).toBeGreaterThan(25);
  expect(refusedIn('Whoever reads this')).toBe('Whoever');
  expect(refusedIn('pass --yes to approve requests that pass')).toBeUndefined();
});

test('texts for users have none of the refused phrases', () => {
  const lines = documents.flatMap((path) =>
    read(path)
      .split('\n')
      .map((text, index) => ({ place: `${path}:${index + 1}`, text })),
  );
  const found = [...[...sources, ...exampleSources].flatMap(textsOf), ...lines].flatMap(({ place, text }) => {
    const phrase = refusedIn(text);
    return phrase === undefined ? [] : [`${place}: "${phrase}" in: ${text.trim().slice(0, 160)}`];
  });
  expect(found.join('\n')).toBe('');
});

test.each(PEERS)('the exempt message "%s" is in use', (message) => {
  expect(sources.some(({ text }) => text.includes(message))).toBe(true);
});
