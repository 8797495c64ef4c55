import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generate } from '../../scripts/generate.ts';

test('the committed types and docs are those that the tables give', () => {
  for (const [path, text] of generate(fileURLToPath(new URL('../../src', import.meta.url)))) {
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text);
  }
});
