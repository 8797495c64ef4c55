import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCoreisoError } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { packagePages, readmes } from '../e2e/packed/readmes.ts';
import { apiPages } from '../scripts/docs/api.ts';
import { errorCodes } from '../scripts/docs/tables.ts';
import { exportsOf } from './support/exported-values.ts';
import { exampleSources, packages, root, sources } from './support/sources.ts';

/**
 * The places where users see exports in use: code in READMEs and pages, examples, and packages that build on others.
 */
const examples = exampleSources.map(({ text }) => text);
const shownCode = [...readmes, ...packagePages].flatMap(
  (path) => readFileSync(join(root, path), 'utf8').match(/```(?:ts|js|html)(?: browser| live)?\n[\s\S]*?```/g) ?? [],
);

/** The API reference of the site. */
const reference = apiPages();

test.each(packages)('the error of %s is a class of its own, and its code names the package', (name) => {
  const files = sources.filter((source) => source.name === name && /(?:^|\/)errors\.ts$/.test(source.file));
  const errors = files.flatMap(({ text }) => [
    ...text.matchAll(/^export class (\w+Error) extends (\w+) \{([\s\S]*?)^\}/gm),
  ]);
  expect(errors).toHaveLength(files.length);
  for (const [, error, parent, body] of errors) {
    expect([error, parent]).toEqual([error, 'Error']);
    expect(body).toMatch(new RegExp(`^ {2}readonly code: ${error}Code\\b`, 'm'));
  }
  for (const { text } of files) {
    const codes = [...text.matchAll(/^ +(?:\| )?'([A-Z_]+)'/gm)].map(([, code = '']) => code);
    expect(codes).not.toEqual([]);
    expect(codes.filter((code) => !isCoreisoError(Object.assign(new Error(), { code })))).toEqual([]);
    expect(new Set(codes.map((code) => code.replace(/_.*/, ''))).size, 'codes begin alike').toBe(1);
    const explained = new Set(errorCodes.map(({ code }) => code));
    expect(codes.filter((code) => !explained.has(code))).toEqual([]);
  }
});

test('every function named describe… returns text', () => {
  const others = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?function (describe\w*)\([\s\S]*?\)(?:: ([^{]*?))? \{$/gm)]
      .filter(([, , type]) => type !== 'string')
      .map(([, name]) => `${path} ${name}`),
  );
  expect(others).toEqual([]);
});

describe.each(packages)('every export of %s', (name) => {
  const { types, values } = exportsOf(name);

  test('has a comment with an example', () => {
    const bare = values.filter(({ comment }) => !comment.includes('@example'));
    expect(bare.map((value) => value.name)).toEqual([]);
  });

  test('is used in a README, on a page, in an example or in another package', () => {
    const elsewhere = sources.filter((source) => source.name !== name).map(({ text }) => text);
    const words = new Set([...shownCode, ...examples, ...elsewhere].join('\n').match(/\w+/g));
    const idle = values.filter((value) => !words.has(value.name));
    expect(idle.map((value) => value.name)).toEqual([]);
  });

  test('is in the reference, with an example', () => {
    const sections = (reference.get(`api/${name}.md`) ?? '').split(/^### /m).slice(1);
    const explained = new Set(
      sections.filter((text) => text.includes('\nExample:\n')).map((text) => text.split('\n')[0]),
    );
    expect(values.map((value) => value.name).filter((value) => !explained.has(value))).toEqual([]);
    const names = new Set([...types, ...values.map((value) => value.name)]);
    expect(sections.map((text) => text.split('\n')[0] ?? '').filter((one) => !names.has(one))).toEqual([]);
  });
});

const MOST_LINES = 50;
const WIDEST_TABLE = 130;

test.each(readmes.filter((path) => path.startsWith('packages/')))('%s fits on one screen', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  for (const line of text.split('\n').filter((one) => one.startsWith('|'))) {
    expect(line.length, line).toBeLessThanOrEqual(WIDEST_TABLE);
  }
});

/**
 * Functions that return an `Outcome` and have no variant that throws, with the reason; `valueOrThrow` makes one of any.
 */
const WITHOUT_TWIN: Readonly<Record<string, string>> = {
  decodeText: 'valueOrThrow is beside it',
  documentOf: 'valueOrThrow is beside it',
  editsFor: 'valueOrThrow is beside it',
  fail: 'makes an outcome',
  parseJson: 'valueOrThrow is beside it',
  parseYaml: 'a list: each document has its own',
  readAsGo: 'valueOrThrow is beside it',
  succeed: 'makes an outcome',
  validateConfig: 'judges a config that the caller has already',
  makeManifests: 'several files',
  parseInstallFiles: 'several files',
  readDirectory: 'several files',
  readSite: 'several files',
  readUnconfigured: 'several files',
  factsFromObjects: 'an installation goes on without some facts, and tells which',
  networksFromObjects: 'advice goes on without them',
  readNetworks: 'advice goes on without them',
  readAgentState: 'a state that cannot be read is as good as none',
  readRegistries: 'an installation goes on without them',
  evaluatePolicy: 'is tried on the states of many hosts, and refused by some',
  fromForm: 'pages show what is wrong with a field',
  hostFromForm: 'pages show what is wrong with a field',
};

test('every function that returns an outcome has a variant that throws, or a reason not to', () => {
  const names = new Set(packages.flatMap((name) => exportsOf(name).values.map((value) => value.name)));
  const returning = sources.flatMap(({ text }) => [
    ...text.matchAll(
      /^export (?:async )?function (\w+)[<(](?:(?!\n\}\n)[\s\S])*?\): (?:Promise<|readonly \[)?Outcome</gm,
    ),
  ]);
  const alone = returning
    .map(([, name = '']) => name)
    .filter((name) => names.has(name) && name !== 'valueOrThrow' && !names.has(`${name}OrThrow`));
  expect([...new Set(alone)].sort()).toEqual(Object.keys(WITHOUT_TWIN).sort());
});
