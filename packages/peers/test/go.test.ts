// Results of Go 1.26 for random and chosen inputs, recorded by scripts/peers/go.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFloat } from '../src/go/float.ts';
import {
  addressFault,
  base64Length,
  bytesOfBase64,
  canonicalMac,
  cleanPath,
  compareBytes,
  decodeBase64,
  encodeBase64,
  escapeHtml,
  extension,
  goJson,
  goName,
  goQuote,
  goQuoteCharacter,
  goText,
  hex,
  isBlank,
  parseGoUrl,
  parseMac,
  percentDecode,
  queryValue,
  rpmName,
  sortByBytes,
  trimSpace,
  utf8Length,
} from '../src/go/index.ts';
import recorded from './goldens/go.json' with { type: 'json' };

type Rows = readonly (readonly [string, unknown])[];

/** Compares all rows at once, so that a failure shows every row that differs. */
function expectRows(name: keyof typeof recorded, answer: (text: string) => unknown): void {
  const rows = recorded[name] as unknown as Rows;
  const differing = rows.filter(([text, expected]) => JSON.stringify(answer(text)) !== JSON.stringify(expected));
  expect(differing.map(([text, expected]) => [text, answer(text), expected])).toEqual([]);
}

describe('the same results as Go', () => {
  test('%q', () => expectRows('quote', goQuote));

  test('parts of URLs, and errors about them', () => {
    const rows = recorded.url as unknown as Rows;
    for (const [text, expected] of rows) {
      const reading = parseGoUrl(text);
      expect([text, reading.ok ? reading.url : reading.message]).toEqual([text, expected]);
    }
  });

  test('the first value of a name in a query', () => expectRows('query', (text) => queryValue(text, 'a') ?? null));
  test('path.Clean', () => expectRows('clean', cleanPath));
  test('path.Ext', () => expectRows('extension', extension));

  test.each([
    ['base64', {}],
    ['base64url', { alphabet: 'url' }],
    ['base64raw', { padding: 'optional' }],
  ] as const)('the bytes of %s, or the offset of its error', (name, options) => {
    expectRows(name, (text) => {
      const reading = decodeBase64(text, options);
      return reading.ok ? hex(reading.bytes) : utf8Length(text.slice(0, reading.offset));
    });
  });

  test('floats of 32 and 64 bits', () => {
    const ours = recorded.float.map(([text]) => [text, formatFloat(Number(text), 32), formatFloat(Number(text), 64)]);
    expect(ours).toEqual(recorded.float);
  });

  test('errors of netip about addresses', () => {
    for (const [text, { fault }] of recorded.address as unknown as [string, { fault: string | null }][]) {
      expect([text, addressFault(text) ?? null]).toEqual([text, fault]);
    }
  });

  test('white space', () => {
    const spaces: number[] = [];
    for (let code = 0; code <= 0xffff; code++) if (isBlank(String.fromCharCode(code))) spaces.push(code);
    expect(spaces).toEqual(recorded.space);
    expect(trimSpace(String.fromCharCode(...spaces, 0xfeff, ...spaces))).toBe('\ufeff');
  });

  test('sorted texts', () => {
    expect(sortByBytes([...recorded.sort.texts])).toEqual(recorded.sort.sorted);
    expect(recorded.sort.texts.toSorted(compareBytes)).toEqual(recorded.sort.sorted);
  });
});

test('trims a text with many blanks inside in linear time', () => {
  expect(trimSpace(`${' '.repeat(200_000)}a${' '.repeat(200_000)}b`)).toHaveLength(200_002);
});

test('writes base64 as Node does, and reads it back', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = encodeBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(decodeBase64(text)).toEqual({ ok: true, bytes });
      const raw = Buffer.from(bytes).toString('base64url');
      expect(decodeBase64(raw, { alphabet: 'url', padding: 'optional' })).toEqual({ ok: true, bytes });
    }),
  );
});

test('quotes lone surrogates of stray bytes as these bytes', () => {
  expect(goQuote('\udcff')).toBe('"\\xff"');
  expect(goQuote('\ud800')).toBe('"\ufffd"');
});

