import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { describeWith } from '../../../test/support/tools.ts';
import { mistakes } from './mistakes/generate.ts';
import { replayMistake } from './mistakes/replay.ts';

/** All thousand in continuous integration, and with `npm run mistakes`. */
const isExhaustive = process.env['COREISO_EXHAUSTIVE'] === '1';
const COUNT = isExhaustive ? 1000 : 100;
const verdicts = [...mistakes(COUNT, isExhaustive ? 33 : 7)].map((one) => ({ one, ...replayMistake(one) }));

test('finds common mistakes on their line, and repairs most of them as intended', () => {
  const wrong = verdicts.filter(({ repair }) => repair === 'wrong').map(({ one }) => `${one.kind}: ${one.label}`);
  expect(wrong).toEqual([]);
  expect(verdicts.filter(({ isFlagged }) => isFlagged).length).toBeGreaterThanOrEqual(COUNT * 0.95);
  expect(verdicts.filter(({ repair }) => repair === 'right').length).toBeGreaterThanOrEqual(COUNT * 0.8);
});

test.skipIf(isExhaustive)('leaves ambiguous mistakes alone', () => {
  expect(verdicts.flatMap(({ one, repair }) => (repair === 'right' ? [] : [one.label])).sort()).toEqual([
    'MAC cut short',
    'MAC cut short',
    'address with a number too large',
    'address with a number too large',
    'value is null',
    'value is null',
  ]);
  expect(verdicts.flatMap(({ one, isFlagged }) => (isFlagged ? [] : [one.label]))).toEqual([]);
});

/** Runs the tool that the document is for on each repaired text. */
function refusedBy(kind: string, name: string, argvOf: (file: string) => readonly string[]): string[] {
  const folder = scratchFolder();
  const mended = verdicts.filter(({ one, repair }) => one.kind === kind && repair === 'right');
  expect(mended.length).toBeGreaterThan(0);
  return mended.flatMap(({ one, text }) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const [program = '', ...argv] = argvOf(file);
    const { status, stderr } = spawnSync(program, argv, { encoding: 'utf8' });
    return status === 0 ? [] : [`${one.label}: ${stderr}`];
  });
}

describeWith(['nmstatectl'], 'nmstatectl', () => {
  test('accepts repaired network states', () => {
    expect(refusedBy('network-state', 'state.yaml', (file) => ['nmstatectl', 'gc', file])).toEqual([]);
  });
});

describeWith(['ignition-validate'], 'ignition-validate', () => {
  test('accepts repaired configs', () => {
    expect(refusedBy('ignition', 'config.ign', (file) => ['ignition-validate', file])).toEqual([]);
  });
});
