import { type Diagnostic, diagnostic } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { groupRepeated } from '../../src/frame/show-findings.ts';

const at = (line: number) => ({
  start: { offset: line, line, column: 1 },
  end: { offset: line + 1, line, column: 2 },
});
const finding = (index: number, message: string, rest: Partial<Diagnostic> = {}): Diagnostic => ({
  ...diagnostic({ code: 'x/y', message, path: ['hosts', index, 'hostname'], help: 'Mend it.' }, at(10 * index + 1)),
  ...rest,
});

describe('findings that repeat for every host', () => {
  test('are shown once, with a count and the other lines', () => {
    const four = [0, 1, 2, 3].map((index) => finding(index, `host worker-${index} at 192.0.2.${index} is wrong`));
    expect(groupRepeated(four)).toEqual([
      { ...four[0], message: `${four[0]?.message} (4 times)`, help: 'Mend it.\nAlso in lines 11, 21, 31.' },
    ]);
    expect(groupRepeated(four.slice(0, 2))[0]?.help).toBe('Mend it.\nAlso in line 11.');
    const macs = ['52:54:00:ab:cd:ef', '52:54:00:fe:dc:ba'].map((mac, index) => finding(index, `no ${mac}`));
    expect(groupRepeated(macs)).toHaveLength(1);
  });

  test('are cut if there are many', () => {
    const many = Array.from({ length: 100 }, (_, index) => finding(index, 'wrong'));
    expect(groupRepeated(many)[0]?.help).toBe('Mend it.\nAlso in lines 11, 21, 31, 41, 51, 61, 71, 81 and 91 more.');
  });

  test.each([
    ['other words', [finding(0, 'unknown key a'), finding(1, 'unknown key b')]],
    ['another rule', [finding(0, 'wrong'), finding(1, 'wrong', { code: 'x/z' })]],
    ['another severity', [finding(0, 'wrong'), finding(1, 'wrong', { severity: 'warning' })]],
    ['another place', [finding(0, 'wrong'), finding(1, 'wrong', { path: ['hosts', 1, 'role'] })]],
    ['another way out', [finding(0, 'wrong'), finding(1, 'wrong', { help: 'Remove it.' })]],
    ['no list', [finding(0, 'wrong', { path: ['a'] }), finding(1, 'wrong', { path: ['a'] })]],
  ])('are not merged if they have %s', (_, findings) => {
    expect(groupRepeated(findings)).toEqual(findings);
  });

  test('keep their order, and honour an additional criterion', () => {
    const three = [finding(0, 'wrong'), finding(0, 'other'), finding(1, 'wrong')];
    expect(groupRepeated(three).map(({ message }) => message)).toEqual(['wrong (2 times)', 'other']);
    expect(groupRepeated(three, ({ range }) => range?.start.line)).toEqual(three);
  });
});