test.each([
  ['AQI=', '0102'],
  ['AQI', '0102'],
  [' AQ\r\n\tI= ', '0102'],
  ['', ''],
  ['A', undefined],
  ['AQ!=', undefined],
])('reads base64 as PEM files wrap it: %j', (text, digits) => {
  const bytes = bytesOfBase64(text);
  expect(bytes && hex(bytes)).toBe(digits);
});

describe('base64', () => {
  test('is written for texts as for their bytes', () => {
    for (const text of ['', 'a', 'ab', 'abc', 'h\u00e9']) {
      expect(encodeBase64(text)).toBe(Buffer.from(text).toString('base64'));
      expect(encodeBase64(text)).toHaveLength(base64Length(utf8Length(text)));
    }
  });

  test('requires padding unless it is optional', () => {
    expect(decodeBase64('AQI')).toEqual({ ok: false, offset: 0 });
    expect(decodeBase64('AQIDBA')).toEqual({ ok: false, offset: 4 });
    expect(decodeBase64('AQID\u0080')).toEqual({ ok: false, offset: 4 });
    expect(decodeBase64('AQID\u00ff')).toEqual({ ok: false, offset: 4 });
  });
});

describe("net.ParseMAC, with the examples of Go's tests", () => {
  test.each([
    ['00:00:5e:00:53:01', '00:00:5e:00:53:01'],
    ['02:00:5e:10:00:00:00:01', '02:00:5e:10:00:00:00:01'],
    ['00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01'],
    ['00-00-5E-00-53-01', '00:00:5e:00:53:01'],
    ['02-00-5e-10-00-00-00-01', '02:00:5e:10:00:00:00:01'],
    ['0000.5e00.5301', '00:00:5e:00:53:01'],
    ['0200.5e10.0000.0001', '02:00:5e:10:00:00:00:01'],
    ['00005e005301', '00:00:5e:00:53:01'],
  ])('%s', (text, canonical = text) => {
    expect(canonicalMac(text)).toBe(canonical);
    expect(hex(parseMac(text)!)).toBe(canonical.replaceAll(':', ''));
  });

  test.each([
    ...[
      '',
      ':',
      '00',
      '00:00:5e:00:53',
      '00:00:5e:00:53:01:02',
      '00:00-5e:00-53:01',
      '0000:5e00:5301',
      '00.00.5e.00.53.01',
    ],
    ...[
      '00:00:5e:00:53:0g',
      '00:00:5e:00:53:1',
      '0:0:5e:0:53:1',
      '00005e00530',
      '00005e0053',
      '0000.5e00.53',
      ' 00005e005301',
    ],
    ...['00:00:5e:00:53:01:', 'x00005e005301', '00005e005301000000'],
  ])('%j is refused', (text) => {
    expect([parseMac(text), canonicalMac(text)]).toEqual([undefined, undefined]);
  });
});

test('gives the Go and RPM names of architectures', () => {
  const names = ['amd64', 'x86_64', 'arm64', 'aarch64', 's390x', ''];
  expect(names.map(rpmName)).toEqual(['x86_64', 'x86_64', 'aarch64', 'aarch64', 's390x', '']);
  expect(names.map(goName)).toEqual(['amd64', 'amd64', 'arm64', 'arm64', 's390x', '']);
});

