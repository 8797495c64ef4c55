import { keyfileOf } from '@coreiso/nmstate';
import { type IniSection, readIni, writtenIni } from '@coreiso/peers/go';
import { HIDDEN } from '@coreiso/peers/hidden';
import { describe, expect, test } from 'vitest';

function textOf(sections: readonly IniSection[]): string {
  return keyfileOf({ name: '', sections: writtenIni(sections) }).content;
}

function roundTrip(text: string): string {
  const reading = readIni(text);
  return reading.ok ? textOf(reading.sections) : reading.message;
}

describe('a value in the INI library', () => {
  test.each([
    ['plain text', 'a b', 'a b'],
    ['outer blanks', ' \t a ', 'a'],
    ['a no-break space in front', '\u00a0a', 'a'],
    ['a byte order mark, which is no blank', '\ufeffa', '\ufeffa'],
    ['double quotes', '"a b"', 'a b'],
    ['single quotes', "'a b'", 'a b'],
    ['quotes around blanks', '" a "', '" a "'],
    ['three quotes of a kind', '"a"b"', '"a"b"'],
    ['quotes of two kinds', `"a'`, `"a'`],
    ['one quote', '"', '"'],
    ['two quotes', '""', ''],
    ['triple quotes', '"""a"b"""', 'a"b'],
    ['backquotes', '`a b`', 'a b'],
    ['text behind a backquote', '`a` b', 'a'],
    ['a backquote inside', 'a`b', '"""a`b"""'],
    ['delimiters', 'a=b:c', 'a=b:c'],
    ['what elsewhere begins a comment', '# a ; b', '# a ; b'],
    ['a backslash inside', 'a\\b', 'a\\b'],
    ['nothing', '', ''],
  ])('%s', (_, written, read) => {
    expect(roundTrip(`[s]\nk=${written}\n`)).toBe(`[s]\nk=${read}\n`);
  });

  test.each([
    ['joins the next line', '[s]\nk=a\\\n  l=b\nm=c\n', '[s]\nk=al=b\nm=c\n'],
    ['joins several', '[s]\nk=a\\\nb\\\nc\nd=e\n', '[s]\nk=abc\nd=e\n'],
    ['ends at an empty line', '[s]\nk=a \\\n\n[t]\nl=b\n', '[s]\nk="a "\n\n[t]\nl=b\n'],
    ['ends with the text', '[s]\nk=a\\', '[s]\nk=a\n'],
    ['leaves the one before it', '[s]\nk=a\\\\\n\nl=b\n', '[s]\nk=a\\\nl=b\n'],
  ])('a final backslash %s', (_, written, read) => {
    expect(roundTrip(written)).toBe(read);
  });

  test('goes on for whole lines until its quote is closed', () => {
    expect(roundTrip('[s]\nk=`a\nb=c\nd`# e\nf=g\n')).toBe('[s]\n# e\nk="""a\nb=c\nd"""\nf=g\n');
  });
});

