// All proposals for a line, the likeliest first: later, another reading of the text drops those that repair nothing.
import { applyEdits } from '@coreiso/diagnostics';
import { expect, test } from 'vitest';
import type { Proposal } from '../../src/repair/proposal.ts';
import { hasOpenQuote, indentRepairs, lineRepairs, linesOf, wholeTextRepairs } from '../../src/repair/yaml-lines.ts';
import { shown } from './shown.ts';

const KEYS = new Set(['name', 'type', 'state', 'mtu']);

function ofLine(text: string): Proposal[] {
  return lineRepairs({ number: 1, start: 0, text }, KEYS);
}

test.each<[line: string, proposals: string[]]>([
  ['name:eth0', ['Add a space after the colon: name: eth0']],
  ['- name:eth0', ['Add a space after the colon: - name: eth0']],
  ['  "name":eth0', ['Add a space after the colon:   "name": eth0', 'Add the closing quote:   "name":eth0"']],
  ["'name':eth0", ["Add a space after the colon: 'name': eth0", "Add the closing quote: 'name':eth0'"]],
  ['a.b/c-d:e', ['Add a space after the colon: a.b/c-d: e']],
  ['name: eth0', []],
  ['name:', ['Remove the text after the value: name']],
  ['9a:b', []],
  ['-name: a', ['Put the value in quotes: "-name: a"']],
  ['- -a', ['Put the value in quotes: - "-a"']],
  ['-"a"', ['Put the value in quotes: \'-"a"\'']],
  ["-'a'", ['Put the value in quotes: "-\'a\'"']],
  ['-{a: 1}', ['Put the value in quotes: "-{a: 1}"']],
  ['-[a]', ['Put the value in quotes: "-[a]"']],
  ['-1', ['Put the value in quotes: "-1"']],
  ['* a', ['Put the value in quotes: "* a"']],
  ['  • a', []],
  ['– a', []],
  ['— a', []],
  ['*', ['Put the value in quotes: "*"']],
  ['name:: a', ['Write one colon: name: a', 'Put the value in quotes: "name:: a"']],
  [
    'name:;',
    [
      'Add a space after the colon: name: ;',
      'Write one colon: name:',
      'Remove the text after the colon: name:',
      'Remove the text after the value: name',
    ],
  ],
  ['name; a', ['Write one colon: name: a', 'Write a colon: name: a']],
  ['name;', ['Write one colon: name:', 'Remove the text after the value: name']],
  [
    'name:;: a',
    ['Add a space after the colon: name: ;: a', 'Write one colon: name: a', 'Put the value in quotes: "name:;: a"'],
  ],
  ['name;a', []],
  [
    'name:,',
    [
      'Add a space after the colon: name: ,',
      'Remove the text after the colon: name:',
      'Remove the text after the value: name',
    ],
  ],
  ['name:x', ['Add a space after the colon: name: x']],
  ['name:#', ['Add a space after the colon: name: #']],
  ['name:.', ['Add a space after the colon: name: .', 'Remove the text after the colon: name:']],
  ['name = a', ['Write a colon: name: a', 'Add the colon: name: = a']],
  ['name=a', ['Write a colon: name: a']],
  ['name => a', ['Write a colon: name: a', 'Add the colon: name: => a']],
  ['- name := a', ['Write a colon: - name: a', 'Add the colon: - name: := a']],
  ['name =', ['Add the colon: name: =']],
  ['name a', ['Add the colon: name: a']],
  ['  name', ['Add the colon:   name:']],
  ['other a', []],
  ['- mtu 1500', ['Add the colon: - mtu: 1500']],
  ['"name" a', ['Add the closing quote: "name" a"']],
  ['name, a', ['Write a colon: name: a']],
  ['name . a', ['Add the colon: name: . a', 'Write a colon: name: a']],
  ['other, a', []],
  ['- name; a', ['Write one colon: - name: a', 'Write a colon: - name: a']],
  ['name,a', []],
  ['. a', []],
  ['  .  a', []],
  ['.a', []],
  ['name: "a', ['Add the closing quote: name: "a"']],
  ['name: a"', ['Add the opening quote: name: "a"', 'Remove the quote?: name: a']],
  ["name: 'a", ["Add the closing quote: name: 'a'"]],
  ["name: a'", ["Add the opening quote: name: 'a'", 'Remove the quote?: name: a']],
  ['name: "a\'', ['Add the closing quote: name: "a\'"', 'Close with the quote that opens: name: "a"']],
  ['name: \'a"', ["Add the closing quote: name: 'a\"'", "Close with the quote that opens: name: 'a'"]],
  ['name: "', ['Add the closing quote: name: ""', 'Close with the quote that opens: name: "']],
  ['name: "a",', ['Add the closing quote: name: "a","', 'Remove the text after the quote: name: "a"']],
  ["name: 'a';", ["Add the closing quote: name: 'a';'", "Remove the text after the quote: name: 'a'"]],
  ['name: "a"\\', ['Add the closing quote: name: "a"\\"', 'Remove the text after the quote: name: "a"']],
  ['name: "a",b', ['Add the closing quote: name: "a",b"']],
  ['name: "a"b"', ["Write single quotes around it: name: 'a\"b'"]],
  ['name: "a\\"b"c"', ['Write single quotes around it: name: \'a"b"c\'']],
  ["name: 'it's'", ["Double the quote inside: name: 'it''s'"]],
  ["name: 'it''s'", []],
  ['name: "a" # "b"', []],
  ['name: a"b"', []],
  ['name: {a: 1', ['Add }: name: {a: 1}']],
  ['name: [a, {b: c', ['Add }]: name: [a, {b: c}]']],
  ['name: [a]', []],
  ['name: {a: "}"', ['Add }: name: {a: "}"}']],
  ["name: ['}'", ["Add ]: name: ['}']"]],
  ['- [a', ['Add ]: - [a]']],
  ['name: a}', []],
  ['[{a}', ['Add ]: [{a}]']],
  ['name: [a}', []],
  ['name: {"a": 1}', ['Put it in single quotes: name: \'{"a": 1}\'']],
  ['name: ["a"]', ['Put it in single quotes: name: \'["a"]\'']],
  ['name: {"it\'s": 1}', ["Put it in single quotes: name: '{\"it''s\": 1}'"]],
  ['name: { "a": "b"', ['Add }: name: { "a": "b"}', 'Put it in single quotes: name: \'{ "a": "b"\'']],
  ['{"a": 1}', ['Put it in single quotes: \'{"a": 1}\'']],
  ['name:{a: 1}', ['Add a space after the colon: name: {a: 1}']],
  ['name:"a', ['Add a space after the colon: name: "a', 'Add the closing quote: name:"a"']],
  ['name: a: b', ['Put the value in quotes: name: "a: b"']],
  ['name: a #b', []],
  ['name: @a', ['Put the value in quotes: name: "@a"']],
  ['name: `a`', ['Put the value in quotes: name: "`a`"']],
  ['name: %a', ['Put the value in quotes: name: "%a"']],
  ['name: *a', ['Put the value in quotes: name: "*a"']],
  ['name: &a b', ['Put the value in quotes: name: "&a b"']],
  ['name: !a', ['Put the value in quotes: name: "!a"']],
  ['name: ?a', ['Put the value in quotes: name: "?a"']],
  ['name: ,a', ['Put the value in quotes: name: ",a"']],
  ['name: ]a', ['Put the value in quotes: name: "]a"']],
  ['name: }a', ['Put the value in quotes: name: "}a"']],
  ['name: -a', ['Put the value in quotes: name: "-a"']],
  ['name: a"b: c', ["Put the value in quotes: name: 'a\"b: c'"]],
  ['name: a:', ['Remove the text after the value: name: a']],
  ['name: a,', ['Remove the text after the value: name: a']],
  ['name: a;;', ['Remove the text after the value: name: a']],
  ['name: a, # b', ['Remove the text after the value: name: a # b']],
  ['name: |', []],
  ['name: > a: b', []],
  ['name: #x', []],
  ['- a: b: c', ['Put the value in quotes: - a: "b: c"']],
  ['name: a,b', []],
  ['```yaml', ['Put the value in quotes: "```yaml"', 'Remove the line: ']],
  ['~~~', ['Remove the line: ']],
  ['<<<<<<< HEAD', ['Remove the line: ']],
  ['=======', ['Remove the line: ']],
  ['>>>>>>> x', ['Remove the line: ']],
  ['``', ['Put the value in quotes: "``"']],
  ['  ```', ['Put the value in quotes:   "```"', 'Remove the line: ']],
  ['======', []],
  ['', []],
  ['   ', []],
  ['# a', []],
])('the line %j', (line, proposals) => {
  const isOfDash = ({ isRough }: Proposal): boolean => isRough === true;
  expect(
    shown(
      line,
      ofLine(line).filter((one) => !isOfDash(one)),
    ),
  ).toEqual(proposals);
});

