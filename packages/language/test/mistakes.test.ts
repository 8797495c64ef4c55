import { expect, test } from 'vitest';
import { mistakes } from './mistakes/generate.ts';
import { replayMistake } from './mistakes/replay.ts';

// All thousand: `npm run mistakes`.
test('finds the mistakes that people make on their line, and mends most of them to what was meant', () => {
  const verdicts = [...mistakes(100, 7)].map((one) => ({ one, ...replayMistake(one) }));
  const wrong = verdicts.filter(({ repair }) => repair === 'wrong').map(({ one }) => `${one.kind}: ${one.label}`);
  expect(wrong).toEqual([]);
  expect(verdicts.filter(({ isFlagged }) => isFlagged).length).toBeGreaterThanOrEqual(100 * 0.95);
  expect(verdicts.filter(({ repair }) => repair === 'right').length).toBeGreaterThanOrEqual(100 * 0.8);
});
