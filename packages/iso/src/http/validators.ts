// Validators, which distinguish versions of a file (RFC 9110 §8.8), and conditional requests (§13).
import type { PlainRequest } from './answer.ts';

/** The validators in the headers of an answer. */
export interface Validators {
  readonly etag: string | undefined;
  /** In seconds: an HTTP date has no finer part. */
  readonly lastModified: number | undefined;
}

/** `entity-tag` of §8.8.3: visible characters without quotes, in quotes. */
const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g;

/** Whether a text is one strong entity tag. */
export function isStrong(etag: string): boolean {
  return etag.startsWith('"') && etag.match(ENTITY_TAG)?.[0] === etag;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The three formats of §5.6.7: the current one, RFC 850, and C's `asctime`. */
const DATES = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** An HTTP date in seconds; `undefined` if it is absent or invalid. */
export function parseDate(text: string | null): number | undefined {
  if (text === null) return undefined;
  for (const form of DATES) {
    const { day = '', month = '', year = '', time = '' } = text.match(form)?.groups ?? {};
    const [hours, minutes, seconds] = time.split(':').map(Number);
    if (hours === undefined || minutes === undefined || seconds === undefined || !MONTHS.includes(month)) continue;
    const date = new Date(0);
    date.setUTCFullYear(fullYear(year), MONTHS.indexOf(month), Number(day));
    if (date.getUTCDate() !== Number(day) || hours > 23 || minutes > 59 || seconds > 60) return undefined;
    return Math.floor(date.getTime() / 1000) + (hours * 60 + minutes) * 60 + seconds;
  }
  return undefined;
}

/** A two-digit year more than 50 years ahead means the last past year with these digits. */
function fullYear(digits: string): number {
  if (digits.length === 4) return Number(digits);
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + Number(digits);
  return year > now + 50 ? year - 100 : year;
}

/** Seconds as an HTTP date. */
export function formatDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Evaluates the conditions of a GET or HEAD request, in the order of §13.2.2. */
export function evaluateConditions(
  headers: PlainRequest['headers'],
  { etag, lastModified }: Validators,
): 'fulfilled' | 'failed' | 'not-modified' {
  const match = headers.get('if-match');
  const unmodifiedSince = parseDate(headers.get('if-unmodified-since'));
  if (match !== null) {
    if (!includes(match, etag, 'strong')) return 'failed';
  } else if (unmodifiedSince !== undefined && lastModified !== undefined && lastModified > unmodifiedSince) {
    return 'failed';
  }
  const noneMatch = headers.get('if-none-match');
  const modifiedSince = parseDate(headers.get('if-modified-since'));
  if (noneMatch !== null) return includes(noneMatch, etag, 'weak') ? 'not-modified' : 'fulfilled';
  const isOld = modifiedSince !== undefined && lastModified !== undefined && lastModified <= modifiedSince;
  return isOld ? 'not-modified' : 'fulfilled';
}

/** Whether a `Range` applies (§13.1.5): without `If-Range`, or if it names exactly this version. */
export function ifRangeHolds(headers: PlainRequest['headers'], { etag, lastModified }: Validators): boolean {
  const condition = headers.get('if-range')?.trim();
  if (condition === undefined) return true;
  if (condition.includes('"')) return isStrong(condition) && condition === etag;
  const date = parseDate(condition);
  // A file may change twice within one second (§8.8.2.2).
  return date !== undefined && date === lastModified && date < Math.floor(Date.now() / 1000);
}

/** Whether a list of entity tags, or `*`, has the one of this version (§8.8.3.2). */
function includes(list: string, etag: string | undefined, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  if (etag === undefined) return false;
  const tags: readonly string[] = list.match(ENTITY_TAG) ?? [];
  if (comparison === 'strong') return isStrong(etag) && tags.includes(etag);
  return tags.map(opaque).includes(opaque(etag));
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, '');
}

/** The version of the file when it was opened. */
export interface PinnedVersion {
  readonly size: number;
  readonly etag: string | undefined;
  /** As the server wrote it. */
  readonly lastModified: string | undefined;
  /** The value of `If-Range`; `undefined` without a strong validator. */
  readonly validator: string | undefined;
}

/** The version of the file in an answer. */
export function pin({ headers }: Response, size: number): PinnedVersion {
  const etag = headers.get('etag') ?? undefined;
  const lastModified = headers.get('last-modified') ?? undefined;
  const [modified, date] = [parseDate(lastModified ?? null), parseDate(headers.get('date'))];
  // A date distinguishes versions if it was past when the answer was made (§8.8.2.2).
  const isDateStrong = modified !== undefined && date !== undefined && modified < date;
  const validator =
    etag !== undefined && isStrong(etag) ? etag : isDateStrong && etag === undefined ? lastModified : undefined;
  return { size, etag, lastModified, validator };
}

/**
 * Whether an answer's validators are those of another version. Equal strong tags outweigh dates, which may differ
 * between servers behind one name; weak tags may stand for other bytes.
 */
export function isOtherVersion(headers: Headers, { etag, lastModified }: PinnedVersion): boolean {
  const isOtherDate = headers.get('last-modified') !== (lastModified ?? null);
  if (etag === undefined) return isOtherDate;
  const now = headers.get('etag');
  return now !== null && (now !== etag || (!isStrong(now) && isOtherDate));
}
