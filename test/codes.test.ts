// docs/reference is made from these tables at each build; what it lacks is counted here.
import { expect, test } from 'vitest';
import { judged } from '../packages/language/src/findings.ts';
import { EXAMPLES } from '../scripts/docs/examples.ts';
import { errorCodes, findingCodes } from '../scripts/docs/tables.ts';
import { packages, sources } from './support/sources.ts';

const all = [...findingCodes, ...errorCodes];

/** As many codes may have no example on their page; new ones get theirs when `node scripts/docs.mjs record` runs next. */
const WITHOUT_EXAMPLE = 40;

/** A code that the command line reports in the name of a package, and the beginning of several. */
const ELSEWHERE = ['ignition/version', 'nodes-config/no-release'];

test('every code of an error and of a finding is in the tables that pages are made from, once', () => {
  const codes = all.map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  expect(new Set(errorCodes.map((one) => one.package))).toEqual(
    new Set(
      sources.filter(({ name, file }) => packages.includes(name) && file === 'errors.ts').map(({ name }) => name),
    ),
  );
  for (const { code, meaning } of errorCodes) expect(meaning, code).toMatch(/\w/);
  // What is reported anywhere, as a whole word.
  const reported = sources.flatMap(({ text }) => [
    ...text.matchAll(/'((?:diagnostics|ignition|nmstate|nodes-config|openshift|cluster|language)\/[a-z][a-z\d-]*)'/g),
  ]);
  const names = new Set(codes);
  const unknown = reported.map(([, code = '']) => code).filter((code) => !names.has(code));
  expect([...new Set(unknown)].sort()).toEqual(ELSEWHERE);
});

test('nearly every code has an example', () => {
  const bare = all.filter(({ code }) => EXAMPLES[code] === undefined).map(({ code }) => code);
  expect(bare.length, bare.join(' ')).toBeLessThanOrEqual(WITHOUT_EXAMPLE);
});

// Where a rule has changed, take the entry out of scripts/docs/generated/examples.json: the next recording finds another.
test('examples with a text still have their code, and there is none for a code that is gone', () => {
  const lost = Object.entries(EXAMPLES).filter(
    ([code, { kind, text }]) =>
      kind !== undefined && text !== undefined && !judged({ kind, text }).some((finding) => finding.code === code),
  );
  expect(lost.map(([code]) => code)).toEqual([]);
  const known = new Set(all.map(({ code }) => code));
  expect(Object.keys(EXAMPLES).filter((code) => !known.has(code))).toEqual([]);
});
