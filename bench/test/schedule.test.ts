import { expect, test } from 'vitest';
import { BENCHES } from '../src/benches/index.ts';
import { durationText, isDefault, secondsOf } from '../src/schedule.ts';

test('knows how long each row takes', () => {
  const names = BENCHES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const bench of BENCHES) expect(secondsOf(bench, 5)).toBeGreaterThan(0);
});

test('keeps the default rows within five minutes', () => {
  const planned = BENCHES.filter(isDefault).reduce((sum, bench) => sum + secondsOf(bench, 5), 0);
  expect(planned).toBeLessThan(5 * 60);
});

test.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [60, '1 min 0 s'],
  [200.5, '3 min 21 s'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
