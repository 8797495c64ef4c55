import { documentOf } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { Findings, isUpstream, splitMessages } from '../../src/text/config-findings.ts';
import { type DecodeOptions, decodeDocument } from '../../src/text/decode.ts';
import { entryOf, sourceOf } from '../../src/text/lookup.ts';
import { readAll, readFirst } from '../../src/text/read-text.ts';
import {
  anything,
  boolean,
  cidr,
  cidrList,
  exactText,
  integer,
  labels,
  listOf,
  nested,
  networkState,
  optionalBoolean,
  optionalInteger,
  optionalNested,
  rawValue,
  section,
  text,
  textList,
} from '../../src/text/table.ts';

const INNER = section('types.Inner', 'Inner.', { a: text('A.'), b: integer('B.') });
const ALL = section('types.All', 'All.', {
  text: text('Text.'),
  exact: exactText('Exact.'),
  integer: integer('Integer.'),
  optionalInteger: optionalInteger('Optional.', 'int64'),
  boolean: boolean('Boolean.'),
  optionalBoolean: optionalBoolean('Optional.'),
  texts: textList('Texts.'),
  labels: labels('Labels.'),
  any: anything('Any.'),
  raw: rawValue('Raw.'),
  nested: nested('Nested.', () => INNER),
  optionalNested: optionalNested('Optional.', () => INNER),
  list: listOf('List.', () => INNER),
  pointers: listOf('Pointers.', () => INNER, { pointers: true }),
  cidr: cidr('Network.'),
  cidrs: cidrList('Networks.'),
  network: networkState('State.'),
});

function decode(source: string, options: Partial<DecodeOptions> = {}) {
  const read = readFirst(source, 'P: ', 'strict');
  if (!read.ok) throw new Error('unreadable');
  const [document] = read.documents;
  const findings = new Findings({ mode: 'strict', locate: sourceOf(document).locate });
  const values = decodeDocument(document, ALL, findings, { prefix: 'P: ', strict: false, ...options });
  return { values: values as Record<string, unknown>, found: findings.diagnostics() };
}

const EMPTY = {
  text: '',
  exact: '',
  integer: 0,
  optionalInteger: undefined,
  boolean: false,
  optionalBoolean: undefined,
  texts: [],
  labels: {},
  any: undefined,
  raw: undefined,
  nested: { a: '', b: 0 },
  optionalNested: undefined,
  list: [],
  pointers: [],
  cidr: undefined,
  cidrs: [],
  network: undefined,
};

describe('a field that is absent, or null, has the empty value of Go', () => {
  test('in an empty document', () => {
    expect(decode('{}').values).toEqual(EMPTY);
    expect(decode('').values).toEqual(EMPTY);
    expect(decode('null').values).toEqual(EMPTY);
  });

  test.each(Object.keys(EMPTY).filter((name) => name !== 'network'))('if %s is null', (name) => {
    const { values, found } = decode(`${name}: null`);
    expect(values).toEqual(EMPTY);
    expect(found).toEqual([]);
  });

  test('and a list of nulls has the same number of empty values', () => {
    expect(decode('texts: [~, ~]').values['texts']).toEqual(['', '']);
    expect(decode('list: [~]').values['list']).toEqual([{ a: '', b: 0 }]);
    expect(decode('list: [~]').found).toEqual([]);
    expect(decode('pointers: [{a: x}, ~]').found).toMatchObject([
      { code: 'nodes-config/null-entry', path: ['pointers', 1] },
    ]);
    expect(decode('labels: {a: ~}').values['labels']).toEqual({ a: '' });
  });
});

