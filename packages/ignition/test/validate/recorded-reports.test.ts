import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { formatReport } from '../../src/validate/format.ts';
import { validate } from '../../src/validate/validate.ts';

interface Recording {
  readonly exit: number;
  readonly report: string[];
  readonly accept?: string[][];
  readonly quirk?: 'printf' | 'butane';
}

const goldens = new Goldens(new URL('../goldens/validate.json', import.meta.url));
const cases = goldens.paths(/\.ign$/).map((path) => {
  const recording = goldens.json<Recording>(path.replace(/ign$/, 'json'));
  return { name: path.replace(/\.ign$/, ''), input: goldens.bytes(path), ...recording };
});
/** Texts of the JSON decoder behind the real tool, whose refusals we word ourselves. */
const DECODER = /json: cannot unmarshal|invalid character|unexpected end of JSON input/;
const refused = cases.filter(({ quirk, report }) => !quirk && report.some((line) => DECODER.test(line)));
const reported = cases.filter(({ quirk, report }) => !quirk && !report.some((line) => DECODER.test(line)));

function run(input: Uint8Array) {
  const { stdout, stderr, exitCode } = formatReport(validate(input, { newer: 'refuse' }));
  return { exit: exitCode, report: (stdout + stderr).split('\n').slice(0, -1), stdout, stderr };
}

test('every recording is used', () => {
  expect(cases).toHaveLength(1208);
  expect(refused.length + reported.length).toBe(1196);
});

describe('prints what ignition-validate prints', () => {
  test.each(reported)('$name', ({ input, exit, report, accept = [] }) => {
    const mine = run(input);
    expect(mine.exit).toBe(exit);
    const accepted = [report, ...accept].find((lines) => lines.join('\n') === mine.report.join('\n'));
    expect(mine.report).toEqual(accepted ?? report);
  });
});
