// Recorded states with one line changed at random, and what nmstatectl 2.2.62 made of them: the digest of its listing, its refusal, or
// the reason why its reader gave up.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { generateKeyfiles } from '../src/index.ts';
import { answerTo, READER, reasonIn } from './answers.ts';

/** The state, the index of the line, what is written there instead (nothing: the line is gone), and the tool's answer. */
type Row = readonly [state: string, line: number, written: string | null, answer: string];

const goldens = new Goldens(new URL('goldens/nmstate.json', import.meta.url));
const rows: readonly Row[] = JSON.parse(readFileSync(new URL('goldens/changed.json', import.meta.url), 'utf8'));

function changed([state, line, written]: Row): string {
  const lines = goldens.text(`${state}.yml`).split('\n');
  lines.splice(line, 1, ...(written === null ? [] : [written]));
  return lines.join('\n');
}

test('a changed state has the files, the refusal or the reason that nmstatectl has for it', () => {
  const answers = rows.map((row) => [row, answerTo(changed(row))] as const);
  expect(answers.filter(([[, , , theirs], ours]) => reasonIn(theirs, ours) !== ours)).toEqual([]);
});

test('what its reader gives up at is marked on the changed line', () => {
  const refused = rows.filter(([, , written, answer]) => written !== null && answer.startsWith(READER));
  const elsewhere = refused.filter((row) => {
    const [first] = generateKeyfiles(changed(row), { mode: 'compatible' }).diagnostics;
    return first?.range?.start.line !== row[1] + 1;
  });
  expect(elsewhere.map(([state, line]) => `${state} ${line}`)).toEqual([]);
});
