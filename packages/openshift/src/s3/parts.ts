// An image as the parts of a multipart upload: ranges that the store copies from the base, and ranges that are sent.

import type { ByteSource, Composition } from '@coreiso/iso';
import { OpenshiftError } from '../errors.ts';

/** A part that the store copies from the base. */
interface CopiedPart {
  readonly kind: 'copied';
  readonly start: number;
  readonly length: number;
  /** Its position in the base. */
  readonly offset: number;
}

/** A part that is sent. */
interface SentPart {
  readonly kind: 'sent';
  readonly start: number;
  readonly length: number;
}

/** A part of a multipart upload. */
export type Part = CopiedPart | SentPart;

const MEBIBYTE = 1024 * 1024;
/** Limits of S3: every part but the last has 5 MiB to 5 GiB, and an object has at most 10,000 parts and 5 TiB. */
export const SMALLEST_PART: number = 5 * MEBIBYTE;
const LARGEST_PART = 5 * 1024 * MEBIBYTE;
const MOST_PARTS = 10_000;
const LARGEST_OBJECT = 5 * 1024 * 1024 * MEBIBYTE;
/** A store sends nothing while it copies: a range of this size takes less than the timeout. */
const COPIED_AT_ONCE = 512 * MEBIBYTE;
/** Parts that are sent are in memory. */
const SENT_AT_ONCE = 16 * MEBIBYTE;

/**
 * The parts of an image. A range that is not in the base and too short for a part is widened to the smallest legal part with
 * adjacent bytes of the base; a rest of the base between two such parts that is too short is sent as well.
 */
export function planParts(source: ByteSource, base: ByteSource | undefined, name: string): Part[] {
  if (source.size > LARGEST_OBJECT) throw tooLarge(source.size, name);
  const parts = piecesOf(source, base);
  for (let change: boolean = true; change; ) change = joinSent(parts) || sendShort(parts) || widenShort(parts);
  // The size grows with the object, so that there are never too many parts: few have to be split.
  const sent = Math.max(SENT_AT_ONCE, Math.ceil(source.size / (MOST_PARTS / 2)));
  const copied = Math.min(LARGEST_PART, Math.max(COPIED_AT_ONCE, Math.ceil(source.size / (MOST_PARTS / 2))));
  const cut = parts.flatMap((part) => cutPart(part, part.kind === 'sent' ? sent : copied));
  if (cut.length > MOST_PARTS) throw tooLarge(source.size, name);
  return cut;
}

function tooLarge(size: number, name: string): OpenshiftError {
  return new OpenshiftError('OPENSHIFT_TOO_LARGE', `${name} has ${size} bytes in too many pieces for an object`, {
    file: name,
  });
}

function piecesOf(source: ByteSource, base: ByteSource | undefined): Part[] {
  const segments = isComposition(source)
    ? source.segments()
    : source.size === 0
      ? []
      : [{ start: 0, length: source.size, source, offset: 0 }];
  return segments.map((segment) => {
    const { start, length } = segment;
    return base !== undefined && 'source' in segment && segment.source === base
      ? { kind: 'copied', start, length, offset: segment.offset }
      : { kind: 'sent', start, length };
  });
}

function isComposition(source: ByteSource): source is Composition {
  return 'segments' in source && typeof source.segments === 'function';
}

/** Merges neighboring parts that are sent. */
function joinSent(parts: Part[]): boolean {
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (part.kind !== 'sent' || next?.kind !== 'sent') continue;
    parts.splice(index, 2, { ...part, length: part.length + next.length });
    return true;
  }
  return false;
}

/** Ranges that are too short to be copied are sent; the last part may have any length. */
function sendShort(parts: Part[]): boolean {
  const index = parts.findIndex((part, position) => {
    return part.kind === 'copied' && part.length < SMALLEST_PART && position < parts.length - 1;
  });
  const part = parts[index];
  if (part === undefined) return false;
  parts[index] = { kind: 'sent', start: part.start, length: part.length };
  return true;
}

/** The first sent part that is too short takes bytes from a neighbor: those that it can spare, or all of the shorter neighbor. */
function widenShort(parts: Part[]): boolean {
  const index = parts.findIndex((part, position) => {
    return part.kind === 'sent' && part.length < SMALLEST_PART && position < parts.length - 1;
  });
  const part = parts[index];
  if (part === undefined) return false;
  const wanted = SMALLEST_PART - part.length;
  const [before, after] = [parts[index - 1], parts[index + 1]];
  const isLast = index + 2 === parts.length;
  const canGive = (length: number, smallest: number): boolean => length === wanted || length - wanted >= smallest;
  if (after?.kind === 'copied' && canGive(after.length, isLast ? 1 : SMALLEST_PART)) {
    parts.splice(index, 2, { ...part, length: SMALLEST_PART }, ...remainderOf(after, wanted, after.length));
  } else if (isLast && after !== undefined && after.length < wanted) {
    // Together they are the last part, which may be short.
    parts.splice(index, 2, { ...part, length: part.length + after.length });
  } else if (before?.kind === 'copied' && canGive(before.length, SMALLEST_PART)) {
    const own: Part = { ...part, start: part.start - wanted, length: SMALLEST_PART };
    parts.splice(index - 1, 2, ...remainderOf(before, 0, before.length - wanted), own);
  } else {
    const shorter =
      before !== undefined && (after === undefined || before.length < after.length) ? index - 1 : index + 1;
    const { start, length } = parts[shorter] ?? part;
    parts[shorter] = { kind: 'sent', start, length };
  }
  return true;
}

function remainderOf({ start, offset }: CopiedPart, from: number, to: number): Part[] {
  return from === to ? [] : [{ kind: 'copied', start: start + from, length: to - from, offset: offset + from }];
}

/** Splits a part into pieces of about the same length, none longer than `longest`. */
function cutPart(part: Part, longest: number): Part[] {
  const count = Math.max(1, Math.ceil(part.length / longest));
  const step = Math.ceil(part.length / count);
  return Array.from({ length: count }, (_, index) => {
    const at = index * step;
    const length = Math.min(step, part.length - at);
    return part.kind === 'sent'
      ? { kind: 'sent', start: part.start + at, length }
      : { kind: 'copied', start: part.start + at, length, offset: part.offset + at };
  });
}
