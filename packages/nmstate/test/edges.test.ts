// States at the edges of every table: the least and the most of a number, each word, what excludes what, and who holds what; and what
// nmstatectl 2.2.62 made of them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerTo, reasonIn } from './answers.ts';

const rows: readonly (readonly [text: string, answer: string])[] = JSON.parse(
  readFileSync(new URL('goldens/edges.json', import.meta.url), 'utf8'),
);

/** In parts, so that one of them is quickly run again. */
const PARTS = 8;

test.each(Array.from({ length: PARTS }, (_, part) => part))('part %i has the answers of nmstatectl', (part) => {
  const own = rows.filter((_, index) => index % PARTS === part);
  const answers = own.map(([text, theirs]) => [text, theirs, answerTo(text)] as const);
  expect(answers.filter(([, theirs, ours]) => reasonIn(theirs, ours) !== ours)).toEqual([]);
});
