import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IsoError } from '../../../src/errors.ts';
import { decodeRecipe, encodeRecipe, type Recipe, recipeEntries } from '../../../src/live/minimal/recipe.ts';

const RECIPE: Recipe = {
  appVersion: '0.17.0',
  entries: [
    { minimal: 44, full: 44, length: 2048 },
    { minimal: 45, full: 45, length: 38_912 },
    { minimal: 64, full: 70_000, length: 12 },
  ],
  digest: new Uint8Array(32).fill(7),
  packed: Uint8Array.of(0xfd, 0x37),
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('writes bincode', () => {
  expect(hex(encodeRecipe(RECIPE))).toBe(
    `4d494e49534f000001${'06302e31372e30'}03${'2c2cfb0008'}${'2d2dfb0098'}${'40fc701101000c'}${'07'.repeat(32)}02fd37`,
  );
});

test('reads a written recipe, and ignores bytes after it', () => {
  const padded = new Uint8Array(16_384);
  padded.set(encodeRecipe(RECIPE));
  expect(decodeRecipe(padded)).toEqual(RECIPE);
});

test('accepts numbers that are longer than necessary', () => {
  const long = Uint8Array.from(
    Buffer.from(hex(encodeRecipe(RECIPE)).replace('4d494e49534f000001', '4d494e49534f0000fc01000000'), 'hex'),
  );
  expect(decodeRecipe(long)).toEqual(RECIPE);
});

test('sorts the table, and removes repeated and empty entries', () => {
  const [a, b, c] = RECIPE.entries as [never, never, never];
  expect(recipeEntries([c, a, b, { minimal: 1, full: 1, length: 0 }, a])).toEqual(RECIPE.entries);
});

/** The messages of the error and its causes, outermost first. */
function chain(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(IsoError);
    const messages: string[] = [];
    for (let cause: unknown = error; cause instanceof IsoError; cause = cause.cause) {
      expect(cause.code).toBe('ISO_BAD_RECIPE');
      messages.push(cause.message);
    }
    return messages;
  }
  return [];
}

describe('a damaged recipe', () => {
  const good = encodeRecipe(RECIPE);
  const patched = (at: number, ...bytes: number[]) => {
    const copy = Uint8Array.from(good);
    copy.set(bytes, at);
    return copy;
  };
  const short = 'io error: failed to fill whole buffer';

  test.each<[string, Uint8Array, string[]]>([
    ['nothing', new Uint8Array(), ['failed to deserialize header', short]],
    ['zeros', new Uint8Array(16_384), ['validating header', 'not a miniso file!']],
    [
      'another version',
      patched(8, 2),
      ['validating header', 'incompatible miniso file version: 1 vs 2 (created by 0.17.0)'],
    ],
    [
      'a number of 128 bits',
      patched(8, 254),
      [
        'failed to deserialize header',
        'Invalid value (u128 range): you may have a version or configuration disagreement?',
      ],
    ],
    [
      'a byte that means nothing',
      patched(8, 255),
      [
        'failed to deserialize header',
        '\nByte 255 is treated as an extension point; it should not be encoding anything.\nDo you have a mismatched bincode version or configuration?\n',
      ],
    ],
    [
      'a version over 32 bits',
      patched(8, 253, 1, 0, 0, 0, 1, 0, 0, 0),
      ['failed to deserialize header', 'Invalid u32 4294967297: you may have a version disagreement?'],
    ],
    ['a text that is not UTF-8', patched(10, 255), ['failed to deserialize header', 'string is not valid utf8']],
    ['a text longer than the file', patched(9, 253, ...Array(8).fill(255)), ['failed to deserialize header', short]],
    ['an empty table', patched(16, 0), ['validating table', 'table is empty; ISOs have no files in common?']],
    ['more entries than bytes', patched(16, 250), ['failed to deserialize data', short]],
    ['files that overlap', patched(22, 0x2c), ['validating table', 'Files at offsets 90112 and 90112 overlap']],
    ['a stream longer than the file', patched(good.length - 3, 250), ['failed to deserialize data', short]],
  ])('that is %s is reported as such', (_, bytes, messages) => {
    expect(chain(() => decodeRecipe(bytes))).toEqual(messages);
  });

  test('gives a value or a coded error for any truncation or flip', () => {
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(good.length - 1), fc.nat(255), (end, at, byte) => {
        chain(() => decodeRecipe(patched(at, byte).subarray(0, end)));
      }),
      { numRuns: 2000 },
    );
  });
});

test('refuses a recipe over a mebibyte', () => {
  const large = { ...RECIPE, packed: new Uint8Array(1 << 20) };
  expect(chain(() => encodeRecipe(large))).toEqual(['collision with data size limit at offset 1048576']);
});