describe('a value is read as Go reads it', () => {
  test.each<[string, string, unknown]>([
    ['text', '"x"', 'x'],
    ['text', '7', '7'],
    ['text', 'true', 'true'],
    ['exact', 'x', 'x'],
    ['integer', '7', 7],
    ['integer', '9007199254740991', 9_007_199_254_740_991],
    ['integer', '7.0', 7],
    ['optionalInteger', '0', 0],
    ['boolean', 'yes', true],
    ['optionalBoolean', 'false', false],
    ['texts', '[a, 7]', ['a', '7']],
    ['labels', '{b: 1, a: x}', { a: 'x', b: '1' }],
    ['any', '{x: [1]}', undefined],
    ['nested', '{a: x}', { a: 'x', b: 0 }],
    ['optionalNested', '{}', { a: '', b: 0 }],
    [
      'list',
      '[{b: 1}, {a: z}]',
      [
        { a: '', b: 1 },
        { a: 'z', b: 0 },
      ],
    ],
    ['raw', '[1]', expect.objectContaining({ kind: 'sequence' })],
    ['cidr', '192.0.2.1/24', expect.anything()],
    ['cidrs', '[192.0.2.1/24]', [expect.anything()]],
    ['network', '{b: 1, a: {}}', expect.objectContaining({ text: 'a: {}\nb: 1\n', path: ['network'] })],
  ])('%s: %s', (name, written, value) => {
    const { values, found } = decode(`${name}: ${written}`);
    expect(values[name]).toEqual(value);
    expect(found).toEqual([]);
  });

  test('the same section twice in other letter case is read into one', () => {
    expect(decode('NESTED: {a: x}\nnested: {b: 2}').values['nested']).toEqual({ a: 'x', b: 2 });
  });
});

describe('a value of another type is refused in Go\u2019s words, and the earlier value stays', () => {
  const go = 'P: error unmarshaling JSON: while decoding JSON: ';
  const into = (kind: string, field: string, type: string): string =>
    `${go}json: cannot unmarshal ${kind} into Go struct field ${field} of type ${type}`;

  test.each<[string, string, string, string?]>([
    ['text', '[a]', into('array', 'All.text', 'string'), 'Write text here.'],
    ['text', '{a: b}', into('object', 'All.text', 'string'), 'Write text here.'],
    ['exact', '7', into('number', 'All.TypeMeta.exact', 'string'), 'Write "7", in quotes.'],
    ['exact', 'true', into('bool', 'All.TypeMeta.exact', 'string'), 'Write "true", in quotes.'],
    ['integer', 'x', into('string', 'All.integer', 'int'), 'Write a whole number, without quotes and without a unit.'],
    ['integer', '1.5', into('number 1.5', 'All.integer', 'int')],
    ['integer', '9007199254740992', into('number 9007199254740992', 'All.integer', 'int')],
    ['integer', 'true', into('bool', 'All.integer', 'int')],
    ['optionalInteger', '[]', into('array', 'All.optionalInteger', 'int64')],
    ['boolean', '1', into('number', 'All.boolean', 'bool'), 'Write `true` or `false`, without quotes.'],
    ['boolean', '{}', into('object', 'All.boolean', 'bool')],
    ['optionalBoolean', '"true"', into('string', 'All.optionalBoolean', 'bool')],
    [
      'texts',
      'x',
      into('string', 'All.texts', '[]string'),
      'Write a list: each entry on a line of its own, after `- `.',
    ],
    ['labels', '[]', into('array', 'All.labels', 'map[string]string'), 'Write a map of keys and values.'],
    ['nested', 'x', into('string', 'All.nested', 'types.Inner'), 'Write a map of keys and values.'],
    ['optionalNested', '[]', into('array', 'All.optionalNested', 'types.Inner')],
    ['list', '{}', into('object', 'All.list', '[]types.Inner')],
    ['pointers', '7', into('number', 'All.pointers', '[]*types.Inner')],
    ['cidr', '7', into('number', 'All.cidr', 'string')],
    ['cidr', '[]', into('array', 'All.cidr', 'string')],
    ['cidr', 'x', `${go}failed to Parse cidr string to net.IPNet: invalid CIDR address: x`],
  ])('%s: %s', (name, written, message, help) => {
    const { values, found } = decode(`${name}: ${written}`);
    expect(found).toMatchObject([{ code: 'nodes-config/wrong-type', message, path: [name], upstream: true }]);
    expect(found[0]?.range?.start.column).toBe(name.length + 3);
    if (help !== undefined) expect(found[0]?.help).toBe(help);
    expect(values).toEqual(EMPTY);
  });

  test('with its path', () => {
    expect(decode('nested: {b: x}').found).toMatchObject([
      { message: into('string', 'Inner.nested.b', 'int'), path: ['nested', 'b'] },
    ]);
    expect(decode('list: [{}, {a: []}]').found).toMatchObject([
      { message: into('array', 'Inner.list.a', 'string'), path: ['list', 1, 'a'] },
    ]);
    expect(decode('labels: {a: {}}').found).toMatchObject([
      { message: into('object', 'All.labels', 'string'), path: ['labels', 'a'] },
    ]);
    expect(decode('texts: [a, []]').found).toMatchObject([{ path: ['texts', 1] }]);
    // After a section, the message names the outer struct again.
    expect(decode('nested: {}\ntext: []').found).toMatchObject([{ message: into('array', 'All.text', 'string') }]);
  });

  test.each([
    ['[1]', 'array'],
    ['x', 'string'],
    ['7', 'number'],
  ])('a whole document that is %s', (written, kind) => {
    expect(decode(written).found).toMatchObject([
      {
        message: `${go}json: cannot unmarshal ${kind} into Go value of type types.All`,
        path: [],
        help: 'Write a map of keys and values.',
      },
    ]);
  });

  test.each([
    ['.inf', '+Inf'],
    ['-.inf', '-Inf'],
    ['.nan', 'NaN'],
  ])('%s is refused at any place, because JSON has no such number', (written, word) => {
    const places: [string, unknown[]][] = [
      [`any: [{a: ${written}}]`, ['any']],
      [`raw: ${written}`, ['raw']],
      [`network: {a: ${written}}`, ['network']],
      [`unknown: [${written}]`, []],
    ];
    for (const [source, path] of places) {
      const found = decode(source).found.find(isUpstream);
      expect(found).toMatchObject({
        code: 'nodes-config/wrong-type',
        message: `P: error converting YAML to JSON: json: unsupported value: ${word}`,
        path,
      });
    }
  });
});

