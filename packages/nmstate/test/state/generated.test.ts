import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generate } from '../../scripts/generate.ts';

test('generates the committed types and docs from the tables', () => {
  for (const [path, text] of generate(fileURLToPath(new URL('../../src', import.meta.url)))) {
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text);
  }
});
