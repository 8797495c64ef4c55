import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CODES } from '../src/table/codes.ts';

test('the README lists every code, and no other', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const listed = readme
    .split('\n')
    .filter((line) => line.startsWith('| `nmstate/'))
    .flatMap((line) => [...line.split(' | ')[0]!.matchAll(/`nmstate\/([a-z-]+)`/g)].map(([, code]) => code));
  expect([...new Set(listed)].sort()).toEqual(Object.keys(CODES).sort());
});
