// RFC 9110 §13 and §14 for requests for a file of 1000 bytes.
import type { rangeResponse } from '@coreiso/iso/http';

export const SIZE = 1000;
export const BYTES: Uint8Array = Uint8Array.from({ length: SIZE }, (_, index) => index % 251);
export const MODIFIED = 'Sun, 06 Nov 1994 08:49:37 GMT';
const BEFORE = 'Sun, 06 Nov 1994 08:49:36 GMT';
const AFTER = 'Sun, 06 Nov 1994 08:49:38 GMT';
export const OPTIONS: NonNullable<Parameters<typeof rangeResponse>[2]> = {
  etag: '"v1"',
  lastModified: new Date('1994-11-06T08:49:37.900Z'),
};

/** Values of `Range`, and the bytes of the answer. */
export const SATISFIED: readonly [title: string, range: string, start: number, end: number][] = [
  ['the first byte', 'bytes=0-0', 0, 1],
  ['from the middle on', 'bytes=400-', 400, SIZE],
  ['the last bytes', 'bytes=-10', SIZE - 10, SIZE],
  ['more last bytes than there are', 'bytes=-5000', 0, SIZE],
  ['an end past the end', 'bytes=990-5000', 990, SIZE],
  ['an end that no number can hold', `bytes=990-${'9'.repeat(400)}`, 990, SIZE],
  ['all of it', 'bytes=0-', 0, SIZE],
  ['a unit in upper case', 'BYTES=1-2', 1, 3],
  ['blanks and empty elements', 'bytes= ,,1-2 ,', 1, 3],
  ['two that overlap', 'bytes=10-20,15-30', 10, 31],
  ['two that touch, the later first', 'bytes=21-30,10-20', 10, 31],
  ['one within another', 'bytes=10-30,15-20', 10, 31],
  ['two that a third one joins', 'bytes=0-9,20-29,10-19', 0, 30],
  ['one that can be had of two', 'bytes=2000-3000,5-6', 5, 7],
];

/** Invalid values of `Range`. */
export const IGNORED: readonly [title: string, range: string][] = [
  ['another unit', 'lines=0-1'],
  ['no unit', '0-1'],
  ['a blank before the equals sign', 'bytes =0-1'],
  ['nothing', 'bytes='],
  ['a lone hyphen', 'bytes=-'],
  ['an end before its start', 'bytes=5-4'],
  ['a wrong one among good ones', 'bytes=0-1,x-2'],
  ['a sign', 'bytes=+1-2'],
  ['a fraction', 'bytes=1.5-2'],
  ['two headers', 'bytes=0-1, bytes=4-5'],
];

/** Unsatisfiable values of `Range`. */
export const UNSATISFIED: readonly [title: string, range: string][] = [
  ['past the end', `bytes=${SIZE}-`],
  ['no last bytes', 'bytes=-0'],
  ['several, all past the end', 'bytes=1000-,2000-3000'],
  ['a start that no number can hold', `bytes=${'9'.repeat(400)}-`],
  ['more ranges than anybody needs', `bytes=${Array.from({ length: 65 }, (_, i) => `${i * 3}-${i * 3}`)}`],
];

/** Conditions, and the status of the answer. */
export const CONDITIONS: readonly [title: string, headers: Record<string, string>, status: number][] = [
  ['If-Match with the tag', { 'if-match': '"v0", "v1"' }, 200],
  ['If-Match with anything', { 'if-match': '*' }, 200],
  ['If-Match with another tag', { 'if-match': '"v0"' }, 412],
  ['If-Match with the tag, but weak', { 'if-match': 'W/"v1"' }, 412],
  ['If-Match with no tag', { 'if-match': 'v1' }, 412],
  ['If-Match outweighs If-Unmodified-Since', { 'if-match': '"v1"', 'if-unmodified-since': BEFORE }, 200],
  ['If-Unmodified-Since at the time', { 'if-unmodified-since': MODIFIED }, 200],
  ['If-Unmodified-Since before it', { 'if-unmodified-since': BEFORE }, 412],
  ['If-Unmodified-Since with no date', { 'if-unmodified-since': 'yesterday' }, 200],
  ['If-None-Match with the tag', { 'if-none-match': '"v1"' }, 304],
  ['If-None-Match with the tag, weak and in a list', { 'if-none-match': '"a,b" , W/"v1"' }, 304],
  ['If-None-Match with anything', { 'if-none-match': '*' }, 304],
  ['If-None-Match with another tag', { 'if-none-match': '"v2"' }, 200],
  ['If-None-Match outweighs If-Modified-Since', { 'if-none-match': '"v2"', 'if-modified-since': AFTER }, 200],
  ['If-Match is asked before If-None-Match', { 'if-match': '"v0"', 'if-none-match': '"v1"' }, 412],
  ['If-Modified-Since at the time', { 'if-modified-since': MODIFIED }, 304],
  ['If-Modified-Since before it', { 'if-modified-since': BEFORE }, 200],
  ['If-Modified-Since in the form of RFC 850', { 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 304],
  ['If-Modified-Since in the form of asctime', { 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }, 304],
  ['If-Modified-Since on a day that no month has', { 'if-modified-since': 'Sun, 31 Nov 2094 08:49:37 GMT' }, 200],
  ['a range under a condition that fails', { range: 'bytes=0-1', 'if-match': '"v0"' }, 412],
  ['a range of what the client has', { range: 'bytes=0-1', 'if-none-match': '"v1"' }, 304],
  ['If-Range with the tag', { range: 'bytes=0-1', 'if-range': '"v1"' }, 206],
  ['If-Range with another tag', { range: 'bytes=0-1', 'if-range': '"v2"' }, 200],
  ['If-Range with the tag, but weak', { range: 'bytes=0-1', 'if-range': 'W/"v1"' }, 200],
  ['If-Range with the time', { range: 'bytes=0-1', 'if-range': MODIFIED }, 206],
  ['If-Range with a later time', { range: 'bytes=0-1', 'if-range': AFTER }, 200],
  ['If-Range with neither', { range: 'bytes=0-1', 'if-range': 'v1' }, 200],
  ['If-Range with another tag, and no such range', { range: 'bytes=5000-', 'if-range': '"v2"' }, 200],
  ['If-Range without a range', { 'if-range': '"v2"' }, 200],
];
