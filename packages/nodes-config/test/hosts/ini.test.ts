import { keyfileOf } from '@coreiso/nmstate';
import { readIni, writtenIni } from '@coreiso/peers/go';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../test/support/profiles.ts';
import { withPriority } from '../../src/hosts/file-tree.ts';
import { throughIni } from '../../src/rules/through-ini.ts';
import { hidingAs } from '../hiding.ts';

function textOf(sections: Parameters<typeof writtenIni>[0]): string {
  return keyfileOf({ name: '', sections: writtenIni(sections) }).content;
}

function roundTrip(text: string): string {
  const reading = readIni(text);
  return reading.ok ? textOf(reading.sections) : reading.message;
}

describe('a value on its way through the INI library', () => {
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
  ])('a final backslash %s', (_, written, read) => {
    expect(roundTrip(written)).toBe(read);
  });

  test('an open quote takes in lines until one closes it', () => {
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
    ['a line without a delimiter', '[s]\ntext\n', 'key-value delimiter not found: text\n'],
    ['the last of them', '[s]\ntext', 'key-value delimiter not found: text'],
    ['an empty key', '[s]\n=a\n', 'empty key name: =a\n'],
    ['an open section', '[s\n', 'unclosed section: [s\n'],
    ['a section without a name', '[]\n', 'empty section name'],
    ['an open key', '[s]\n"a=b\n', 'missing closing key quote: "a=b\n'],
    ['a quote that nothing closes', '[s]\nk=`a\nb\n', "missing closing key quote from '`a\n' to ''"],
  ])('%s is refused in the library\u2019s words, the line aside', (_, written, message) => {
    const reading = readIni(written);
    expect(reading).toEqual({ ok: false, message: hidingAs(reading.ok ? undefined : reading.message, message) });
  });
});

describe('post-processing', () => {
  test('connects by itself, and before others', () => {
    const content = '[connection]\nautoconnect=false\nid=eth0\n\n[ipv4]\nmethod=auto\n';
    expect(keyfileOf(withPriority(profileOf(content))).content).toBe(
      '[connection]\nautoconnect=true\nid=eth0\nautoconnect-priority=1\n\n[ipv4]\nmethod=auto\n',
    );
  });

  test('a profile without a connection gets one', () => {
    expect(keyfileOf(withPriority(profileOf('[ipv4]\nmethod=auto\n'))).content).toBe(
      '[ipv4]\nmethod=auto\n\n[connection]\nautoconnect=true\nautoconnect-priority=1\n',
    );
  });

  test('a refusal does not quote the line, which may be a secret', () => {
    const settings = [{ key: 'password', value: 'a\nhunter2' }];
    const passage = throughIni({ name: 'eth0.nmconnection', sections: [{ name: '802-1x', settings }] });
    expect(passage).toEqual({ ok: false, message: expect.not.stringContaining('hunter2') });
  });
});

// Whatever the library may change, in every place of a value and a key.
const odd = fc.constantFrom(
  ...'ab=:;#[]-. \t\n\r\u0085\u00a0\ufeff\u2028"\'`\\é',
  '\u{1f600}',
  '"'.repeat(3),
  '\n[x]\n',
  '\n# c\nd=e',
);
const oddText = fc.array(odd, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const setting = fc.record({ key: fc.oneof(fc.constantFrom('id', 'dns-search', 'data.a'), oddText), value: oddText });
const section = fc.record({
  name: fc.constantFrom('connection', 'ipv4', 'user'),
  settings: fc.uniqueArray(setting, { selector: ({ key }) => key, maxLength: 4 }),
});

test('data comes through as text would', () => {
  fc.assert(
    fc.property(fc.uniqueArray(section, { selector: ({ name }) => name, minLength: 1 }), (sections) => {
      const profile = { name: 'a.nmconnection', sections };
      const passage = throughIni(profile);
      expect(passage.ok ? keyfileOf(passage.profile).content : passage.message).toBe(
        roundTrip(keyfileOf(profile).content),
      );
    }),
    { numRuns: 2000 },
  );
});

test('a key beyond the basic plane stays what it is', () => {
  const text = '[s]\n\u{1f600}key=\u{10000}\n';
  const reading = readIni(text);
  expect(reading.ok && textOf(reading.sections)).toBe(text);
});