test.each<[line: string, proposals: string[]]>([
  ['- name: a', ['Remove the dash~: name: a', 'Remove the dash~:   name: a']],
  ['  - "name": a', ['Remove the dash~:   "name": a', 'Remove the dash~:     "name": a']],
  ['- a', []],
  ['name: a', ['Add a dash~: - name: a']],
  ['  type: a', ['Add a dash~:   - type: a', 'Add a dash~: - type: a']],
  ['  state: up', ['Add a dash?~:   - state: up', 'Add a dash?~: - state: up']],
  ['    ip: a', ['Add a dash~:     - ip: a', 'Add a dash~:   - ip: a']],
  ['word', ['Add a dash~: - word']],
  [' hostname: x', ['Add a dash~:  - hostname: x']],
  ['  1: a', []],
  ['- - name: a', []],
  ['- name:a', []],
  ["- 'a':", ["Remove the dash~: 'a':", "Remove the dash~:   'a':"]],
  ['  url:', ['Add a dash~:   - url:', 'Add a dash~: - url:']],
])('adds or removes a dash in %j', (line, proposals) => {
  const ofDashes = ofLine(line).filter(({ title }) => / (?:the|a) dash$/.test(title) && !title.startsWith('Write'));
  expect(shown(line, ofDashes)).toEqual(proposals);
});

