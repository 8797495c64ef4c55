import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { SCRIPTS } from '../../src/join/generated/scripts.ts';
import { SHELLS } from './fake-root.ts';

test('keeps the generated module of scripts up to date', () => {
  const generator = fileURLToPath(new URL('../../scripts/generate.mjs', import.meta.url));
  expect(run(process.execPath, [generator, '--check'])).toMatchObject({ status: 0, stderr: '' });
});

for (const [shell, ...args] of SHELLS) {
  describeWith([shell], `under ${[shell, ...args].join(' ')}`, () => {
    test.each(Object.entries(SCRIPTS))('parses %s in the shell', (_, text) => {
      const { status, stderr } = run(shell, [...args, '-n'], { input: new TextEncoder().encode(text) });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });
  });
}

test.each(Object.entries(SCRIPTS))('never traces %s, which would put secrets into the journal', (_, text) => {
  expect(text).toMatch(/^#!\/bin\/sh\n/);
  expect(text).not.toMatch(/\bset -[a-z]*x|--verbose|\bcurl -v/);
});
