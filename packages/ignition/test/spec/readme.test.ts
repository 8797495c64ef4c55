import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS, OTHERS, WARNINGS } from '../../src/codes.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('the README lists every rule with its severity', () => {
  for (const code of Object.keys(ERRORS)) expect(readme).toMatch(new RegExp(`\\\`${code}\\\`(?! \\(warning\\))`));
  for (const code of Object.keys(WARNINGS)) expect(readme).toContain(`\`${code}\` (warning)`);
});

test('the README lists every code, and no other', () => {
  const [section = ''] = /^## Codes\n[\s\S]*?(?=^\| `IgnitionError)/m.exec(readme) ?? [];
  const listed = [...section.matchAll(/^\| [A-Z].*$/gm)].flatMap(([row]) => [...row.matchAll(/`([a-z0-9-]+)`/g)]);
  const all = [...Object.keys(ERRORS), ...Object.keys(WARNINGS), ...Object.keys(OTHERS)];
  expect(listed.map(([, code]) => code).sort()).toEqual(all.sort());
});
