import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findingLines } from './findings-of.ts';
import { goldens, names, parseRecorded } from './recordings.ts';

/**
 * Details that the installer does not print: code, path and place of all findings about the recorded files, coreiso's
 * and upstream's, with the severity in strict mode | in compatible mode if that differs. Recorded from the output and
 * reviewed beside the files: each line ends with the text that it points at.
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

test.each(names)('%s has the recorded findings at the recorded places', (name) => {
  const [strict, compatible] = [parseRecorded(name, 'strict'), parseRecorded(name, 'compatible')];
  expect(findingLines(strict, compatible, goldens.text(`${name}.yaml`))).toEqual(table.get(name));
});
