// An image as the parts of a multipart upload: ranges that the store copies from the base, and the rest, which is sent.

import type { ByteSource, Composition } from '@coreiso/iso';
import { OpenshiftError } from '../errors.ts';

/** A part that the store copies from the base. */
interface CopiedPart {
  readonly kind: 'copied';
  readonly start: number;
  readonly length: number;
  /** Where it is in the base. */
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
/** What S3 allows: every part but the last has 5 MiB to 5 GiB, and an object has 10,000 of them and 5 TiB. */
export const SMALLEST_PART: number = 5 * MEBIBYTE;
const LARGEST_PART = 5 * 1024 * MEBIBYTE;
const MOST_PARTS = 10_000;
const LARGEST_OBJECT = 5 * 1024 * 1024 * MEBIBYTE;
/** A store is silent while it copies: this much takes it no longer than one waits for an answer. */
const COPIED_AT_ONCE = 512 * MEBIBYTE;
/** What is sent is in memory. */
const SENT_AT_ONCE = 16 * MEBIBYTE;

/**
 * The parts of an image. What is not of the base, and too short to be a part, is widened to the smallest legal one with bytes of the
 * base beside it; what is left of the base between two such parts and too short is sent as well.
 */
export function planParts(source: ByteSource, base: ByteSource | undefined, name: string): Part[] {
  if (source.size > LARGEST_OBJECT) throw tooLarge(source.size, name);
  const parts = piecesOf(source, base);
  for (let change: boolean = true; change; ) change = joinSent(parts) || sendShort(parts) || widenShort(parts);
  // Growing with the object, so that there are never too many: those that have to be cut are few.
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

/** Neighbours that are sent become one part. */
function joinSent(parts: Part[]): boolean {
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (part.kind !== 'sent' || next?.kind !== 'sent') continue;
    parts.splice(index, 2, { ...part, length: part.length + next.length });
    return true;
  }
  return false;
}

/** What is too short to be copied is sent; the last part may be as short as it likes. */
function sendShort(parts: Part[]): boolean {
  const index = parts.findIndex((part, position) => {
    return part.kind === 'copied' && part.length < SMALLEST_PART && position < parts.length - 1;
  });
  const part = parts[index];
  if (part === undefined) return false;
  parts[index] = { kind: 'sent', start: part.start, length: part.length };
  return true;
}

/** The first part that is too short to be sent takes from a neighbour what the neighbour can do without, or all of the shorter one. */
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

/** A part in pieces of about the same length, none of them longer than `longest`. */
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
