import { expect, test } from 'vitest';
import { generateKeyfiles } from '../src/generate.ts';
import { sampleState } from '../src/sample.ts';

test('finds nothing in the sample, in both modes', () => {
  for (const mode of ['strict', 'compatible'] as const) {
    const outcome = generateKeyfiles(sampleState, { mode });
    expect([outcome.ok, outcome.diagnostics]).toEqual([true, []]);
    expect(outcome.ok && outcome.value.map(({ name }) => name.replace('.nmconnection', '')).sort()).toEqual([
      'bond0',
      'bond0.100',
      'br0',
      'eno1',
      'eno2',
      'eno3',
      'storage',
    ]);
  }
});
