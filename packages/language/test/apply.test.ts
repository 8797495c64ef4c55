import type { Diagnostic, TextEdit } from '@coreiso/diagnostics';
import { editsOfFixes, mendText } from '@coreiso/language';
import { expect, test } from 'vitest';

type Fixes = readonly (readonly [safe: boolean, ...edits: (readonly [start: number, end: number, text: string])[]])[];

const finding = (fixes: Fixes): Diagnostic => ({
  ...{ severity: 'error', code: 'a/b', message: 'm', path: [] },
  fixes: fixes.map(([safe, ...edits]) => ({
    title: 't',
    safe,
    edits: edits.map(([start, end, text]) => ({ start, end, text })),
  })),
});

const plain = (edits: readonly TextEdit[]): unknown[] => edits.map(({ start, end, text }) => [start, end, text]);

test.each<[name: string, findings: Fixes[], safe: unknown[], all: unknown[]]>([
  ['nothing', [], [], []],
  ['a finding without a fix', [[]], [], []],
  ['a safe fix', [[[true, [1, 2, 'a']]]], [[1, 2, 'a']], [[1, 2, 'a']]],
  ['an unsafe fix', [[[false, [1, 2, 'a']]]], [], [[1, 2, 'a']]],
  [
    'a safe fix behind an unsafe one',
    [
      [
        [false, [1, 2, 'a']],
        [true, [5, 6, 'b']],
      ],
    ],
    [[5, 6, 'b']],
    [[5, 6, 'b']],
  ],
  [
    'two unsafe ones: the first',
    [
      [
        [false, [1, 2, 'a']],
        [false, [5, 6, 'b']],
      ],
    ],
    [],
    [[1, 2, 'a']],
  ],
  [
    'two findings apart',
    [[[true, [1, 2, 'a']]], [[true, [3, 4, 'b']]]],
    [
      [1, 2, 'a'],
      [3, 4, 'b'],
    ],
    [
      [1, 2, 'a'],
      [3, 4, 'b'],
    ],
  ],
  ['two that touch: the first', [[[true, [1, 2, 'a']]], [[true, [2, 4, 'b']]]], [[1, 2, 'a']], [[1, 2, 'a']]],
  ['two that touch the other way round', [[[true, [2, 4, 'b']]], [[true, [1, 2, 'a']]]], [[2, 4, 'b']], [[2, 4, 'b']]],
  ['two insertions at one place', [[[true, [2, 2, 'a']]], [[true, [2, 2, 'b']]]], [[2, 2, 'a']], [[2, 2, 'a']]],
  ['the same fix twice', [[[true, [2, 3, 'a']]], [[true, [2, 3, 'a']]]], [[2, 3, 'a']], [[2, 3, 'a']]],
  [
    'the same text at two places',
    [[[true, [2, 3, 'a']]], [[true, [7, 8, 'a']]]],
    [
      [2, 3, 'a'],
      [7, 8, 'a'],
    ],
    [
      [2, 3, 'a'],
      [7, 8, 'a'],
    ],
  ],
  [
    'the same text from one place on, to another end',
    [[[true, [2, 3, 'a']]], [[true, [2, 4, 'a']]]],
    [[2, 3, 'a']],
    [[2, 3, 'a']],
  ],
  [
    'a fix of which one edit is known: what is new may not be made alone',
    [[[true, [2, 3, 'a']]], [[true, [2, 3, 'a'], [7, 8, 'b']]]],
    [[2, 3, 'a']],
    [[2, 3, 'a']],
  ],
  [
    'a fix of several edits, one of which overlaps',
    [[[true, [5, 6, 'a']]], [[true, [1, 2, 'b'], [5, 9, 'c']]], [[true, [7, 8, 'd']]]],
    [
      [5, 6, 'a'],
      [7, 8, 'd'],
    ],
    [
      [5, 6, 'a'],
      [7, 8, 'd'],
    ],
  ],
])('%s', (_, findings, safe, all) => {
  expect(plain(editsOfFixes(findings.map(finding), 'safe'))).toEqual(safe);
  expect(plain(editsOfFixes(findings.map(finding), 'all'))).toEqual(all);
});

test('repairs a text until no fix is left, and only as far as requested', () => {
  const text = 'interfaces:\n- name: eth0\n  tpye: ethernet\n  sate: up\n  ipv4:\n    enabled: yes\n    adress: []\n';
  expect(mendText({ kind: 'network-state', text }, 'safe')).toBe(
    'interfaces:\n- name: eth0\n  type: ethernet\n  state: up\n  ipv4:\n    enabled: yes\n    address: []\n',
  );
  const wrong = 'interfaces:\n- name: eth0\n  type: ethernet\n  bogus: 1\n';
  expect(mendText({ kind: 'network-state', text: wrong }, 'safe')).toBe(wrong);
  expect(mendText({ kind: 'network-state', text: wrong }, 'all')).toBe('interfaces:\n- name: eth0\n  type: ethernet\n');
});
