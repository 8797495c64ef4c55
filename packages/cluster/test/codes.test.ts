import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CODES } from '../src/codes.ts';

const known = Object.keys(CODES).sort();

test('uses every code', async () => {
  const folder = new URL('../src/', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const used = new Set(
    sources.flatMap((text) => [...text.matchAll(/(?:'cluster\/|warning\(\s*')([a-z-]+)'/g)].map(([, code]) => code)),
  );
  expect([...used].sort()).toEqual(known);
});
