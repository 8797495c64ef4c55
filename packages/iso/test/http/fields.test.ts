// Fields of requests and answers, by section of RFC 9110.
import { describe, expect, test } from 'vitest';
import { formatContentRange, parseContentRange, parseRange, parseUnsatisfied } from '../../src/http/ranges.ts';
import {
  evaluateConditions,
  ifRangeHolds,
  isOtherVersion,
  isStrong,
  parseDate,
  pin,
} from '../../src/http/validators.ts';

describe('Range (14.2)', () => {
  const shown = (header: string | null, size = 100): string => {
    const ranges = parseRange(header, size);
    return typeof ranges === 'string' ? ranges : ranges.map(({ start, end }) => `${start}-${end}`).join(' ');
  };

  test.each([
    [null, 'whole'],
    ['', 'whole'],
    ['bytes', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=,', 'whole'],
    ['lines=1-2', 'whole'],
    ['xbytes=1-2', 'whole'],
    ['bytes=1', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=5-4', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=1-2,x', 'whole'],
    ['bytes=0-0', '0-1'],
    ['BYTES=5-5', '5-6'],
    ['bytes=5-', '5-100'],
    ['bytes=99-', '99-100'],
    ['bytes=-1', '99-100'],
    ['bytes=-100', '0-100'],
    ['bytes=-200', '0-100'],
    ['bytes=0-99', '0-100'],
    ['bytes=0-1000', '0-100'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=200-,5-6', '5-7'],
    ['bytes= 1-2 ,\t4-5', '1-3 4-6'],
    ['bytes=1-2,3-4', '1-5'],
    ['bytes=1-2,4-5', '1-3 4-6'],
    ['bytes=4-5,1-2', '4-6 1-3'],
    ['bytes=4-5,1-4', '1-6'],
    ['bytes=0-1,10-11,1-10', '0-12'],
    ['bytes=10-20,12-13', '10-21'],
    ['bytes=0-9,50-59,5-19', '0-20 50-60'],
    ['bytes=50-59,0-9,70-79,5-19', '50-60 0-20 70-80'],
  ])('%j requests %s', (header, expected) => {
    expect(shown(header)).toBe(expected);
  });

  test('of an empty file cannot be satisfied, except by a suffix', () => {
    expect(shown('bytes=0-', 0)).toBe('unsatisfiable');
    expect(shown('bytes=-0', 0)).toBe('unsatisfiable');
    expect(shown('bytes=-1', 0)).toBe('whole');
    expect(shown('bytes=-010', 0)).toBe('whole');
  });

  test('may have 64 parts, but not one more', () => {
    const header = (count: number) =>
      `bytes=${Array.from({ length: count }, (_, at) => `${2 * at}-${2 * at}`).join(',')}`;
    expect(shown(header(64), 1000).split(' ')).toHaveLength(64);
    expect(shown(header(65), 1000)).toBe('unsatisfiable');
  });
});

describe('Content-Range (14.4)', () => {
  test.each<[string | null, object | undefined]>([
    ['bytes 0-0/1', { start: 0, end: 1, size: 1 }],
    ['Bytes 5-9/10', { start: 5, end: 10, size: 10 }],
    ['bytes 5-10/10', undefined],
    ['bytes 5-4/10', undefined],
    ['bytes 5-9/*', undefined],
    ['bytes */10', undefined],
    ['bytes 0-9007199254740991/9007199254740993', undefined],
    ['xbytes 0-0/1', undefined],
    ['bytes 0-0/1x', undefined],
    [null, undefined],
  ])('%j means %j', (header, expected) => {
    expect(parseContentRange(header)).toEqual(expected);
  });

  test.each([
    ['bytes */0', 0],
    ['BYTES */12', 12],
    ['bytes */*', undefined],
    ['bytes 0-1/2', undefined],
    ['xbytes */1', undefined],
    ['bytes */1x', undefined],
    [null, undefined],
  ])('%j in an unsatisfiable answer gives the size %s', (header, size) => {
    expect(parseUnsatisfied(header)).toBe(size);
  });

  test('is formatted from a range and a size', () => {
    expect(formatContentRange({ start: 3, end: 7 }, 9)).toBe('bytes 3-6/9');
  });
});

describe('dates (5.6.7)', () => {
  const seconds = (text: string) => Math.floor(Date.parse(text) / 1000);

  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
    ['Sun Nov 16 08:49:37 1994', '1994-11-16T08:49:37Z'],
    ['Mon, 01 Jan 1900 00:00:00 GMT', '1900-01-01T00:00:00Z'],
    ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59Z'],
    ['Thu, 31 Dec 2026 23:59:60 GMT', '2027-01-01T00:00:00Z'],
    ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((month, index) => [
      `Mon, 07 ${month} 2025 01:02:03 GMT`,
      `2025-${String(index + 1).padStart(2, '0')}-07T01:02:03Z`,
    ]),
  ] as [string, string][])('%s is %s', (text, expected) => {
    expect(parseDate(text)).toBe(seconds(expected));
  });

  test.each([
    null,
    '',
    'yesterday',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 31 Nov 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 23:60:00 GMT',
    'Sun, 06 Nov 1994 23:59:61 GMT',
    'xSun, 06 Nov 1994 08:49:37 GMT',
  ])('%j is refused', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  test('with two digits mean a year at most fifty years ahead', () => {
    const now = new Date().getUTCFullYear();
    const read = (year: number) => {
      const date = parseDate(`Sunday, 06-Nov-${String(year % 100).padStart(2, '0')} 08:49:37 GMT`);
      return date === undefined ? undefined : new Date(date * 1000).getUTCFullYear();
    };
    for (const year of [now, now + 1]) expect(read(year)).toBe(year);
    expect(now + 50 - (read(now + 51) ?? 0)).toBeGreaterThan(0);
  });
});

describe('entity tags (8.8.3)', () => {
  test.each([
    ['"a"', true],
    ['""', true],
    ['"!#~"', true],
    ['W/"a"', false],
    ['a', false],
    ['"a', false],
    ['"a b"', false],
    ['"a""b"', false],
  ])('%s is strong: %s', (tag, expected) => {
    expect(isStrong(tag)).toBe(expected);
  });
});

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const EARLIER = 'Sun, 06 Nov 1994 08:49:36 GMT';
const LATER = 'Sun, 06 Nov 1994 08:49:38 GMT';
const VERSION = { etag: '"a"', lastModified: parseDate(DATE) };
const NAMELESS = { etag: undefined, lastModified: undefined };

describe('conditions (13.2.2)', () => {
  test.each<[Record<string, string>, string, string]>([
    [{}, 'fulfilled', 'fulfilled'],
    [{ 'if-match': '"a"' }, 'fulfilled', 'failed'],
    [{ 'if-match': '"b", "a"' }, 'fulfilled', 'failed'],
    [{ 'if-match': '"b"' }, 'failed', 'failed'],
    [{ 'if-match': 'W/"a"' }, 'failed', 'failed'],
    [{ 'if-match': '*' }, 'fulfilled', 'fulfilled'],
    [{ 'if-unmodified-since': EARLIER }, 'failed', 'fulfilled'],
    [{ 'if-unmodified-since': DATE }, 'fulfilled', 'fulfilled'],
    [{ 'if-unmodified-since': 'x' }, 'fulfilled', 'fulfilled'],
    [{ 'if-match': '"a"', 'if-unmodified-since': EARLIER }, 'fulfilled', 'failed'],
    [{ 'if-none-match': '"a"' }, 'not-modified', 'fulfilled'],
    [{ 'if-none-match': 'W/"a"' }, 'not-modified', 'fulfilled'],
    [{ 'if-none-match': '"b"' }, 'fulfilled', 'fulfilled'],
    [{ 'if-none-match': ' * ' }, 'not-modified', 'not-modified'],
    [{ 'if-modified-since': EARLIER }, 'fulfilled', 'fulfilled'],
    [{ 'if-modified-since': DATE }, 'not-modified', 'fulfilled'],
    [{ 'if-modified-since': LATER }, 'not-modified', 'fulfilled'],
    [{ 'if-none-match': '"b"', 'if-modified-since': LATER }, 'fulfilled', 'fulfilled'],
    [{ 'if-match': '"a"', 'if-none-match': '"a"' }, 'not-modified', 'failed'],
  ])('%j gives %s for a version with tag and date, and %s without them', (headers, expected, nameless) => {
    expect(evaluateConditions(new Headers(headers), VERSION)).toBe(expected);
    expect(evaluateConditions(new Headers(headers), NAMELESS)).toBe(nameless);
  });

  test('a weak tag matches itself only in weak comparisons', () => {
    const weak = { ...VERSION, etag: 'W/"a"' };
    expect(evaluateConditions(new Headers({ 'if-match': 'W/"a"' }), weak)).toBe('failed');
    expect(evaluateConditions(new Headers({ 'if-none-match': '"a"' }), weak)).toBe('not-modified');
    expect(ifRangeHolds(new Headers({ 'if-range': 'W/"a"' }), weak)).toBe(false);
  });

  test.each([
    [undefined, true],
    ['"a"', true],
    [' "a" ', true],
    ['"b"', false],
    ['W/"a"', false],
    [DATE, true],
    [EARLIER, false],
    [LATER, false],
    ['x', false],
  ])('evaluates If-Range: %s: %s (13.1.5)', (condition, expected) => {
    expect(ifRangeHolds(new Headers(condition === undefined ? {} : { 'if-range': condition }), VERSION)).toBe(expected);
  });

  test('rejects If-Range with the date of the current second', () => {
    const now = Math.floor(Date.now() / 1000) + 5;
    const headers = new Headers({ 'if-range': new Date(now * 1000).toUTCString() });
    expect(ifRangeHolds(headers, { etag: undefined, lastModified: now })).toBe(false);
  });
});

describe('the version of a file', () => {
  const answer = (headers: Record<string, string>) => pin(new Response(null, { headers }), 7);

  test.each<[Record<string, string>, string | undefined]>([
    [{ etag: '"a"' }, '"a"'],
    [{ etag: 'W/"a"' }, undefined],
    [{ etag: 'W/"a"', 'last-modified': DATE, date: LATER }, undefined],
    [{ 'last-modified': DATE, date: LATER }, DATE],
    [{ 'last-modified': DATE, date: DATE }, undefined],
    [{ 'last-modified': DATE }, undefined],
    [{ etag: '"a"', 'last-modified': DATE, date: LATER }, '"a"'],
    [{}, undefined],
  ])('%j has the validator %s (8.8.2.2)', (headers, validator) => {
    expect(answer(headers)).toEqual({
      size: 7,
      etag: headers['etag'],
      lastModified: headers['last-modified'],
      validator,
    });
  });

  test.each<[Record<string, string>, Record<string, string>, boolean]>([
    [{ etag: '"a"' }, { etag: '"a"' }, false],
    [{ etag: '"a"' }, { etag: '"b"' }, true],
    [{ etag: '"a"' }, {}, false],
    [{ etag: '"a"', 'last-modified': DATE }, { etag: '"a"', 'last-modified': LATER }, false],
    [{ etag: 'W/"a"', 'last-modified': DATE }, { etag: 'W/"a"', 'last-modified': LATER }, true],
    [{ etag: 'W/"a"', 'last-modified': DATE }, { etag: 'W/"a"', 'last-modified': DATE }, false],
    [{ 'last-modified': DATE }, { 'last-modified': DATE }, false],
    [{ 'last-modified': DATE }, { 'last-modified': LATER }, true],
    [{ 'last-modified': DATE }, {}, true],
    [{}, {}, false],
    [{}, { 'last-modified': DATE }, true],
  ])('%j, then %j is another one: %s', (first, then, expected) => {
    expect(isOtherVersion(new Headers(then), answer(first))).toBe(expected);
  });
});
