import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCoreisoError } from '@coreiso/diagnostics';
import { describe, expect, test } from 'vitest';
import { exportsOf } from './support/exported-values.ts';
import { exampleSources, packages, root, sources } from './support/sources.ts';

function readme(folder: string): string {
  const path = join(root, folder, 'README.md');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What a user sees at work: code in READMEs, examples, and packages that build on others. */
const examples = exampleSources.map(({ text }) => text);
const readmeCode = ['.', ...packages.map((name) => `packages/${name}`)].flatMap(
  (folder) => readme(folder).match(/```(?:ts|js|html)(?: browser| live)?\n[\s\S]*?```/g) ?? [],
);

/** The first cells and the whole rows of the tables that begin with `Name` or `Entry`. */
function apiTable(text: string): { rows: string; firstCells: string } {
  const tables = text.match(/^\| *(?:Name|Entry) *\|.*\n(?:\|.*\n)*/gm) ?? [];
  const rows = tables.join('');
  const names = tables.filter((table) => /^\| *Name/.test(table)).join('');
  return { rows, firstCells: names.replace(/^(\|[^|]*\|).*$/gm, '$1') };
}

test.each(packages)('the error of %s is like no other class and has a code that tells whose it is', (name) => {
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
    const documentation = readme(`packages/${name}`);
    expect(codes.filter((code) => !documentation.includes(`\`${code}\``))).toEqual([]);
  }
});

test('whatever is called describe… gives text', () => {
  const others = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?function (describe\w*)\([\s\S]*?\)(?:: ([^{]*?))? \{$/gm)]
      .filter(([, , type]) => type !== 'string')
      .map(([, name]) => `${path} ${name}`),
  );
  expect(others).toEqual([]);
});

describe.each(packages)('every value that %s exports', (name) => {
  const { types, values } = exportsOf(name);

  test('has a comment with an example', () => {
    const bare = values.filter(({ comment }) => !comment.includes('@example'));
    expect(bare.map((value) => value.name)).toEqual([]);
  });

  test('is at work in a README, an example or another package', () => {
    const elsewhere = sources.filter((source) => source.name !== name).map(({ text }) => text);
    const words = new Set([...readmeCode, ...examples, ...elsewhere].join('\n').match(/\w+/g));
    const idle = values.filter((value) => !words.has(value.name));
    expect(idle.map((value) => value.name)).toEqual([]);
  });

  test('stands in the API table of the README, which names nothing else', () => {
    const { firstCells, rows } = apiTable(readme(`packages/${name}`));
    const documented = new Set([...rows.matchAll(/`(?:new )?(\w+)/g)].map(([, word]) => word));
    const missing = values.filter((value) => !documented.has(value.name)).map((value) => value.name);
    expect(missing).toEqual([]);
    const known = new Set([...types, ...values.map((value) => value.name)]);
    const strangers = [...firstCells.matchAll(/`(?!@)(?:new )?(\w+)/g)].map(([, word = '']) => word);
    expect(strangers.filter((word) => word !== 'Name' && !known.has(word))).toEqual([]);
  });
});

/** Functions that return an `Outcome` and have no twin that throws, with the reason; `valueOrThrow` makes one of any. */
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

test('what returns an outcome has a twin that throws, or a reason why not', () => {
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
