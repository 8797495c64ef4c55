import { type Diagnostic, diagnostic, formatDiagnostics, formatPath } from '@coreiso/diagnostics';
import { TextIndex } from '@coreiso/peers/text-index';
import { expect, test } from 'vitest';

function finding(text: string, start: number, end = start, extra: Partial<Diagnostic> = {}): Diagnostic {
  const index = new TextIndex(text);
  const range = { start: index.position(start), end: index.position(end) };
  return { ...diagnostic({ code: 'test/finding', message: 'wrong' }, range), ...extra };
}

function format(text: string, start: number, end = start): string[] {
  return formatDiagnostics([finding(text, start, end)], { text, file: 'f.yaml' }).split('\n');
}

test('prints a finding as its place, its message, its line with carets, and its help', () => {
  const text = 'hosts:\n- hostnme: a\n';
  const list = [finding(text, 9, 16, { message: 'unknown key', help: 'Did you mean hostname?' })];
  expect(formatDiagnostics(list, { text, file: 'nodes-config.yaml' })).toBe(
    [
      'nodes-config.yaml:2:3: error: unknown key',
      '  2 | - hostnme: a',
      '    |   ^^^^^^^',
      '  help: Did you mean hostname?',
    ].join('\n'),
  );
});

test('prints the titles of the fixes', () => {
  const fixes = ['Write `a`', 'x\u0007\ny'].map((title) => ({ title, edits: [], safe: true }));
  const list = [finding('ab', 1, 1, { fixes })];
  expect(formatDiagnostics(list)).toBe('1:2: error: wrong\n  fix: Write `a`\n  fix: x␇\n    y');
  expect(formatDiagnostics(list, { colour: true })).toContain('\u001b[1mfix:\u001b[0m Write `a`');
});

test('keeps the order of findings', () => {
  const list = [finding('ab', 1), finding('ab', 0, 0, { severity: 'warning' })];
  expect(formatDiagnostics(list, { file: 'f' })).toBe('f:1:2: error: wrong\nf:1:1: warning: wrong');
});

test('leaves out unknown parts', () => {
  const list: Diagnostic[] = [
    { severity: 'info', code: 'a/b', message: 'text', path: [] },
    { severity: 'error', code: 'a/b', message: 'text', path: ['hosts', 0, 'name'] },
  ];
  expect(formatDiagnostics(list)).toBe('info: text\nerror: text (at hosts[0].name)');
  expect(formatDiagnostics(list.slice(0, 1), { text: 'x', file: 'f' })).toBe('f: info: text');
  expect(formatDiagnostics([])).toBe('');
});

test.each([
  ['an empty place has one caret', 'a: b', 3, 3, '  1 | a: b', '    |    ^'],
  ['the end of the text can be pointed at', 'a: [', 4, 4, '  1 | a: [', '    |     ^'],
  ['an empty line too', 'a\n\nb', 2, 2, '  2 |', '    | ^'],
  ['several lines are marked on the first', 'a: [1,\n 2]', 3, 10, '  1 | a: [1,', '    |    ^^^'],
  ['tabs are spread', '\ta\tbc', 3, 5, '  1 |     a   bc', '    |         ^^'],
  ['wide characters take two columns', '漢字: x', 4, 5, '  1 | 漢字: x', '    |       ^'],
  ['a marked wide character has two carets', 'a漢', 1, 2, '  1 | a漢', '    |  ^^'],
  ['combining characters take none', 'e\u0301: x', 4, 5, '  1 | e\u0301: x', '    |    ^'],
  ['pairs are one character', '😀x', 2, 3, '  1 | 😀x', '    |   ^'],
  ['CR LF ends a line', 'ab\r\ncd', 0, 6, '  1 | ab', '    | ^^'],
  ['control characters are shown, not sent', 'a\u001b[31mb', 6, 7, '  1 | a␛[31mb', '    |       ^'],
  ['line numbers are aligned', `${'\n'.repeat(99)}ab`, 100, 101, '  100 | ab', '      |  ^'],
])('%s', (_, text, start, end, source, caret) => {
  expect(format(text, start, end).slice(1)).toEqual([source, caret]);
});

test.each([
  ['in the middle', 50_000],
  ['near the start', 10],
  ['near the end', 99_990],
])('a very long line is clipped around the caret: %s', (_, start) => {
  const text = `${'x'.repeat(start)}!${'y'.repeat(100_000 - start)}`;
  const [, source = '', caret = ''] = format(text, start, start + 1);
  expect(source.length).toBeLessThanOrEqual(110);
  expect(source[caret.indexOf('^')]).toBe('!');
  expect(source.startsWith('  1 | …')).toBe(start > 60);
  expect(source.endsWith('…')).toBe(start < 99_900);
});

test('marks a long range no further than its line is shown', () => {
  const text = 'x'.repeat(10_000);
  const [, source = '', caret = ''] = format(text, 0, 10_000);
  expect(caret.length).toBe(source.length);
});

test('uses colours only on request', () => {
  const list = [finding('a', 0, 1)];
  expect(formatDiagnostics(list, { text: 'a', file: 'f' })).not.toContain('\u001b');
  expect(formatDiagnostics(list, { text: 'a', file: 'f', colour: true })).toBe(
    '\u001b[1mf:1:1:\u001b[0m \u001b[1;31merror:\u001b[0m wrong\n  1 | a\n    | \u001b[1;31m^\u001b[0m',
  );
});

test('a message cannot move the cursor', () => {
  const list = [finding('a', 0, 0, { message: 'x\u001b[2J\u202ey', help: 'a\u0007' })];
  expect(formatDiagnostics(list, { file: 'f\r' })).toBe('f␍:1:1: error: x␛[2J\ufffdy\n  help: a␇');
});

test('a value cannot imitate a line of coreiso', () => {
  const list = [finding('a', 0, 0, { message: "no 'x\nf:1:1: info: fine'", help: 'a\n\nb' })];
  expect(formatDiagnostics(list, { file: 'f\nf' })).toBe(
    "f␊f:1:1: error: no 'x\n    f:1:1: info: fine'\n  help: a\n\n    b",
  );
  const nowhere = diagnostic({ code: 'x/y', message: 'wrong', path: ['a\nb'] });
  expect(formatDiagnostics([nowhere])).toBe('error: wrong (at a␊b)');
});

test('paths are written as Kubernetes writes them', () => {
  expect(formatPath(['hosts', 0, 'interfaces', 1, 'name'])).toBe('hosts[0].interfaces[1].name');
  expect(formatPath([])).toBe('');
});
