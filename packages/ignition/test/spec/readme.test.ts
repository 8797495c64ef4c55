import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS, WARNINGS } from '../../src/validate/rules.ts';

test('the README lists every rule with its severity', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const code of Object.keys(ERRORS)) expect(readme).toMatch(new RegExp(`\\\`${code}\\\`(?! \\(warning\\))`));
  for (const code of Object.keys(WARNINGS)) expect(readme).toContain(`\`${code}\` (warning)`);
});