describe('keys and sections', () => {
  test.each([
    ['a colon ends a key as well', '[s]\na:b=c\n', '[s]\na=b=c\n'],
    ['a quoted key keeps its delimiters', '[s]\n`a:b` = c\n"d=e"=f\n', '[s]\n`a:b`=c\n`d=e`=f\n'],
    ['a key with a backquote is written in triple quotes', '[s]\na`b=c\n', '[s]\n"""a`b"""=c\n'],
    ['a repeated key keeps its place and takes the last value', '[s]\na=1\nb=2\na=3\n', '[s]\na=3\nb=2\n'],
    ['a repeated section is one', '[s]\na=1\n[t]\nb=2\n[s]\nc=3\n', '[s]\na=1\nc=3\n\n[t]\nb=2\n'],
    ['a dash numbers itself', '[s]\n-=a\n-=b\n', '[s]\n-=a\n-=b\n'],
    ['comments stay with what follows', '[s]\n#a\n; b\nk=v\n;c\n[t]\n', '[s]\n# a\n; b\nk=v\n\n; c\n[t]\n'],
    ['what comes before any section has no header', 'a=1\n[s]\nb=2\n', 'a=1\n\n[s]\nb=2\n'],
  ])('%s', (_, written, read) => {
    expect(roundTrip(written)).toBe(read);
  });

  test.each([
    ['a line without a delimiter', '[s]\ntext\n', `key-value delimiter not found: ${HIDDEN}`],
    ['the last of them', '[s]\ntext', `key-value delimiter not found: ${HIDDEN}`],
    ['a quoted key without a delimiter', '[s]\n"a" b\n', `key-value delimiter not found: ${HIDDEN}`],
    ['an empty key', '[s]\n=a\n', `empty key name: ${HIDDEN}`],
    ['a key of blanks', '[s]\n` `=a\n', 'error creating new key: empty key name'],
    ['an open section', '[s\n', `unclosed section: ${HIDDEN}`],
    ['a section without a name', '[]\n', 'empty section name'],
    ['an open key', '[s]\n"a=b\n', `missing closing key quote: ${HIDDEN}`],
    ['an open key in triple quotes', '[s]\n"""a"b=c\n', `missing closing key quote: ${HIDDEN}`],
    ['a quote that nothing closes', '[s]\nk=`a\nb\n', `missing closing key quote from '${HIDDEN}' to '${HIDDEN}'`],
  ])('%s is refused with the library\u2019s message, without the line', (_, written, message) => {
    expect(readIni(written)).toEqual({ ok: false, message });
  });

  test.each<[name: string, written: string, sections: unknown]>([
    ['nothing', '', [{ name: 'DEFAULT', comment: '', entries: [] }]],
    [
      'a header with blanks in front, a bracket inside and a remark behind',
      ' \t[a]b] text # x\n',
      [
        { name: 'DEFAULT', comment: '', entries: [] },
        { name: 'a]b', comment: '# x', entries: [] },
      ],
    ],
    [
      'remarks above and behind a header',
      '; above\n[s] ; behind\nk=v\n',
      [
        { name: 'DEFAULT', comment: '', entries: [] },
        { name: 's', comment: '; above\n; behind', entries: [['k', { value: 'v', comment: '' }]] },
      ],
    ],
    [
      'dashes count by themselves in each section',
      '-=a\n-:b\n[s]\n-=c\n',
      [
        {
          name: 'DEFAULT',
          comment: '',
          entries: [
            ['#1', { value: 'a', comment: '', isNumbered: true }],
            ['#2', { value: 'b', comment: '', isNumbered: true }],
          ],
        },
        { name: 's', comment: '', entries: [['#1', { value: 'c', comment: '', isNumbered: true }]] },
      ],
    ],
    [
      'triple quotes around keys and values, and quotes alone',
      '"""a"b""" = """c"d"""\n`e`:`f`\n"g"=h\nk="""\ni="""\n',
      [
        {
          name: 'DEFAULT',
          comment: '',
          entries: [
            ['a"b', { value: 'c"d', comment: '' }],
            ['e', { value: 'f', comment: '' }],
            ['g', { value: 'h', comment: '' }],
            ['k', { value: '\ni=', comment: '' }],
          ],
        },
      ],
    ],
    [
      'what follows a closing quote is a remark of the key',
      'k=`a\nb` x ; y\nl=c\n',
      [
        {
          name: 'DEFAULT',
          comment: '',
          entries: [
            ['k', { value: 'a\nb', comment: '; y' }],
            ['l', { value: 'c', comment: '' }],
          ],
        },
      ],
    ],
    [
      'a quote that closes in the last line, without its end',
      'k=`a\nb`',
      [{ name: 'DEFAULT', comment: '', entries: [['k', { value: 'a\nb', comment: '' }]] }],
    ],
  ])('%s: read', (_, written, sections) => {
    const reading = readIni(written);
    if (!reading.ok) throw new Error(reading.message);
    expect(reading.sections.map((section) => ({ ...section, entries: [...section.entries] }))).toEqual(sections);
  });

  test.each<[name: string, section: Partial<IniSection>, written: unknown]>([
    ['a nameless section in front', { name: 'DEFAULT' }, []],
    ['in lower case', { name: 'default' }, []],
    ['with a comment', { name: 'DEFAULT', comment: 'a\n#b' }, [{ name: '', settings: [], comment: '; a\n# b' }]],
    ['another one', { name: 's' }, [{ name: 's', settings: [], comment: undefined }]],
    [
      'values in the quotes that they need',
      {
        name: 's',
        entries: new Map(
          [
            ['a', ' b'],
            ['b"', 'c '],
            ['c`', 'd`'],
            ['d:', 'e\nf'],
            ['e=', 'g"h'],
            ['f', ''],
          ].map(([key = '', value = '']) => [key, { value, comment: key === 'a' ? ';x' : '' }]),
        ),
      },
      [
        {
          name: 's',
          comment: undefined,
          settings: [
            { key: 'a', value: '" b"', comment: '; x' },
            { key: '`b"`', value: '"c "', comment: undefined },
            { key: '"""c`"""', value: '"""d`"""', comment: undefined },
            { key: '`d:`', value: '"""e\nf"""', comment: undefined },
            { key: '`e=`', value: 'g"h', comment: undefined },
            { key: 'f', value: '', comment: undefined },
          ],
        },
      ],
    ],
  ])('%s: written', (_, section, written) => {
    expect(writtenIni([{ name: '', comment: '', entries: new Map(), ...section }])).toEqual(written);
  });

  test('writes only the first section without a name', () => {
    const sections = ['s', 'DEFAULT'].map((name) => ({ name, comment: '', entries: new Map() }));
    expect(writtenIni(sections).map(({ name }) => name)).toEqual(['s', 'DEFAULT']);
  });
});

test('keeps a key beyond the basic plane', () => {
  const text = '[s]\n\u{1f600}key=\u{10000}\n';
  const reading = readIni(text);
  expect(reading.ok && textOf(reading.sections)).toBe(text);
});
