import { type ByteSource, compose, overlay, slice, zeros } from '@coreiso/iso';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Part, planParts } from '../../src/s3/parts.ts';

const MIB = 1 << 20;
const GIB = 1024 * MIB;

function baseOf(size: number): ByteSource {
  return { size, read: async () => new Uint8Array() };
}

const shape = (parts: readonly Part[]): [string, number][] => parts.map(({ kind, length }) => [kind, length / MIB]);

function patched(size: number, ...patches: readonly (readonly [offset: number, length: number])[]): Part[] {
  const base = baseOf(size);
  return planParts(
    overlay(
      base,
      patches.map(([offset, length]) => ({ offset, bytes: zeros(length) })),
    ),
    base,
    'x.iso',
  );
}

test.each([
  [
    'in the middle',
    [[10 * MIB, MIB]],
    [
      ['copied', 10],
      ['sent', 5],
      ['copied', 9],
    ],
  ],
  [
    'at the beginning',
    [[0, MIB]],
    [
      ['sent', 5],
      ['copied', 19],
    ],
  ],
  [
    'near the beginning, where nothing before it can be copied',
    [[3 * MIB, MIB]],
    [
      ['sent', 5],
      ['copied', 19],
    ],
  ],
  [
    'just behind what could have been copied',
    [[5 * MIB - 1024, 2048]],
    [
      ['sent', 5 + 1 / 1024],
      ['copied', 19 - 1 / 1024],
    ],
  ],
  [
    'near the end, where the last part may be short',
    [[23 * MIB, MIB / 2]],
    [
      ['copied', 23],
      ['sent', 1],
    ],
  ],
  [
    'behind which the last part can do without some',
    [[18 * MIB, MIB]],
    [
      ['copied', 18],
      ['sent', 5],
      ['copied', 1],
    ],
  ],
  [
    'that takes all of the last part',
    [[19 * MIB, MIB]],
    [
      ['copied', 19],
      ['sent', 5],
    ],
  ],
  [
    'that is sent with the last part, which is shorter than what is wanted',
    [[20 * MIB, MIB]],
    [
      ['copied', 20],
      ['sent', 4],
    ],
  ],
  [
    'that takes from before, because the part behind is too short to give',
    [
      [10 * MIB, MIB],
      [17 * MIB, 5 * MIB],
    ],
    [
      ['copied', 6],
      ['sent', 5],
      ['copied', 6],
      ['sent', 5],
      ['copied', 2],
    ],
  ],
  [
    'twice, close together',
    [
      [10 * MIB, MIB],
      [12 * MIB, MIB],
    ],
    [
      ['copied', 10],
      ['sent', 5],
      ['copied', 9],
    ],
  ],
  [
    'twice, apart',
    [
      [6 * MIB, MIB],
      [18 * MIB, MIB],
    ],
    [
      ['copied', 6],
      ['sent', 5],
      ['copied', 7],
      ['sent', 5],
      ['copied', 1],
    ],
  ],
] as const)('plans a patch %s', (_, patches, expected) => {
  expect(shape(patched(24 * MIB, ...patches))).toEqual(expected);
});

test('copies a base larger than the largest part in several', () => {
  const parts = patched(12 * GIB, [6 * GIB, MIB]);
  expect(parts.filter(({ kind }) => kind === 'sent').map(({ length }) => length)).toEqual([5 * MIB]);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(5 * GIB);
});

test('keeps the largest object within the limit of parts, and refuses a larger one', () => {
  const base = baseOf(5 * 1024 * GIB);
  expect(planParts(compose([base]), base, 'x').length).toBeLessThanOrEqual(10_000);
  expect(planParts(compose([base]), undefined, 'x').length).toBeLessThanOrEqual(10_000);
  expect(() => planParts(compose([base, zeros(1)]), base, 'x')).toThrow(
    expect.objectContaining({ code: 'OPENSHIFT_TOO_LARGE' }),
  );
});

test('plans only legal parts, in order and from the right places', () => {
  const size = 64 * MIB;
  const base = baseOf(size);
  const piece = fc.oneof(
    fc.integer({ min: 1, max: 12 * MIB }).map((length) => zeros(length)),
    fc.tuple(fc.integer({ min: 0, max: size - 1 }), fc.integer({ min: 1, max: size })).map(([offset, length]) => {
      return slice(base, offset, Math.min(length, size - offset));
    }),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const image = compose(pieces);
      const parts = planParts(image, base, 'x');
      let at = 0;
      for (const [index, part] of parts.entries()) {
        expect(part.start).toBe(at);
        at += part.length;
        if (index < parts.length - 1) expect(part.length).toBeGreaterThanOrEqual(5 * MIB);
        expect(part.length).toBeGreaterThan(0);
        if (part.kind !== 'copied') continue;
        const segments = image.segments(part.start, part.start + part.length);
        expect(segments).toMatchObject([{ source: base, offset: part.offset, length: part.length }]);
      }
      expect(at).toBe(image.size);
    }),
    { numRuns: 300 },
  );
});
