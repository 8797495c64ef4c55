// Recorded states with one line changed at random, and what nmstatectl 2.2.62 made of them: the digest of its listing, its refusal, or
// the reason why its reader gave up.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseYaml, valueOrThrow } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import { Goldens } from '../../../test/support/goldens.ts';
import { formatGcListing, generateKeyfiles, refusalKind } from '../src/index.ts';
import { readState } from '../src/state/read-state.ts';

/** The state, the index of the line, what is written there instead (nothing: the line is gone), and the tool's answer. */
type Row = readonly [state: string, line: number, written: string | null, answer: string];

const goldens = new Goldens(new URL('goldens/nmstate.json', import.meta.url));
const rows: readonly Row[] = JSON.parse(readFileSync(new URL('goldens/changed.json', import.meta.url), 'utf8'));

function changed([state, line, written]: Row): string {
  const lines = goldens.text(`${state}.yml`).split('\n');
  lines.splice(line, 1, ...(written === null ? [] : [written]));
  return lines.join('\n');
}

function answerTo(text: string): string {
  const outcome = generateKeyfiles(text, { mode: 'compatible' });
  if (outcome.ok) return createHash('sha256').update(formatGcListing(outcome.value)).digest('hex').slice(0, 16);
  const [first] = outcome.diagnostics;
  const kind = first && refusalKind(first);
  if (first !== undefined && kind !== undefined) return `NmstateError: ${kind}: ${first.message}`;
  const { root } = valueOrThrow(parseYaml(text, { flavour: 'libyaml' })[0]);
  return readState(root, 'yaml', []).mismatches[0]?.upstream ?? '';
}

const READER = 'Provide file is not valid NetworkState or NetworkPolicy: ';

/** The reason alone: before it stands which list it is in, behind it where that begins. */
function reasonIn(answer: string, ours: string): string {
  return answer.startsWith(READER) && ours !== '' && answer.includes(ours) ? ours : answer;
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