test('writes a map sorted by the bytes of keys, with markup escaped', () => {
  const value = { b: [{ d: 1, c: null }], a: { '\uffff': 1, '\u{10000}': 2 }, '<': 'a&b>\u2028\u2029' };
  const text = '{"\\u003c":"a\\u0026b\\u003e\\u2028\\u2029","a":{"\uffff":1,"\u{10000}":2},"b":[{"c":null,"d":1}]}';
  expect(goJson(value, 0)).toBe(text);
  expect(goJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
  expect(escapeHtml('"<"')).toBe('"\\u003c"');
});

test.each([
  ["'", `'\\''`],
  ['"', `'"'`],
  ['a', `'a'`],
  ['\n', `'\\n'`],
  ['\\', `'\\\\'`],
  ['\x01', `'\\x01'`],
  ['\x1f', `'\\x1f'`],
  ['\x7f', `'\\x7f'`],
  ['\x80', `'\\u0080'`],
  ['\xa0', `'\\u00a0'`],
  ['\udfff', `'\ufffd'`],
  ['\uffff', `'\\uffff'`],
  ['\u{10ffff}', `'\\U0010ffff'`],
])('quotes the character %j as %s', (character, shown) => {
  expect(goQuoteCharacter(character)).toBe(shown);
});

test('writes values into string fields as sigs.k8s.io/yaml does', () => {
  expect([null, true, 12n, 1234567.5, 'a', 0.1].map(goText)).toEqual([
    undefined,
    'true',
    '12',
    '1.2345675e+06',
    'a',
    '0.1',
  ]);
});

/** From net/url's own tests and the rules of its parser; `http://a:1:2/` as before Go 1.26. */
test.each([
  ['http://a%b@c/', 'invalid URL escape "%b"'],
  ['http://a:%zz@c/', 'invalid URL escape "%zz"'],
  ['http://a:b%@c/', 'invalid URL escape "%"'],
  ['http://a b@c/', 'net/url: invalid userinfo'],
  ['http://a@b@c/', undefined],
  ['http://a:b:c@d/', undefined],
  ['http://[fe80::1%25en0]/', undefined],
  ['http://[fe80::1%25e%20n]/', undefined],
  ['http://[fe80::1%25e%41]/', undefined],
  ['http://[fe80::1%25e%01]/', 'invalid URL escape "%01"'],
  ['http://[fe80::1%25e%80]/', 'invalid URL escape "%80"'],
  ['http://[fe80::1%41]/', 'invalid URL escape "%41"'],
  ['http://[1.2.3.4]/', 'invalid IP-literal'],
  ['http://[::1]a/', 'invalid port "a" after host'],
  ['http://[::g]/', 'invalid host: ParseAddr("::g"): each colon-separated field must have at least one digit (at "g")'],
  ['http://a%80/', undefined],
  ['http://a%7f/', 'invalid URL escape "%7f"'],
  ['http://a%zz/', 'invalid URL escape "%zz"'],
  ['http://a/%zz', 'invalid URL escape "%zz"'],
  ['///a:b', undefined],
  ['////%zz', 'invalid URL escape "%zz"'],
  ['//a%b/', 'invalid URL escape "%b"'],
  ['//', undefined],
  ['a/b:c', undefined],
  ['a:b%zz', undefined],
  ['http://\u00e9%\u00e9', 'invalid URL escape "%\u00e9"'],
  ['http://a%\u20ac', 'invalid URL escape "%\\xe2\\x82"'],
])('the URL %s: %s', (text, fault) => {
  const reading = parseGoUrl(text);
  expect(reading.ok ? undefined : reading.message).toBe(fault && `parse ${goQuote(text)}: ${fault}`);
});

test('decodes escapes as bytes, alone and in a query', () => {
  expect([...percentDecode('%00a%ff\u00e9')]).toEqual([0, 0x61, 0xff, 0xc3, 0xa9]);
  expect([...percentDecode('')]).toEqual([]);
  const query = 'b;a=0&&a%zz=1&=2&+a=3&a+b=%2B+%26&c';
  expect(['a', '', ' a', 'a b', 'c', 'd'].map((name) => queryValue(query, name))).toEqual([
    ...[undefined, '2', '3', '+ &', '', undefined],
  ]);
});

test('reads six groups and an IPv4 address as one address', () => {
  expect(addressFault('1:2:3:4:5:6:1.2.3.4')).toBeUndefined();
  expect(addressFault('1:2:3:4:5:6:7:1.2.3.4')).toMatch(/embedded IPv4 address must replace the final 2 fields/);
  expect(addressFault('1:2:3:4:5:1.2.3.4')).toMatch(/embedded IPv4 address must replace the final 2 fields/);
});
