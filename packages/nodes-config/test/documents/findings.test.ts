import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findingLines } from './findings-of.ts';
import { goldens, names, parseRecorded } from './recordings.ts';

/**
 * What the installer does not tell and we do: code, path and place of everything that is found in the recorded files, ours and
 * upstream's, and how grave each is in strict mode | in compatible mode where that differs. Written down from what was printed, and
 * read beside the files: each line ends with the text it points at.
 */
const table = new Map(
  readFileSync(new URL('findings.txt', import.meta.url), 'utf8')
    .split(/^(?=\S)/m)
    .map((block) => block.trimEnd().split('\n'))
    .map(([name = '', ...lines]) => [name, lines.map((line) => line.trim())]),
);

test('every recorded file is in the table', () => {
  expect([...table.keys()]).toEqual(names);
});

test.each(names)('%s has these findings, at these places', (name) => {
  const [strict, compatible] = [parseRecorded(name, 'strict'), parseRecorded(name, 'compatible')];
  expect(findingLines(strict, compatible, goldens.text(`${name}.yaml`))).toEqual(table.get(name));
});
