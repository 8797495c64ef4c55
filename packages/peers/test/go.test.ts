// Answers of Go 1.26 to random and chosen inputs, recorded by scripts/peers/go.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFloat } from '../src/go/float.ts';
import {
  addressFault,
  bytesOfBase64,
  cleanPath,
  compareBytes,
  decodeBase64,
  encodeBase64,
  extension,
  goQuote,
  hex,
  isBlank,
  parseGoUrl,
  queryValue,
  sortByBytes,
  trimSpace,
  utf8Length,
} from '../src/go/index.ts';
import recorded from './goldens/go.json' with { type: 'json' };

type Rows = readonly (readonly [string, unknown])[];

/** All at once, so that a failure shows every row that differs. */
function expectRows(name: keyof typeof recorded, answer: (text: string) => unknown): void {
  const rows = recorded[name] as unknown as Rows;
  const differing = rows.filter(([text, expected]) => JSON.stringify(answer(text)) !== JSON.stringify(expected));
  expect(differing.map(([text, expected]) => [text, answer(text), expected])).toEqual([]);
}

describe("Go's answers", () => {
  test('what %q escapes', () => expectRows('quote', goQuote));

  test('which URLs are read, into which parts, and what is said of the others', () => {
    const rows = recorded.url as unknown as Rows;
    for (const [text, expected] of rows) {
      const reading = parseGoUrl(text);
      expect([text, reading.ok ? reading.url : reading.message]).toEqual([text, expected]);
    }
  });

  test('the first value of a name in a query', () => expectRows('query', (text) => queryValue(text, 'a') ?? null));
  test('what path.Clean leaves', () => expectRows('clean', cleanPath));
  test('what path.Ext finds', () => expectRows('extension', extension));

  test.each([
    ['base64', {}],
    ['base64url', { alphabet: 'url' }],
    ['base64raw', { padding: 'optional' }],
  ] as const)('the bytes of %s, or where it gives up', (name, options) => {
    expectRows(name, (text) => {
      const reading = decodeBase64(text, options);
      return reading.ok ? hex(reading.bytes) : utf8Length(text.slice(0, reading.offset));
    });
  });

  test('how floats of 32 and 64 bits are printed', () => {
    const ours = recorded.float.map(([text]) => [text, formatFloat(Number(text), 32), formatFloat(Number(text), 64)]);
    expect(ours).toEqual(recorded.float);
  });

  test('what netip says about addresses', () => {
    for (const [text, { fault }] of recorded.address as unknown as [string, { fault: string | null }][]) {
      expect([text, addressFault(text) ?? null]).toEqual([text, fault]);
    }
  });

  test('which characters are white space', () => {
    const spaces: number[] = [];
    for (let code = 0; code <= 0xffff; code++) if (isBlank(String.fromCharCode(code))) spaces.push(code);
    expect(spaces).toEqual(recorded.space);
    expect(trimSpace(String.fromCharCode(...spaces, 0xfeff, ...spaces))).toBe('\ufeff');
  });

  test('how texts are sorted', () => {
    expect(sortByBytes([...recorded.sort.texts])).toEqual(recorded.sort.sorted);
    expect(recorded.sort.texts.toSorted(compareBytes)).toEqual(recorded.sort.sorted);
  });
});

test('a text with many blanks inside is trimmed in linear time', () => {
  expect(trimSpace(`${' '.repeat(200_000)}a${' '.repeat(200_000)}b`)).toHaveLength(200_002);
});

test('base64 is written as Node writes it and reads back', () => {
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

test('a byte that is no character, kept as a lone surrogate, is shown as that byte', () => {
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
])('base64 as PEM files wrap it: %j', (text, digits) => {
  const bytes = bytesOfBase64(text);
  expect(bytes && hex(bytes)).toBe(digits);
});
