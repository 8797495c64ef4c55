// `Range` and `Content-Range` (RFC 9110 §14).

/** Bytes from `start` up to `end`, which is the position after the last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** More ranges than this in one request are an attack or a mistake (§14.2). */
const MOST_RANGES = 64;

/**
 * The ranges that a `Range` header requests of `size` bytes, in its order; overlapping and adjacent ranges are merged.
 * `whole` if the header is invalid or unsupported and is ignored (§14.2).
 */
export function parseRange(header: string | null, size: number): readonly ByteRange[] | 'whole' | 'unsatisfiable' {
  const list = header?.match(/^bytes=(.*)$/is)?.[1];
  if (list === undefined) return 'whole';
  const specs = list
    .split(',')
    .map((spec) => spec.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((spec) => spec !== '');
  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const range = parseSpec(spec, size);
    if (range === undefined) return 'whole';
    if (range.start < range.end) ranges.push(range);
    // A suffix range of an empty file is satisfiable, but `Content-Range` cannot express it.
    else if (size === 0 && /^-0*[1-9]/.test(spec)) return 'whole';
  }
  if (specs.length === 0) return 'whole';
  return ranges.length === 0 || specs.length > MOST_RANGES ? 'unsatisfiable' : coalesce(ranges);
}

/** One range, empty if it cannot be satisfied; `undefined` if it is invalid. */
function parseSpec(spec: string, size: number): ByteRange | undefined {
  const [, first, last] = spec.match(/^(\d*)-(\d*)$/) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { start: Math.min(Number(first), size), end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

function coalesce(ranges: readonly ByteRange[]): ByteRange[] {
  const apart: ByteRange[] = [];
  for (const range of ranges) {
    let { start, end } = range;
    let place = apart.length;
    for (let index = apart.length - 1; index >= 0; index--) {
      const other = apart[index];
      if (other === undefined || other.start > end || other.end < start) continue;
      start = Math.min(start, other.start);
      end = Math.max(end, other.end);
      apart.splice(index, 1);
      place = index;
    }
    apart.splice(place, 0, { start, end });
  }
  return apart;
}

/** `Content-Range` of a part of `size` bytes. */
export function formatContentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`;
}

/** Parses a `Content-Range`: the range and the size; `undefined` unless it has both. */
export function parseContentRange(header: string | null): (ByteRange & { readonly size: number }) | undefined {
  const [, first, last, complete] = header?.match(/^bytes (\d+)-(\d+)\/(\d+)$/i) ?? [];
  const [start, end, size] = [Number(first), Number(last) + 1, Number(complete)];
  const isSound = Number.isSafeInteger(size) && start < end && end <= size;
  return isSound ? { start, end, size } : undefined;
}

/** The size in the `Content-Range` of a 416 answer. */
export function parseUnsatisfied(header: string | null): number | undefined {
  const [, complete] = header?.match(/^bytes \*\/(\d+)$/i) ?? [];
  return complete === undefined ? undefined : Number(complete);
}