test.each<[line: string, written: string]>([
  ['-name: a', '- name: a'],
  ['- -a', '- - a'],
  ['-"a"', '- "a"'],
  ["-'a'", "- 'a'"],
  ['-{a: 1}', '- {a: 1}'],
  ['-[a]', '- [a]'],
  ['* a', '- a'],
  ['  • a', '  - a'],
  ['– a', '- a'],
  ['— a', '- a'],
  ['. a', '- a'],
  ['  .  a', '  -  a'],
])('repairs the dash in %j', (line, written) => {
  const texts = ofLine(line).map(({ edits }) => applyEdits(line, edits));
  expect(texts).toContain(written);
});

test.each(['-1', '*', '.a'])('proposes no dash in %j', (line) => {
  expect(ofLine(line).filter(({ title }) => /^(?:Write a dash|Add a blank)/.test(title))).toEqual([]);
});

test('lines end at LF, CR LF and CR', () => {
  expect(linesOf('a\nb\r\nc\rd').map(({ number, start, text }) => [number, start, text])).toEqual([
    [1, 0, 'a'],
    [2, 2, 'b'],
    [3, 5, 'c'],
    [4, 7, 'd'],
    [5, 8, ''],
  ]);
  const [, second] = linesOf('x: y\nname:a\n');
  expect(second && shown('x: y\nname:a\n', lineRepairs(second, KEYS))[0]).toBe(
    'Add a space after the colon: x: y\nname: a\n',
  );
});

test.each<[text: string, proposals: string[]]>([
  [
    'a:\n\tb: 1\n \t c: 2\nd: \t3\n',
    [
      'Replace tabs by spaces: a:\n  b: 1\n    c: 2\nd: \t3\n',
      'Replace tabs by spaces: a:\n    b: 1\n      c: 2\nd: \t3\n',
      'Replace tabs by spaces: a:\n        b: 1\n          c: 2\nd: \t3\n',
    ],
  ],
  ['a: b\n c: d​\n﻿e', ['Write ordinary spaces: a: b\n c: d\ne']],
  ['a: "b"\n', []],
  [
    'a: “b”\n- ‘c’\n[„d“, “e"]\n{f: ‘g\'}\n h “i”\n',
    ['Write straight quotes: a: "b"\n- "c"\n["d", "e"]\n{f: "g"}\n h “i”\n'],
  ],
])('a mistake throughout the text %j', (text, proposals) => {
  expect(shown(text, wholeTextRepairs(text, linesOf(text)))).toEqual(proposals);
});