describe('text that YAML reads as another type', () => {
  test.each([
    ['yes', 'a boolean', 'true'],
    ['0x10', 'a number', '16'],
  ])('%s', (written, kind, read) => {
    expect(decode(`text: ${written}`).found).toMatchObject([
      {
        code: 'nodes-config/unquoted-text',
        message: `\`${written}\` is ${kind} to YAML and becomes the text \`${read}\``,
        path: ['text'],
        help: `Write "${written}", in quotes.`,
        upstream: false,
      },
    ]);
  });
});

describe('unknown keys', () => {
  const unknown = (key: string): string =>
    `P: error unmarshaling JSON: while decoding JSON: json: unknown field "${key}"`;

  test('are reported by coreiso in loose reading, except extensions', () => {
    const { found } = decode('x-mine: 1\n.hidden: 2\ncolour: 3\ntexx: 4\n');
    expect(found).toMatchObject([
      { message: 'unknown key `colour` is ignored', path: ['colour'], upstream: false },
      { message: 'unknown key `texx` is ignored', help: expect.stringMatching(/^Did you mean/) },
    ]);
    expect(found[0]?.help).toMatch(/^Expected one of: text, exact, /);
  });

  test('are refused in strict reading, the first by upstream', () => {
    const { found } = decode('colour: 3\nshade: 4\nx-mine: 5\n', { strict: true });
    expect(found.map(({ message, upstream }) => [message, upstream])).toEqual([
      [unknown('colour'), true],
      [unknown('shade'), false],
      [unknown('x-mine'), false],
    ]);
  });

  test('get a warning if upstream warns, the first one as upstream\u2019s', () => {
    const unknownKeys = { prefix: 'W: ', severity: 'warning' } as const;
    const { found } = decode('colour: 3\nnested: {shade: 4}\n', { strict: true, unknownKeys });
    expect(found.map(({ severity, message, upstream }) => [severity, message, upstream])).toEqual([
      ['warning', unknown('colour').replace('P: ', 'W: '), true],
      ['warning', unknown('shade').replace('P: ', 'W: '), false],
    ]);
    const errors = decode('colour: 3\n', { strict: true, unknownKeys: { prefix: 'W: ', severity: 'error' } });
    expect(errors.found).toMatchObject([{ severity: 'error', message: unknown('colour').replace('P: ', 'W: ') }]);
  });

  test('are reported with special help if there is any', () => {
    const advise = (parent: readonly (string | number)[], key: string) =>
      key === 'shade' ? { help: `Not in ${parent.join('.')}.`, misplaced: true } : undefined;
    expect(decode('nested: {shade: 1, colour: 2}', { advise }).found).toMatchObject([
      { code: 'nodes-config/misplaced-key', help: 'Not in nested.', path: ['nested', 'shade'] },
      { code: 'nodes-config/unknown-key', help: 'Expected one of: a, b.' },
    ]);
  });

  test('differ from known keys in another letter case', () => {
    expect(decode('TEXT: x').found).toMatchObject([
      { severity: 'warning', code: 'nodes-config/key-case', message: '`TEXT` is read as `text`', path: ['text'] },
    ]);
  });
});

