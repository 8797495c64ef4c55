import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { unifiedDiff } from '../../src/frame/fix/unified-diff.ts';
import { scratchFolder } from '../support.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 7 })
  .chain((lines) => fc.constantFrom('', '\n').map((end) => (lines.length === 0 ? '' : lines.join('\n') + end)));

describe('a unified diff', () => {
  test('contains both texts, with the fewest changes that their longest common sequence allows', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff('x', before, after);
        expect(diff.startsWith('--- x\n+++ x\n')).toBe(before !== after);
        const [old, now] = [before, after].map((one) => one.match(/[^\n]*\n|[^\n]+$/g) ?? []);
        const changes = diff.match(/^[-+](?!-- |\+\+ )/gm) ?? [];
        expect(changes.length).toBe((old?.length ?? 0) + (now?.length ?? 0) - 2 * common(old ?? [], now ?? []));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['the first line', 'a\nb\nc\nd\ne\n', 'x\nb\nc\nd\ne\n', ['@@ -1,4 +1,4 @@', '-a', '+x', ' b', ' c', ' d']],
    ['the last line', 'a\nb\nc\nd\ne\n', 'a\nb\nc\nd\nx\n', ['@@ -2,4 +2,4 @@', ' b', ' c', ' d', '-e', '+x']],
    ['all lines', 'a\n', 'b\n', ['@@ -1 +1 @@', '-a', '+b']],
    ['an empty text', '', 'a\nb\n', ['@@ -0,0 +1,2 @@', '+a', '+b']],
    ['everything', 'a\nb\n', '', ['@@ -1,2 +0,0 @@', '-a', '-b']],
    ['the end of the last line', 'a', 'a\n', ['@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a']],
    ['and the other way', 'a\n', 'a', ['@@ -1 +1 @@', '-a', '+a', '\\ No newline at end of file']],
  ])('is correct for %s', (_, before, after, hunk) => {
    expect(unifiedDiff('x', before, after)).toBe(['--- x', '+++ x', ...hunk].join('\n'));
  });

  test('has one hunk for changes with six lines between them, and two for seven', () => {
    const lines = (count: number, end: string): string =>
      ['a', ...Array.from({ length: count }, (_, index) => `${index}`), end].join('\n');
    const hunks = (count: number) =>
      unifiedDiff('x', lines(count, 'b\n'), lines(count, 'c\n').replace('a', 'z')).match(/^@@ .*/gm);
    expect(hunks(6)).toEqual(['@@ -1,8 +1,8 @@']);
    expect(hunks(7)).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@']);
  });

  test('replaces the middle of texts with thousands of changes as a whole', () => {
    const many = (sign: string): string => Array.from({ length: 1500 }, (_, index) => `${sign}${index}\n`).join('');
    const lines = unifiedDiff('x', `head\n${many('a')}tail\n`, `head\n${many('b')}tail\n`).split('\n');
    expect(lines.slice(2, 5)).toEqual(['@@ -1,1502 +1,1502 @@', ' head', '-a0']);
    expect(lines.slice(1503, 1506)).toEqual(['-a1499', '+b0', '+b1']);
    expect(lines.at(-1)).toBe(' tail');
  });

  test('shows lines through the given function', () => {
    const shown = (line: string): string => line.toUpperCase();
    expect(unifiedDiff('x', 'a\n', 'b', shown).split('\n').slice(3)).toEqual([
      '-A',
      '+B',
      '\\ No newline at end of file',
    ]);
  });
});

/** Returns the length of the longest common sequence. */
function common(a: readonly string[], b: readonly string[]): number {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (const [i, one] of a.entries())
    for (const [j, other] of b.entries())
      rows[i + 1]![j + 1] = one === other ? rows[i]![j]! + 1 : Math.max(rows[i]![j + 1]!, rows[i + 1]![j]!);
  return rows.at(-1)?.at(-1) ?? 0;
}

describeWith(['patch'], 'patch', () => {
  test('turns one text into the other, for many texts in one run', () => {
    const cwd = scratchFolder();
    const cases = fc
      .sample(fc.tuple(text, text), { numRuns: 60, seed: 7 })
      .filter(([a, b]) => a !== '' && b !== '' && a !== b);
    const diffs = cases.map(([before, after], index) => {
      writeFileSync(join(cwd, `${index}`), before);
      return `${unifiedDiff(`${index}`, before, after)}\n`;
    });
    const { status, stderr } = run('patch', ['-p0', '--fuzz=0'], { cwd, input: Buffer.from(diffs.join('')) });
    expect([status, stderr.toString()]).toEqual([0, '']);
    const found = run('sh', ['-c', cases.map((_, index) => `cat ${index}; printf '\\001'`).join('; ')], { cwd });
    expect(found.stdout.toString()).toBe(cases.map(([, after]) => `${after}\u0001`).join(''));
  });
});
