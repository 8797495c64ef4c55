import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { plainOf, thrownAt } from '../../../../test/support/spoiled.ts';
import { generateKeyfiles } from '../../src/index.ts';

const goldens = new Goldens(new URL('../goldens/nmstate.json', import.meta.url));

const MODES = ['strict', 'compatible'] as const;

describe.each(MODES)('%s', (mode) => {
  test('gives an outcome for any value at any place of a state', () => {
    const states = goldens.paths(/\.yml$/).map((path) => [plainOf(goldens.text(path)), undefined] as const);
    const thrown = thrownAt(
      states,
      (text) => {
        const value: unknown = JSON.parse(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) generateKeyfiles(value, { mode });
        return generateKeyfiles(text, { mode });
      },
      { index: MODES.indexOf(mode), of: MODES.length },
    );
    expect(thrown).toEqual([]);
  });
});