describe('repeated keys', () => {
  test('end strict reading, all in one message', () => {
    const { found } = decode('text: a\ntext: b\nnested:\n  a: x\n  a: z\n', { strict: true });
    expect(found[0]).toMatchObject({
      code: 'nodes-config/duplicate-key',
      message:
        'P: error converting YAML to JSON: yaml: unmarshal errors:\n  line 2: key "text" already set in map\n  line 5: key "a" already set in map',
      upstream: true,
      range: { start: { line: 2, column: 1 } },
    });
    expect(found).toHaveLength(2);
    expect(found[1]).toMatchObject({ upstream: false, message: '`a` is given twice; the last one is used' });
  });

  test('are each reported in loose reading, in lists, too', () => {
    const { values, found } = decode('list:\n- {a: x, a: z}\n- {b: 1, b: 2}\n');
    expect(values['list']).toEqual([
      { a: 'z', b: 0 },
      { a: '', b: 2 },
    ]);
    expect(found.map(({ range }) => [range?.start.line, range?.start.column])).toEqual([
      [2, 10],
      [3, 10],
    ]);
  });

  test('of a merge key override keys before it, but not those after it', () => {
    const base = 'x-base: &base {a: merged}\n';
    expect(decode(`${base}nested: {<<: *base, a: own}\n`).found).toEqual([]);
    expect(decode(`${base}nested: {a: own, <<: *base}\n`).found).toMatchObject([
      {
        message: '`a` is overridden by the merge key after it',
        help: 'Put the merge key first.',
        range: { start: { line: 2, column: 10 } },
      },
    ]);
  });
});

