import { readFileSync } from 'node:fs';
import { applyEdits, type Diagnostic } from '@coreiso/diagnostics';
import { editsOfFixes, findingsWithFixes } from '@coreiso/language';
import { expect, test } from 'vitest';
import { findingCodes } from '../../../scripts/docs/tables.ts';
import { type MadeCase, mistakes } from './mistakes/generate.ts';
import { meaningOf } from './mistakes/meaning.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const rows = read('docs/fixes.md').match(/^\| `.*$/gm) ?? [];
const listed = new Set(
  rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+\/[a-z-]+)`/g)].map(([, code]) => code)),
);

/** Mistakes of each kind, with their findings. */
const found: readonly (MadeCase & { readonly findings: readonly Diagnostic[] })[] = [...mistakes(120, 77)].map(
  (one) => ({
    ...one,
    findings: findingsWithFixes({ kind: one.kind, text: one.broken }),
  }),
);

test('docs/fixes.md lists every code for which a fix was found', () => {
  const codes = new Set(
    found.flatMap(({ findings }) => findings.flatMap(({ code, fixes = [] }) => (fixes.length > 0 ? [code] : []))),
  );
  expect(codes.size).toBeGreaterThan(20);
  expect([...codes].filter((code) => !listed.has(code))).toEqual([]);
});

test('one round of safe fixes repairs all mistakes but those with several readings or with another mistake below', () => {
  const left = found.filter(({ kind, broken, meant, findings }) => {
    return meaningOf(kind, applyEdits(broken, editsOfFixes(findings, 'safe'))) !== meaningOf(kind, meant);
  });
  expect(left.map(({ kind, label }) => `${kind}: ${label}`)).toEqual([
    'nodes-config: MAC cut short',
    'network-state: address with a number too large',
    'agent-config: required key missing',
    'agent-config: required key missing',
    'network-state: misspelt reference',
    'nodes-config: dash where none belongs',
    'agent-config: MAC cut short',
    'nodes-config: MAC cut short',
  ]);
});

test('every code in docs/fixes.md exists', () => {
  const known = new Set(findingCodes.map(({ code }) => code));
  expect([...listed].filter((code = '') => !known.has(code))).toEqual([]);
});
