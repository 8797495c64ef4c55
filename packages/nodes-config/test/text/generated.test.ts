import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generate } from '../../scripts/generate.ts';

test('the committed types are those generated from the tables', () => {
  for (const [path, text] of generate()) {
    expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text);
  }
});