describe('findings', () => {
  type Letter = 'a' | 'b' | 'c' | 'd';
  const finding = (letter: Letter, path: (string | number)[] = []) =>
    ({ code: `nmstate/${letter}`, message: letter, path }) as const;
  const said = (findings: Findings<'one' | 'all' | 'last'>): string[] =>
    findings
      .diagnostics()
      .map(({ message, severity, upstream }) => `${severity} ${message}${upstream ? ' upstream' : ''}`);
  const collect = (mode: 'strict' | 'compatible' = 'strict') =>
    new Findings<'one' | 'all' | 'last'>({
      mode,
      steps: [{ name: 'one', endsAtFirst: true }, { name: 'all' }, { name: 'last' }],
    });

  test('of a step that ends at its first error: only that one is upstream\u2019s', () => {
    const findings = collect();
    for (const code of ['a', 'b'] as const) findings.upstream('one', finding(code));
    findings.upstream('all', finding('c'));
    expect(said(findings)).toEqual(['error a upstream', 'error b', 'error c']);
  });

  test('of a step that collects: all are upstream\u2019s', () => {
    const findings = collect();
    findings.upstream('last', finding('c'));
    for (const code of ['a', 'b'] as const) findings.upstream('all', finding(code));
    expect(said(findings)).toEqual(['error a upstream', 'error b upstream', 'error c']);
  });

  test('that are warnings end no step, and are upstream\u2019s up to the step at which it stops', () => {
    const findings = collect();
    findings.upstreamWarning('one', finding('a'));
    findings.upstreamWarning('all', finding('b'), 'info');
    findings.upstream('all', finding('c'));
    findings.upstreamWarning('last', finding('d'));
    expect(said(findings)).toEqual(['error c upstream', 'warning a upstream', 'info b upstream', 'warning d']);
  });

  test('of reading end the run', () => {
    const findings = collect();
    findings.upstream('decode', finding('b'));
    findings.upstream('yaml', finding('a'));
    findings.upstream('yaml', finding('c'));
    expect(said(findings)).toEqual(['error a upstream', 'error b', 'error c']);
  });

  test('of coreiso have the severity of the mode, notes their own', () => {
    for (const mode of ['strict', 'compatible'] as const) {
      const findings = collect(mode);
      findings.own(finding('a'));
      findings.note('error', finding('b'));
      findings.note('info', finding('c'));
      expect(said(findings)).toEqual([`${mode === 'strict' ? 'error' : 'warning'} a`, 'error b', 'info c']);
      expect(findings.outcome(7).ok).toBe(false);
    }
    const quiet = collect('compatible');
    quiet.own(finding('a'));
    expect(quiet.outcome(7)).toMatchObject({ ok: true, value: 7 });
  });

  test('are in the order of the text, those without a place first', () => {
    const range = (offset: number) => ({
      start: { offset, line: 1, column: offset + 1 },
      end: { offset: offset + 1, line: 1, column: offset + 2 },
    });
    const findings = new Findings({ mode: 'strict', locate: (path) => (path[0] === 'x' ? range(5) : undefined) });
    findings.own(finding('c', ['x']));
    findings.own(finding('b'), range(0));
    findings.own(finding('a', ['x']), 'elsewhere');
    findings.own(finding('d', ['x']), range(7));
    expect(findings.diagnostics().map(({ message, range: at }) => [message, at?.start.offset])).toEqual([
      ['a', undefined],
      ['b', 0],
      ['c', 5],
      ['d', 7],
    ]);
  });

  test('are split by origin, each message of upstream once', () => {
    const findings = collect();
    for (const code of ['a', 'a', 'b'] as const) findings.upstream('all', finding(code));
    findings.own(finding('c'));
    findings.upstreamWarning('all', finding('d'));
    expect(splitMessages(findings.diagnostics())).toEqual({ upstream: ['a', 'b'], extra: ['c', 'd'] });
    expect(() => splitMessages(7 as never)).toThrow(/^diagnostics must be /);
    expect(() => isUpstream(7 as never)).toThrow(/^finding must be /);
  });
});

