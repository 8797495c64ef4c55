import { describe, expect, test } from 'vitest';
import { judge } from '../src/verdict.ts';

/** Pairs of two candidates, of which ours takes `factor` times as long, with noise of up to `noise` on either side. */
function pairs(count: number, factor: number, noise: number) {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: count }, () => ({
    ours: 100 * factor * (1 + noise * random()),
    theirs: 100 * (1 + noise * random()),
  }));
}

describe('a comparison of pairs', () => {
  test.each([
    ['slower', 1.5, 0.3],
    ['faster', 0.6, 0.3],
    ['same', 1, 0.05],
    ['slower', 1.1, 0.02],
  ])('is %s if ours takes %d of the time, with noise of %d', (word, factor, noise) => {
    expect(judge(pairs(15, factor, noise)).word).toBe(word);
  });

  test('does not take noise for a difference', () => {
    expect(judge(pairs(25, 1, 1)).word).not.toMatch(/slower|faster/);
  });

  test('does not let one outlier decide', () => {
    const calm = Array.from({ length: 10 }, () => ({ ours: 100, theirs: 100 }));
    expect(judge([...calm, { ours: 10_000, theirs: 100 }])).toMatchObject({ word: 'same', ratio: 1 });
  });

  test('gives no result for fewer than six pairs', () => {
    expect(judge(pairs(5, 3, 0)).word).toBe('unclear');
    expect(judge(pairs(6, 3, 0)).word).toBe('slower');
  });

  // Ranks of the sign test at 95 %, from its tables: the 2nd of 9, the 6th of 20, the 8th of 25.
  test.each([
    [9, 2],
    [20, 6],
    [25, 8],
  ])('of %d begins at rank %d', (count, rank) => {
    const growing = Array.from({ length: count }, (_, index) => ({ ours: index + 1, theirs: 1 }));
    expect(judge(growing)).toMatchObject({ low: rank, high: count + 1 - rank });
  });
});
