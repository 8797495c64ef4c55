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
/** Messages of the real tool's JSON decoder, for which we have our own. */
const DECODER = /json: cannot unmarshal|invalid character '|unexpected end of JSON input/;
const refused = cases.filter(({ quirk, report }) => !quirk && report.some((line) => DECODER.test(line)));
const reported = cases.filter(({ quirk, report }) => !quirk && !report.some((line) => DECODER.test(line)));

function run(input: Uint8Array) {
  const { stdout, stderr, exitCode } = formatReport(validate(input, { newer: 'refuse' }));
  return { exit: exitCode, report: (stdout + stderr).split('\n').slice(0, -1), stdout, stderr };
}

test('uses every recording', () => {
  expect(cases).toHaveLength(1208);
  expect(refused.length + reported.length).toBe(1196);
});

describe('prints the same as ignition-validate', () => {
  test.each(reported)('$name', ({ input, exit, report, accept = [] }) => {
    const mine = run(input);
    expect(mine.exit).toBe(exit);
    const accepted = [report, ...accept].find((lines) => lines.join('\n') === mine.report.join('\n'));
    expect(mine.report).toEqual(accepted ?? report);
  });
});

describe('refuses the same as the JSON decoder of ignition-validate, at the place of the mistake', () => {
  test.each(refused)('$name', ({ input, exit, report }) => {
    const outcome = validate(input, { newer: 'refuse' });
    expect(formatReport(outcome).exitCode).toBe(exit);
    expect(formatReport(outcome).stdout.trimEnd().split('\n')).toHaveLength(1);
    // The decoder stops at the first value of the wrong type; we report all of them.
    const [entry, ...others] = outcome.diagnostics;
    expect(others.filter(({ code }) => code !== 'ignition/type')).toEqual([]);
    const syntax = !report[0]?.includes('cannot unmarshal');
    expect(entry?.code).toMatch(syntax ? /^(ignition\/syntax|diagnostics\/too-deep)$/ : /^ignition\/type$/);
    expect(entry?.message).not.toMatch(/unmarshal|Go |struct|types\./);
    // The recorded place is just after the mistake. It is missing if the mistake is at the end of the text.
    const [, line, column] = /line (\d+) col (\d+)/.exec(report[0] ?? '')?.map(Number) ?? [];
    if (line === 0) return;
    const behindLineBreak = syntax && column === 1;
    expect(entry?.mark?.line).toBe(behindLineBreak ? (line ?? 0) - 1 : line);
    if (behindLineBreak) return;
    if (syntax) expect(entry?.mark?.column).toBe((column ?? 0) - 1);
    else expect(entry?.mark?.column).toBeLessThanOrEqual(column ?? 0);
  });
});

describe('does not copy the quirks of ignition-validate', () => {
  const quirks = cases.filter(({ quirk }) => quirk !== undefined);

  test.each(quirks.filter(({ quirk }) => quirk === 'printf'))(
    '$name prints percent signs as they are',
    ({ input, exit, report }) => {
      const mine = run(input);
      expect(mine.exit).toBe(exit);
      expect(mine.stdout).toContain('%');
      expect(mine.stdout).not.toContain('(MISSING)');
      expect(mine.stdout).not.toBe(`${report.join('\n')}\n`);
    },
  );

  test.each(quirks.filter(({ quirk }) => quirk === 'butane'))('$name is not an Ignition config', ({ input }) => {
    expect(run(input).exit).toBe(1);
  });
});