describe('places in a document', () => {
  const source = (text: string) => {
    const read = readFirst(text, '', 'strict');
    if (!read.ok) throw new Error('unreadable');
    return { source: sourceOf(read.documents[0]), root: read.documents[0].root };
  };
  const start = (range: { start: { line: number; column: number } } | undefined) =>
    range && [range.start.line, range.start.column];

  test('are found in any letter case, and for a path that does not exist by its longest existing part', () => {
    const { source: at } = source('Hosts:\n- name: x\n');
    expect(start(at.locate(['hosts', 0, 'NAME']))).toEqual([2, 9]);
    expect(start(at.locate(['hosts', 0, 'other', 'deeper']))).toEqual([2, 3]);
    expect(start(at.locateKey(['hosts', 0], 'name'))).toEqual([2, 3]);
    expect(start(at.locateKey(['hosts', 0], 'other'))).toEqual([2, 3]);
    expect(start(at.locateKey(['hosts'], 'other'))).toEqual([2, 1]);
    expect(start(source('').source.locate([]))).toBeUndefined();
  });

  test('do not exist in an object', () => {
    const outcome = documentOf({ a: 1 });
    expect(outcome.ok && sourceOf(outcome.value).locate(['a'])).toBeUndefined();
  });

  test('are those of the greatest key if keys differ in case, and of the last of equal keys', () => {
    const entry = (text: string): unknown => {
      const { root } = source(text);
      const value = root?.kind === 'mapping' ? entryOf(root, 'name')?.value : undefined;
      return value?.kind === 'scalar' ? value.text : undefined;
    };
    expect(entry('name: a\nNAME: b\n')).toBe('a');
    expect(entry('NAME: b\nname: a\n')).toBe('a');
    expect(entry('name: a\nname: b\n')).toBe('b');
    expect(entry('other: c\n')).toBeUndefined();
  });
});

describe('the part of a text that is read', () => {
  test('is the first document, with the place of a second one that is not empty', () => {
    const ignored = (text: string) => {
      const read = readFirst(text, '', 'strict');
      return read.ok && read.ignored && [read.ignored.start.line, read.ignored.start.column];
    };
    expect(ignored('a: 1\n')).toBeUndefined();
    expect(ignored('a: 1\n---\n')).toBeUndefined();
    expect(ignored('a: 1\n---\nb: 2\n')).toEqual([3, 1]);
    expect(ignored('a: 1\n---\n\nb: [\n')).toEqual(expect.any(Array));
  });

  test('is all documents, and none may be broken', () => {
    const read = readAll('a: 1\n---\nb: 2\n', '', 'strict');
    expect(read.ok && [read.documents.length, read.ignored]).toEqual([2, undefined]);
    expect(readAll('a: 1\n---\nb: [\n', '', 'strict').ok).toBe(false);
  });

  test.each([
    [99, 1000, true],
    [2000, 10, false],
    [497, 1, true],
    [498, 1, false],
  ])('may have %i aliases of a list of %i: %s', (uses, length, isFine) => {
    const text = `a: &a [${'x, '.repeat(length)}]\nb: [${'*a, '.repeat(uses)}]\n`;
    const read = readFirst(text, 'P: ', 'strict');
    expect(read.ok).toBe(isFine);
    if (read.ok) return;
    expect(read.findings.diagnostics()).toMatchObject([
      {
        code: 'nodes-config/excessive-aliasing',
        message: 'P: error converting YAML to JSON: yaml: document contains excessive aliasing',
        upstream: true,
      },
    ]);
  });

  test('may be nothing but a comment with a star', () => {
    expect(readFirst('# *\n', '', 'strict').ok).toBe(true);
  });

  test.each([
    [7, 'strict', /^source must be text, bytes or an object, not 7$/],
    [null, 'strict', /^source must be text, bytes or an object, not null$/],
    ['', 'lax', /^mode must be strict or compatible, not lax$/],
  ])('has to be a valid argument: %j, %s', (source, mode, message) => {
    expect(() => readFirst(source as string, '', mode as 'strict')).toThrow(message);
  });

  test('is refused by coreiso if it is too deep, and otherwise by upstream', () => {
    const refusal = (text: string) => {
      const read = readFirst(text, 'P: ', 'compatible');
      return read.ok ? [] : read.findings.diagnostics();
    };
    const circle: Record<string, unknown> = {};
    circle['a'] = circle;
    const deep = readFirst(circle, 'P: ', 'compatible');
    expect(deep.ok ? [] : deep.findings.diagnostics()).toMatchObject([
      { code: 'diagnostics/too-deep', severity: 'error', upstream: false },
    ]);
    expect(refusal('a: [')).toMatchObject([
      {
        code: 'diagnostics/yaml-syntax',
        upstream: true,
        message: expect.stringMatching(/^P: error converting YAML to JSON: yaml: /),
      },
    ]);
  });
});