test.each<[text: string, index: number, proposals: string[]]>([
  [
    'a:\n  b: 1\n   c: 2\n  d: 3\n',
    2,
    [
      'Begin the line in column 3~: a:\n  b: 1\n  c: 2\n  d: 3\n',
      'Begin the line in column 1~: a:\n  b: 1\nc: 2\n  d: 3\n',
    ],
  ],
  ['a:\nb: 1\n', 1, ['Begin the line in column 3~: a:\n  b: 1\n']],
  [
    'a:\n- b: 1\n c: 2\n',
    2,
    ['Begin the line in column 1~: a:\n- b: 1\nc: 2\n', 'Begin the line in column 3~: a:\n- b: 1\n  c: 2\n'],
  ],
  [
    'a:\n  - b: 1\n     c: 2\n       d: 3\n\n  e: 1\n',
    2,
    [
      'Begin the line in column 5~: a:\n  - b: 1\n    c: 2\n      d: 3\n\n  e: 1\n',
      'Begin the line in column 5~: a:\n  - b: 1\n    c: 2\n       d: 3\n\n  e: 1\n',
      'Begin the line in column 8~: a:\n  - b: 1\n       c: 2\n         d: 3\n\n  e: 1\n',
      'Begin the line in column 8~: a:\n  - b: 1\n       c: 2\n       d: 3\n\n  e: 1\n',
      'Begin the line in column 3~: a:\n  - b: 1\n  c: 2\n    d: 3\n\n  e: 1\n',
      'Begin the line in column 3~: a:\n  - b: 1\n  c: 2\n       d: 3\n\n  e: 1\n',
      'Begin the line in column 1~: a:\n  - b: 1\nc: 2\n  d: 3\n\n  e: 1\n',
      'Begin the line in column 1~: a:\n  - b: 1\nc: 2\n       d: 3\n\n  e: 1\n',
    ],
  ],
  [
    'a:\n  b:\n    c: 1\n',
    2,
    ['Begin the line in column 3~: a:\n  b:\n  c: 1\n', 'Begin the line in column 1~: a:\n  b:\nc: 1\n'],
  ],
  ['a: # x\n - b\n', 1, ['Begin the line in column 1~: a: # x\n- b\n', 'Begin the line in column 3~: a: # x\n  - b\n']],
  ['a:\n', 1, []],
  [
    'a:\n  # x\n\n  b: 1\n    c: 2\n    d: 3\n',
    4,
    [
      'Begin the line in column 3~: a:\n  # x\n\n  b: 1\n  c: 2\n    d: 3\n',
      'Begin the line in column 1~: a:\n  # x\n\n  b: 1\nc: 2\n    d: 3\n',
    ],
  ],
  ['a: 1\n  b: 2\n', 1, ['Begin the line in column 1~: a: 1\nb: 2\n']],
  [
    'a:\n- - b: 1\n  c: 2\n',
    2,
    ['Begin the line in column 1~: a:\n- - b: 1\nc: 2\n', 'Begin the line in column 5~: a:\n- - b: 1\n    c: 2\n'],
  ],
  ['  a: 1\nb: 2\n', 0, ['Begin the line in column 1~: a: 1\nb: 2\n']],
  [
    'a:\n    b: 1\n      c: 1\n    d: 1\n\n\n',
    1,
    [
      'Begin the line in column 3~: a:\n  b: 1\n    c: 1\n    d: 1\n\n\n',
      'Begin the line in column 3~: a:\n  b: 1\n      c: 1\n    d: 1\n\n\n',
      'Begin the line in column 7~: a:\n      b: 1\n        c: 1\n    d: 1\n\n\n',
      'Begin the line in column 7~: a:\n      b: 1\n      c: 1\n    d: 1\n\n\n',
      'Begin the line in column 1~: a:\nb: 1\n  c: 1\n    d: 1\n\n\n',
      'Begin the line in column 1~: a:\nb: 1\n      c: 1\n    d: 1\n\n\n',
    ],
  ],
])('columns for %j, line %i', (text, index, proposals) => {
  expect(shown(text, indentRepairs(linesOf(text), index))).toEqual(proposals);
});

test('detects quotes that stay open to the end of the line', () => {
  const open = ['name: "a', "name: 'a", 'name: "a\'', 'name: \'a"', 'name: "'];
  const closed = ['name: "a"', "name: 'it''s'", 'name: "a\\"', 'name: a"', "- 'a' # '", '"a": b', ''];
  const isOpen = (text: string): boolean => hasOpenQuote({ number: 1, start: 0, text });
  expect(open.filter((text) => !isOpen(text))).toEqual([]);
  expect(closed.filter(isOpen)).toEqual(['name: "a\\"']);
});
