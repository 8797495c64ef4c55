// The excerpt of a line: 100 columns, of which at most 60 are before the place.
import { formatDiagnostics } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';

function excerpt(text: string, start: number, end: number): string[] {
  const place = (offset: number) => ({ offset, line: text.slice(0, offset).split(/\r\n|\n|\r/).length, column: 1 });
  const finding = { severity: 'error', code: 'a/b', message: 'm', path: [] } as const;
  const shown = formatDiagnostics([{ ...finding, range: { start: place(start), end: place(end) } }], { text });
  return shown.split('\n').slice(1);
}

test.each<[text: string, start: number, end: number, lines: string[]]>([
  [`a: b\n`, 3, 4, [`  1 | a: b`, `    |    ^`]],
  [`a: b\n`, 3, 3, [`  1 | a: b`, `    |    ^`]],
  [
    `${'x'.repeat(150)}y${'z'.repeat(150)}\n`,
    150,
    151,
    [`  1 | …${'x'.repeat(59)}y${'z'.repeat(38)}…`, `    |${' '.repeat(61)}^`],
  ],
  [
    `${'x'.repeat(59)}y${'z'.repeat(150)}\n`,
    59,
    60,
    [`  1 | ${'x'.repeat(59)}y${'z'.repeat(39)}…`, `    |${' '.repeat(60)}^`],
  ],
  [`${'x'.repeat(61)}y\n`, 61, 62, [`  1 | …${'x'.repeat(59)}y`, `    |${' '.repeat(61)}^`]],
  [`a${'z'.repeat(100)}\n`, 0, 1, [`  1 | a${'z'.repeat(98)}…`, `    | ^`]],
  [`a${'z'.repeat(99)}\n`, 0, 1, [`  1 | a${'z'.repeat(99)}`, `    | ^`]],
  [`\ta: b\n`, 1, 2, [`  1 |     a: b`, `    |     ^`]],
  [`a\tb\n`, 2, 3, [`  1 | a   b`, `    |     ^`]],
  [`東京: b\n`, 4, 5, [`  1 | 東京: b`, `    |       ^`]],
  [`é: b\n`, 4, 5, [`  1 | é: b`, `    |    ^`]],
  [`a: \x1b[31mb\n`, 3, 9, [`  1 | a: ␛[31mb`, `    |    ^^^^^^`]],
  [`a: b\nc: d\n`, 3, 8, [`  1 | a: b`, `    |    ^`]],
  [`a: b\r\nc: d`, 9, 10, [`  2 | c: d`, `    |    ^`]],
  [`a\rb: c\r`, 5, 6, [`  2 | b: c`, `    |    ^`]],
  [`${'😀'.repeat(80)}b\n`, 160, 161, [`  1 | …${'😀'.repeat(29)}b`, `    |${' '.repeat(60)}^`]],
  [`${'😀'.repeat(200)}\n`, 201, 203, [`  1 | …${'😀'.repeat(49)}…`, `    |${' '.repeat(61)}^^`]],
  [`password: hunter2\n`, 12, 14, [`  1 | password: <redacted>`, `    |           ^^^^^^^^^^`]],
  [
    `x: 1, password: "hunter2", b: 2\n`,
    27,
    28,
    [`  1 | x: 1, password: "<redacted>", b: 2`, `    |${' '.repeat(31)}^`],
  ],
  [`password: hunter2 \n`, 0, 8, [`  1 | password: <redacted>`, `    | ^^^^^^^^`]],
  [`${'p'.repeat(200)}`, 199, 200, [`  1 | …${'p'.repeat(60)}`, `    |${' '.repeat(61)}^`]],
  [``, 0, 0, [`  1 |`, `    | ^`]],
])('%#', (text, start, end, lines) => {
  expect(excerpt(text, start, end)).toEqual(lines);
});

test.each(['\u{10000}', '\u{103ff}', '\ue000', '\ud7ff'])('%j is never cut in two', (character) => {
  const text = character.repeat(300);
  for (const start of [99, 100, 101, 200, 201, 202]) {
    const at = start - (start % character.length);
    for (const line of excerpt(text, at, at + character.length)) {
      expect(line.replaceAll(character, '')).not.toMatch(/[\ud7ff-\udfff\ufffd]/);
    }
  }
});

test('hides each of several secrets on a line, wherever the place is', () => {
  const text = '{token: xxx, b: 1, psk: "yyy", c: 2}\n';
  for (let at = 0; at < text.length - 1; at++) {
    const [line = '', caret = ''] = excerpt(text, at, at + 1);
    expect(line).toBe('  1 | {token: <redacted>, b: 1, psk: "<redacted>", c: 2}');
    const marked = line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1);
    const isSecret = /^(?:xxx|yyy)/.test(text.slice(text.slice(0, at + 1).search(/(?:x+|y+)$/)));
    expect(marked).toBe(isSecret ? '<redacted>' : text[at]);
  }
});
