import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOverlay, type Overlay, overlay, type Patch } from '../../src/bytes/overlay.ts';
import { type Bytes, bytesSource } from '../../src/bytes/source.ts';

const base = bytesSource(new Uint8Array(10));
const patch = (offset: number, ...bytes: number[]): Patch => ({ offset, bytes: Uint8Array.from(bytes) });
const contents = async (source: Overlay): Promise<number[]> => [...(await source.read(0, source.size))];

test("shows patches instead of the base's bytes, without changing the base", async () => {
  const original = new Uint8Array(6);
  const image = overlay(bytesSource(original), [patch(4, 3), patch(0, 1, 2)]);
  expect(await contents(image)).toEqual([1, 2, 0, 0, 3, 0]);
  expect(original).toEqual(new Uint8Array(6));
  expect(image.patches.map(({ offset }) => offset)).toEqual([0, 4]);
});

test('truncates the base with keep and appends the tail', async () => {
  const image = overlay(base, [patch(3, 4)], { keep: 4, tail: [Uint8Array.of(7), bytesSource(Uint8Array.of(8, 9))] });
  expect(await contents(image)).toEqual([0, 0, 0, 4, 7, 8, 9]);
  expect({ keep: image.keep, tail: image.tail.size, size: image.size }).toEqual({ keep: 4, tail: 3, size: 7 });
});

describe('an overlay of an overlay', () => {
  test('is one overlay of the first base, in which the later patch wins', async () => {
    const first = overlay(base, [patch(2, 1, 1, 1, 1)]);
    const second = overlay(first, [patch(3, 2, 2), patch(8, 3)]);
    expect(second.base).toBe(base);
    expect(await contents(second)).toEqual([0, 0, 1, 2, 2, 1, 0, 0, 3, 0]);
    expect(second.patches).toEqual([patch(2, 1), patch(3, 2, 2), patch(5, 1), patch(8, 3)]);
    expect(await contents(first)).toEqual([0, 0, 1, 1, 1, 1, 0, 0, 0, 0]);
  });

  test.each<[string, Patch[], Patch[], Patch[]]>([
    ['covers from its beginning', [patch(2, 1, 1, 1)], [patch(2, 2)], [patch(2, 2), patch(3, 1, 1)]],
    ['covers to its end', [patch(2, 1, 1, 1)], [patch(4, 2)], [patch(2, 1, 1), patch(4, 2)]],
    ['covers whole', [patch(2, 1, 1)], [patch(2, 2, 2)], [patch(2, 2, 2)]],
    ['covers and more', [patch(2, 1, 1)], [patch(1, 2, 2, 2, 2)], [patch(1, 2, 2, 2, 2)]],
    ['touches before', [patch(2, 1)], [patch(1, 2)], [patch(1, 2), patch(2, 1)]],
    ['touches behind', [patch(2, 1)], [patch(3, 2)], [patch(2, 1), patch(3, 2)]],
    ['covers with several', [patch(2, 1, 1, 1)], [patch(2, 2), patch(4, 2)], [patch(2, 2), patch(3, 1), patch(4, 2)]],
    [
      'of several covers one',
      [patch(0, 1), patch(2, 1), patch(4, 1)],
      [patch(2, 2)],
      [patch(0, 1), patch(2, 2), patch(4, 1)],
    ],
    [
      'covers all of several',
      [patch(0, 1), patch(2, 1), patch(4, 1)],
      [patch(0, 2, 2, 2, 2, 2)],
      [patch(0, 2, 2, 2, 2, 2)],
    ],
  ])('has the visible part of a patch that a later one %s', (_, earlier, later, expected) => {
    expect(overlay(overlay(base, earlier), later).patches).toEqual(expected);
  });

  test('keeps an uncovered patch unchanged', () => {
    const given = { offset: 2, bytes: bytesSource(Uint8Array.of(1)) };
    const [first, second] = overlay(overlay(base, [given]), [patch(0, 1), patch(3, 1)]).patches.slice(0, 2);
    expect([first, second]).toEqual([patch(0, 1), given]);
    expect(second).toBe(given);
  });

  test('drops a patch at the end of the kept bytes', () => {
    const lower = overlay(base, [patch(2, 1, 1)]);
    expect(overlay(lower, [], { keep: 4 }).patches).toEqual([patch(2, 1, 1)]);
    expect(overlay(lower, [], { keep: 3 }).patches).toEqual([patch(2, 1)]);
    expect(overlay(lower, [], { keep: 2 }).patches).toEqual([]);
    const tailed = overlay(base, [], { keep: 4, tail: [Uint8Array.of(5, 5)] });
    const across = overlay(tailed, [patch(2, 1, 1), patch(4, 2)]);
    expect([across.patches, across.tail.segments()]).toEqual([
      [patch(2, 1, 1)],
      [
        { start: 0, length: 1, bytes: Uint8Array.of(2) },
        { start: 1, length: 1, bytes: Uint8Array.of(5) },
      ],
    ]);
  });

  test('patches a tail across the border of the kept bytes', async () => {
    const first = overlay(base, [], { keep: 4, tail: [Uint8Array.of(5, 5, 5)] });
    const second = overlay(first, [patch(3, 9, 9)], { tail: [Uint8Array.of(6)] });
    expect(await contents(second)).toEqual([0, 0, 0, 9, 9, 5, 5, 6]);
    expect(second.patches).toEqual([patch(3, 9)]);
    expect(second.keep).toBe(4);
  });

  test('can truncate the tail, and bytes before it', async () => {
    const first = overlay(base, [patch(3, 3)], { keep: 4, tail: [Uint8Array.of(5, 5, 5)] });
    expect(await contents(overlay(first, [], { keep: 5 }))).toEqual([0, 0, 0, 3, 5]);
    const shorter = overlay(first, [], { keep: 2, tail: [Uint8Array.of(1)] });
    expect(await contents(shorter)).toEqual([0, 0, 1]);
    expect(shorter.patches).toEqual([]);
    expect(shorter.keep).toBe(2);
  });

  test('never restores bytes of the base that an earlier one removed', async () => {
    const cut = overlay(bytesSource(Uint8Array.of(1, 2, 3)), [], { keep: 1 });
    expect(await contents(overlay(cut, [], { tail: [Uint8Array.of(9)] }))).toEqual([1, 9]);
  });
});

