// Each build makes docs/reference from these tables; this test counts the codes that they lack.
import { expect, test } from 'vitest';
import { judged } from '../packages/language/src/findings.ts';
import { EXAMPLES } from '../scripts/docs/examples.ts';
import { errorCodes, findingCodes } from '../scripts/docs/tables.ts';
import { packages, sources } from './support/sources.ts';

const all = [...findingCodes, ...errorCodes];

/**
 * The most codes without an example on their page; new codes get theirs when `node scripts/docs.mjs record` runs next.
 */
const WITHOUT_EXAMPLE = 40;

/** A code that the command line reports in the name of a package, and the prefixes of several. */
const ELSEWHERE = ['ignition/version', 'nodes-config/no-release'];

test('every error code and finding code is in the tables that pages are made from, once', () => {
  const codes = all.map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  expect(new Set(errorCodes.map((one) => one.package))).toEqual(
    new Set(
      sources.filter(({ name, file }) => packages.includes(name) && file === 'errors.ts').map(({ name }) => name),
    ),
  );
  for (const { code, meaning } of errorCodes) expect(meaning, code).toMatch(/\w/);
  // Codes that are reported anywhere, as a whole word.
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

// If a rule has changed, remove the entry from scripts/docs/generated/examples.json: the next recording finds another.
test('examples with a text still report their code, and no removed code has one', () => {
  const lost = Object.entries(EXAMPLES).filter(
    ([code, { kind, text }]) =>
      kind !== undefined && text !== undefined && !judged({ kind, text }).some((finding) => finding.code === code),
  );
  expect(lost.map(([code]) => code)).toEqual([]);
  const known = new Set(all.map(({ code }) => code));
  expect(Object.keys(EXAMPLES).filter((code) => !known.has(code))).toEqual([]);
});
