// Recorded states with one line changed at random, and the results of nmstatectl 2.2.62: the digest of its listing, its refusal,
// or the error of its reader.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { generateKeyfiles } from '../src/index.ts';
import { answerTo, READER, reasonIn } from './answers.ts';

/** The state, the index of the line, the new line (undefined: the line is removed), and the result of the tool. */
type Row = readonly [state: string, line: number, written: string | null, answer: string];

const goldens = new Goldens(new URL('goldens/nmstate.json', import.meta.url));
const rows: readonly Row[] = JSON.parse(readFileSync(new URL('goldens/changed.json', import.meta.url), 'utf8'));

function changed([state, line, written]: Row): string {
  const lines = goldens.text(`${state}.yml`).split('\n');
  lines.splice(line, 1, ...(written === null ? [] : [written]));
  return lines.join('\n');
}

test('gives the same files, refusal or reader error as nmstatectl for changed states', () => {
  const answers = rows.map((row) => [row, answerTo(changed(row))] as const);
  expect(answers.filter(([[, , , theirs], ours]) => reasonIn(theirs, ours) !== ours)).toEqual([]);
});

test('marks the error of the reader on the changed line', () => {
  const refused = rows.filter(([, , written, answer]) => written !== null && answer.startsWith(READER));
  const elsewhere = refused.filter((row) => {
    const [first] = generateKeyfiles(changed(row), { mode: 'compatible' }).diagnostics;
    return first?.range?.start.line !== row[1] + 1;
  });
  expect(elsewhere.map(([state, line]) => `${state} ${line}`)).toEqual([]);
});
