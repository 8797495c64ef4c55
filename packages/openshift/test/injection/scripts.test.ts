// All scripts that reach a machine, read by shellcheck.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { SCRIPTS } from '../../src/join/generated/scripts.ts';
import { SERVICE_SCRIPTS } from '../../src/join/service/generated/scripts.ts';

/** Findings that are intended, and the reasons. */
const MEANT: Readonly<Record<string, string>> = {
  SC1003: 'a backslash in single quotes is a backslash',
  SC2015: 'what follows && cannot fail',
  SC2020: 'tr is given a set of characters',
  SC2030: 'a subshell works on a tree of its own',
  SC2031: 'what comes after it works on the first tree',
  SC2086: 'the words of a status line',
  SC2181: 'the status of a program several lines up',
};

describeWith(['shellcheck'], 'shellcheck', () => {
  test('finds only intended findings in the scripts of a machine', () => {
    const folder = scratchFolder();
    const scripts = { ...SCRIPTS, ...SERVICE_SCRIPTS };
    for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), text);
    const args = ['--format=json', '--external-sources', `--source-path=${folder}`, '--exclude=SC1091'];
    const { stdout } = run('shellcheck', [...args, ...Object.keys(scripts).map((name) => join(folder, name))]);
    const comments: { file: string; line: number; code: number; message: string }[] = JSON.parse(stdout.toString());
    const found = comments.map(({ file, line, code, message }) => ({ file, line, code: `SC${code}`, message }));
    expect(found.filter(({ code }) => !(code in MEANT))).toEqual([]);
    // Every excuse has to match a finding.
    expect(Object.keys(MEANT).filter((code) => !found.some((one) => one.code === code))).toEqual([]);
  });
});