test.each<[string, Patch[], number | undefined, string]>([
  ['overlapping patches', [patch(2, 1, 1), patch(3, 2)], undefined, 'patches'],
  ['two patches at one offset', [patch(2, 1), patch(2, 1)], undefined, 'patches'],
  ['a patch past the end', [patch(9, 1, 2)], undefined, 'patches'],
  ['a patch past the kept bytes', [patch(4, 1)], 4, 'patches'],
  ['a patch before the beginning', [patch(-1, 1)], undefined, 'patches'],
  ['a patch between two bytes', [patch(1.5, 1)], undefined, 'patches'],
  ['more kept bytes than there are', [], 11, 'keep'],
  ['a negative number of kept bytes', [], -1, 'keep'],
  ['a number of kept bytes that is none', [], Number.NaN, 'keep'],
])('refuses %s by name', (_, patches, keep, parameter) => {
  const options = keep === undefined ? {} : { keep };
  expect(() => overlay(base, patches, options)).toThrow(new RegExp(`^${parameter}(?:\\.offset)? must `));
});

test('ignores an empty patch', () => {
  expect(overlay(base, [patch(3), patch(3, 1)]).patches).toEqual([patch(3, 1)]);
});

test('recognises only overlays', () => {
  const { base: below, patches, keep, tail } = overlay(base, []);
  const parts = { base: below, patches, keep, tail };
  expect(isOverlay({ ...base, ...parts } as Overlay)).toBe(true);
  for (const missing of Object.keys(parts)) {
    const { [missing as keyof typeof parts]: _, ...others } = parts;
    expect(isOverlay({ ...base, ...others } as Overlay)).toBe(false);
  }
  expect([isOverlay(base), isOverlay(overlay(base, []))]).toEqual([false, true]);
});

interface Layer {
  readonly gaps: readonly [number, Uint8Array, boolean][];
  readonly keep: number;
  readonly tail: Uint8Array;
}

const layer: fc.Arbitrary<Layer> = fc.record({
  gaps: fc.array(fc.tuple(fc.nat(6), fc.uint8Array({ minLength: 1, maxLength: 6 }), fc.boolean()), { maxLength: 5 }),
  keep: fc.oneof({ weight: 3, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER) }, fc.nat(50)),
  tail: fc.uint8Array({ maxLength: 8 }),
});

test('reads any stack of overlays like an array with the same writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.array(layer, { maxLength: 5 }), async (start, layers) => {
      const first = bytesSource(start);
      let image = overlay(first, []);
      let model = start.slice();
      for (const { gaps, tail, ...wanted } of layers) {
        const keep = Math.min(model.length, wanted.keep);
        const next = model.slice(0, keep);
        const patches: { offset: number; bytes: Bytes }[] = [];
        let position = 0;
        for (const [gap, bytes, inMemory] of gaps) {
          const offset = position + gap;
          position = offset + bytes.length;
          if (position > keep) break;
          patches.push({ offset, bytes: inMemory ? bytes : bytesSource(bytes) });
          next.set(bytes, offset);
        }
        image = overlay(image, patches.reverse(), { keep, tail: [tail] });
        model = Uint8Array.from([...next, ...tail]);
        expect(await image.read(0, image.size)).toEqual(model);
      }
      expect(image.base).toBe(first);
      expect(image.keep + image.tail.size).toBe(model.length);
    }),
    { numRuns: 400 },
  );
});
