import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generate } from '../../scripts/generate.ts';
import { SHAPES } from '../../src/spec/fields.ts';
import { modelOf } from '../../src/spec/model.ts';
import { SPEC_VERSIONS } from '../../src/spec/version.ts';

test.each([...generate()])('regenerates %s without changes', (path, text) => {
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text);
});

test('exports a schema for every version', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const version of SPEC_VERSIONS) {
    expect(exports[`./schema/${version}`]).toBe(`./src/spec/generated/${version}.json`);
  }
});

test.each([
  ['3.0.0', 117],
  ['3.1.0', 140],
  ['3.2.0', 168],
  ['3.3.0', 171],
  ['3.4.0', 174],
  ['3.5.0', 176],
  ['3.6.0', 176],
  ['3.7.0-experimental', 176],
] as const)('gives spec %s %i fields', (version, count) => {
  const countFields = (model: ReturnType<typeof modelOf>): number =>
    model.fields.reduce((sum, { model: inner }) => sum + 1 + (inner === undefined ? 0 : countFields(inner)), 0);
  expect(countFields(modelOf(version))).toBe(count);
});

test('gives every keyed list a key, and uses every shape', () => {
  const members = Object.values(SHAPES).flatMap(({ members }) => Object.values(members));
  const used = new Set<string>(members.map(({ type }) => type));
  expect(Object.keys(SHAPES).filter((shape) => !used.has(shape))).toEqual(['Config']);
  for (const { type, list } of members) {
    if (list === 'keyed' && type in SHAPES) expect(SHAPES[type as keyof typeof SHAPES].key).toBeDefined();
  }
});
