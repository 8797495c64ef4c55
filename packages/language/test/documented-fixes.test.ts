import { readFileSync } from 'node:fs';
import { findingsWithFixes } from '@coreiso/language';
import { expect, test } from 'vitest';
import { mistakes } from './mistakes/generate.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const rows = read('docs/fixes.md').match(/^\| `.*$/gm) ?? [];
const listed = new Set(
  rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+\/[a-z-]+)`/g)].map(([, code]) => code)),
);

test('docs/fixes.md lists every code that a fix was found for', () => {
  const found = new Set<string>();
  for (const { kind, broken } of mistakes(120, 77))
    for (const { code, fixes = [] } of findingsWithFixes({ kind, text: broken })) if (fixes.length > 0) found.add(code);
  expect(found.size).toBeGreaterThan(20);
  expect([...found].filter((code) => !listed.has(code))).toEqual([]);
});

test.each(['diagnostics', 'ignition', 'nmstate', 'nodes-config', 'language'])(
  'codes of %s in docs/fixes.md are codes of its README, which says where to look for fixes',
  (name) => {
    const readme = read(`packages/${name}/README.md`);
    expect(readme).toContain('docs/fixes.md');
    const own = [...listed].filter((code) => code?.startsWith(`${name}/`));
    expect(own).not.toEqual([]);
    const strangers = own.filter(
      (code = '') => !readme.includes(`\`${code}\``) && !readme.includes(`\`${code.replace(/.*\//, '')}\``),
    );
    expect(strangers).toEqual([]);
  },
);
