// One recorded state for each of the refusals of nmstatectl, and the value that causes it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { generateKeyfiles } from '../../src/index.ts';

/** The name of the recording, line and column, the path of the value, and the code without its prefix. */
type Row = readonly [name: string, place: string, path: string, code: string];

const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));
const rows: readonly Row[] = JSON.parse(readFileSync(new URL('refused-places.json', import.meta.url), 'utf8'));

test('places every refusal at the value that causes it', () => {
  const names = [...new Set(rows.map(([name]) => name))];
  const found = names.flatMap((name) => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(goldens.bytes(`${name}.yml`));
    return generateKeyfiles(text, { mode: 'compatible' }).diagnostics.map(({ code, path, range }) =>
      [name, `${range?.start.line}:${range?.start.column}`, path.join('.'), code.replace('nmstate/', '')].join(' '),
    );
  });
  expect(rows.map((row) => row.join(' ')).filter((row) => !found.includes(row))).toEqual([]);
});
