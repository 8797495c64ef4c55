// States at the edges of every table, and the results of nmstatectl 2.2.62: the lowest and highest numbers, each word, exclusive
// settings, and controllers with their ports.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerTo, reasonIn } from './answers.ts';

const rows: readonly (readonly [text: string, answer: string])[] = JSON.parse(
  readFileSync(new URL('goldens/edges.json', import.meta.url), 'utf8'),
);

/** The tests are in parts, so that one of them can be repeated quickly. */
const PARTS = 8;

test.each(Array.from({ length: PARTS }, (_, part) => part))('gives the results of nmstatectl for part %i', (part) => {
  const own = rows.filter((_, index) => index % PARTS === part);
  const answers = own.map(([text, theirs]) => [text, theirs, answerTo(text)] as const);
  expect(answers.filter(([, theirs, ours]) => reasonIn(theirs, ours) !== ours)).toEqual([]);
});
