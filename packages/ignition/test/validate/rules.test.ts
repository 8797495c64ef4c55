import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { ERRORS, WARNINGS } from '../../src/codes.ts';
import type { Config } from '../../src/spec/generated/types.ts';
import type { SpecVersion } from '../../src/spec/version.ts';
import { validate, validateConfig } from '../../src/validate/validate.ts';
import { RULE_TABLE } from './rule-table.ts';

const goldens = new Goldens(new URL('../goldens/validate.json', import.meta.url));
const merges = new Goldens(new URL('../goldens/merge.json', import.meta.url));

/** Rules of the load stage do not depend on the version, and their recordings have separate names. */
const LOAD_STAGE: Record<string, RegExp> = {
  'LOAD-1': /^syntax-empty\.ign$/,
  'LOAD-2': /^syntax-rule-LOAD-2-.*\.ign$/,
  'LOAD-3': /^type-mode-string-.*\.ign$/,
  'LOAD-4': /^version-missing\.ign$/,
  'LOAD-5': /^version-bad-3\.8\.0\.ign$/,
};
/** Rules that only a config in memory can break. */
const IN_MEMORY: Record<string, RegExp> = {
  'IGN-1': /^version-garbage-in-result-/,
  'IGN-2': /^version-mismatch-kept-/,
};
const RESOURCE =
  '(?:ignition\\.config\\.(?:merge\\.\\d+|replace)|ignition\\.security\\.tls\\.certificateAuthorities\\.\\d+|storage\\.files\\.\\d+\\.(?:contents|append\\.\\d+)|storage\\.luks\\.\\d+\\.keyFile)';
const NODE = 'storage\\.(?:files|directories|links)\\.\\d+';

function placePattern(place: string): RegExp {
  const pattern = place
    .replaceAll('.', '\\.')
    .replaceAll('#', '\\d+')
    .replace('*', '.*')
    .replace(/^R(?=\\)/, RESOURCE)
    .replace(/^X(?=\\)/, NODE);
  return new RegExp(`^${pattern}$`);
}

function provoke(id: string) {
  const inMemory = IN_MEMORY[id];
  if (inMemory !== undefined) {
    return merges.paths(inMemory).map((path) => {
      const { result, version } = merges.json<{ result: Config; version: SpecVersion }>(path);
      return validateConfig(result, { version });
    });
  }
  const names = LOAD_STAGE[id] ?? new RegExp(`^rule-${id}-3\\..*\\.ign$`);
  return goldens.paths(names).map((path) => validate(goldens.bytes(path), { newer: 'refuse' }));
}

describe('reports every rule with its code and place in each of its recordings', () => {
  test.each(RULE_TABLE)('%s is ignition/%s', (id, code, places) => {
    const reports = provoke(id);
    expect(reports.length).toBeGreaterThan(0);
    const patterns = places.map(placePattern);
    for (const { diagnostics } of reports) {
      const found = diagnostics.filter((entry) => entry.code === `ignition/${code}`).map(({ path }) => path.join('.'));
      expect(found.filter((path) => patterns.some((pattern) => pattern.test(path)))).not.toEqual([]);
    }
  });
});

test('has all 107 rules and every recorded rule in the table', () => {
  const ids = RULE_TABLE.map(([id]) => id);
  expect(new Set(ids).size).toBe(107);
  const recorded = goldens.paths(/^rule-/).map((path) => path.replace(/^rule-([A-Z0-9]+-\d+)-.*$/, '$1'));
  expect([...new Set(recorded)].filter((id) => !ids.includes(id))).toEqual([]);
});

test('uses every code in a rule', () => {
  const used = new Set(RULE_TABLE.map(([, code]) => code));
  // A rule of our own: the real tool would print billions of lines.
  used.add('too-many-findings');
  expect(Object.keys({ ...ERRORS, ...WARNINGS }).filter((code) => !used.has(code))).toEqual([]);
});
