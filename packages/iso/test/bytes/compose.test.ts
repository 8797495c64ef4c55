import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Composition, compose, slice } from '../../src/bytes/compose.ts';
import { type ByteSource, type Bytes, bytesSource, zeros } from '../../src/bytes/source.ts';

const ascending = (length: number, from = 0): Uint8Array => Uint8Array.from({ length }, (_, index) => from + index);

/** A source that records its reads. */
function counted(bytes: Uint8Array): ByteSource & { reads: [number, number][] } {
  const reads: [number, number][] = [];
  const source = bytesSource(bytes);
  return {
    size: bytes.length,
    reads,
    read(offset, length, signal) {
      reads.push([offset, length]);
      return source.read(offset, length, signal);
    },
  };
}

describe('reading', () => {
  test('inside one part reads only that part, once, without a copy', async () => {
    const inner = counted(ascending(10));
    const bytes = ascending(10, 50);
    const whole = compose([bytes, inner]);
    expect((await whole.read(12, 5)).buffer).toBe((await inner.read(0, 1)).buffer);
    expect(inner.reads[0]).toEqual([2, 5]);
    expect((await whole.read(2, 5)).buffer).toBe(bytes.buffer);
  });

  test('across parts reads only the needed ones', async () => {
    const sources = [0, 10, 20, 30].map((from) => counted(ascending(10, from)));
    expect(await compose(sources).read(15, 10)).toEqual(ascending(10, 15));
    expect(sources.map(({ reads }) => reads)).toEqual([[], [[5, 5]], [[0, 5]], []]);
  });

  test('finds one part among a hundred thousand', async () => {
    const parts = Array.from({ length: 100_000 }, (_, index) => Uint8Array.of(index & 255));
    const whole = compose(parts);
    expect(whole.size).toBe(100_000);
    expect(await whole.read(65_535, 3)).toEqual(Uint8Array.of(255, 0, 1));
  });

  test('uses exact positions beyond 32 bits', async () => {
    const far = 2 ** 40 + 3;
    const whole = compose([zeros(far), Uint8Array.of(1, 2), zeros(2 ** 33)]);
    expect(whole.size).toBe(far + 2 + 2 ** 33);
    expect(await whole.read(far - 1, 4)).toEqual(Uint8Array.of(0, 1, 2, 0));
    expect(whole.segments(far)[0]).toEqual({ start: far, length: 2, bytes: Uint8Array.of(1, 2) });
  });

  test.each([
    ['past the end', 5, 6],
    ['after the end', 11, 0],
  ])('%s is a short read that names its offset', async (_, offset, length) => {
    await expect(compose([ascending(10)]).read(offset, length)).rejects.toMatchObject({
      code: 'ISO_SHORT_READ',
      offset,
    });
  });

  test('rejects with the reason of an abort, even from memory', async () => {
    const reason = new Error('enough');
    await expect(compose([ascending(4)]).read(0, 2, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('refuses more bytes than a position can count', () => {
    expect(() => compose([zeros(Number.MAX_SAFE_INTEGER), zeros(1)])).toThrow(RangeError);
  });
});

describe('segments', () => {
  test('name their first origin, even in nested compositions', () => {
    const inner = bytesSource(ascending(10));
    const nested = compose([compose([slice(inner, 2, 6), Uint8Array.of(9)])]);
    expect(slice(nested, 4, 3).segments()).toEqual([
      { start: 0, length: 2, source: inner, offset: 6 },
      { start: 2, length: 1, bytes: Uint8Array.of(9) },
    ]);
  });

  test('merge if slices continue one another', () => {
    const inner = bytesSource(ascending(10));
    expect(compose([slice(inner, 0, 4), slice(inner, 4, 6)]).segments()).toEqual([
      { start: 0, length: 10, source: inner, offset: 0 },
    ]);
  });

  test('do not include another kind of segments of a source', () => {
    const source = { ...bytesSource(ascending(4)), segments: 3 };
    expect(compose([source]).segments()).toEqual([{ start: 0, length: 4, source, offset: 0 }]);
  });

  test('are never empty', () => {
    expect(compose([new Uint8Array(), zeros(0)]).segments()).toEqual([]);
    expect(compose([ascending(4)]).segments(2, 2)).toEqual([]);
  });

  test.each([
    [3, 2],
    [-1, 2],
    [0.5, 2],
  ])('refuse a range from %d to %d', (start, end) => {
    expect(() => compose([ascending(4)]).segments(start, end)).toThrow(RangeError);
  });

  test('a slice outside its source is a short read', () => {
    expect(() => slice(bytesSource(ascending(4)), 2, 3)).toThrow(expect.objectContaining({ code: 'ISO_SHORT_READ' }));
  });
});

/** A tree of compositions and slices, and its expected bytes. */
interface Modelled {
  readonly part: Bytes;
  readonly model: Uint8Array;
}

const { tree } = fc.letrec<{ tree: Modelled; leaf: Modelled; joined: Modelled; cut: Modelled }>((tie) => ({
  tree: fc.oneof({ maxDepth: 5, withCrossShrink: true }, tie('leaf'), tie('joined'), tie('cut')),
  leaf: fc
    .tuple(fc.uint8Array({ maxLength: 12 }), fc.boolean())
    .map(([model, inMemory]) => ({ model, part: inMemory ? model : bytesSource(model) })),
  joined: fc.array(tie('tree'), { maxLength: 4 }).map((children) => ({
    part: compose(children.map(({ part }) => part)),
    model: Uint8Array.from(children.flatMap(({ model }) => [...model])),
  })),
  cut: fc.tuple(tie('tree'), fc.nat(20), fc.nat(20)).map(([{ part, model }, a, b]) => {
    const offset = a % (model.length + 1);
    const length = b % (model.length - offset + 1);
    return { part: slice(compose([part]), offset, length), model: model.slice(offset, offset + length) };
  }),
}));

const assemble = async (whole: Composition, start: number, end: number): Promise<number[]> => {
  let position = start;
  const bytes: number[] = [];
  for (const segment of whole.segments(start, end)) {
    expect(segment.start).toBe(position);
    expect(segment.length).toBeGreaterThan(0);
    position += segment.length;
    bytes.push(...('bytes' in segment ? segment.bytes : await segment.source.read(segment.offset, segment.length)));
  }
  expect(position).toBe(end);
  return bytes;
};

test('reads any composition like one array of its bytes', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(60), fc.nat(60), async ({ part, model }, a, b) => {
      const whole = compose([part]);
      expect(whole.size).toBe(model.length);
      const start = a % (model.length + 1);
      const end = start + (b % (model.length - start + 1));
      expect(await whole.read(start, end - start)).toEqual(model.slice(start, end));
      expect(await assemble(whole, start, end)).toEqual([...model.slice(start, end)]);
    }),
    { numRuns: 500 },
  );
});
