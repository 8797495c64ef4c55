import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMPARED } from '../packages/cli/src/frame/version.ts';
import { rerunNmstate } from './support/rerecord.ts';
import { describeWith } from './support/tools.ts';

const page = readFileSync(new URL('../docs/versions.md', import.meta.url), 'utf8');

test('the page about versions names the tools in the command line', () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)` +\| ((?:revision )?[\w.]+) +\|/gm)].map(([, ...cells]) => cells);
  expect(Object.fromEntries(rows)).toEqual(COMPARED);
});

describe('another version of a tool', () => {
  test('without output differs in every call that succeeded', () => {
    const { calls, changes } = rerunNmstate('true', /^bond-a/);
    expect(calls).toBeGreaterThan(3);
    expect(changes.length).toBeGreaterThan(calls / 2);
    expect(changes[0]?.details).toHaveLength(1);
  });
});

describeWith(['nmstatectl'], 'the recorded version', () => {
  test('has no differences', () => {
    expect(rerunNmstate('nmstatectl', /^bond/).changes).toEqual([]);
  });
});
