import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allPackages, exampleSources, examples, imports, resolveRelative, root, sources } from './support/sources.ts';

/** The packages that each may import; all others are forbidden. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  peers: [],
  iso: ['peers'],
  diagnostics: ['peers'],
  ignition: ['peers', 'diagnostics'],
  nmstate: ['peers', 'diagnostics'],
  'nodes-config': ['peers', 'diagnostics', 'ignition', 'nmstate'],
  cluster: ['peers', 'diagnostics', 'nodes-config'],
  language: ['peers', 'diagnostics', 'ignition', 'nmstate', 'nodes-config'],
  openshift: ['peers', 'diagnostics', 'ignition', 'nmstate', 'iso', 'nodes-config'],
  cli: ['peers', 'diagnostics', 'ignition', 'nmstate', 'iso', 'nodes-config', 'cluster', 'openshift', 'language'],
};

/**
 * The stages of each package in their order: folders and files directly in `src`. A stage imports itself and earlier
 * stages, types included.
 */
const STAGES: Readonly<Record<string, string>> = {
  peers:
    'arguments members utf8 hidden secret-names controls text-index go secret-text sleep file-name rust ip der node',
  diagnostics:
    'position node diagnostic errors outcome codes decode secrets limits document excerpt format describe-error closest lookup json yaml resolve write edit index',
  ignition: 'errors codes spec codec parse validate translate build inspect merge customize index',
  nmstate:
    'memoize generated table keyfile interfaces policy state plan profiles strict generate evaluate-policy form draw forms sample schema index',
  'nodes-config':
    'errors text generated rules facts documents install-config install-files hosts topology manifests directory advice ztp installation host-form samples schema index',
  iso: 'errors bytes checksums iso9660 initrd boot live http base sample node index',
  cluster: 'errors codes clock transcript objects csr reader facts service monitor wait node index',
  language: 'kinds segments judge schema words path-at arguments lint findings parts repair ask editor index',
  openshift: 'errors codes join images credentials install sinks s3 node index',
  cli: 'frame drop-in commands main process',
};

const LARGEST_FOLDER = 20;

const houses = [...allPackages, ...examples];
const everything = [...sources, ...exampleSources];

/** The imports between files of one package or example. */
function edges(name: string): (readonly [from: string, to: string])[] {
  return everything
    .filter((source) => source.name === name)
    .flatMap(({ file, text }) =>
      imports(text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => [file, resolveRelative(file, specifier)] as const),
    );
}

describe('imports have one direction', () => {
  test('every package has a row', () => {
    expect(Object.keys(MAY_IMPORT).sort()).toEqual([...allPackages].sort());
    expect(Object.keys(STAGES).sort()).toEqual([...allPackages].sort());
  });

  test.each(Object.entries(MAY_IMPORT))('%s imports no package but %j', (name, allowed) => {
    const strangers = sources
      .filter((source) => source.name === name)
      .flatMap(({ path, text }) => imports(text).map((specifier) => ({ path, specifier })))
      .filter(({ specifier }) => specifier.startsWith('@coreiso/'))
      .filter(({ specifier }) => !allowed.includes(specifier.split('/')[1] ?? ''));
    expect(strangers).toEqual([]);
  });

  test('no relative import reaches into another package', () => {
    const strangers = everything.filter(({ file, text }) =>
      imports(text).some(
        (specifier) => specifier.startsWith('.') && resolveRelative(file, specifier).startsWith('../'),
      ),
    );
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });
});

/** Names that many packages have: their entries, errors and codes. */
const COMMON = ['index.ts', 'errors.ts', 'codes.ts', 'schema.ts'];

test('no file name is so vague that four packages have it', () => {
  const homes = new Map<string, Set<string>>();
  for (const { file, name } of sources) {
    const base = posix.basename(file);
    if (COMMON.includes(base) || file.includes('generated/')) continue;
    homes.set(base, (homes.get(base) ?? new Set()).add(name));
  }
  const vague = [...homes].filter(([, names]) => names.size > 3);
  expect(vague.map(([base, names]) => `${base} in ${[...names].join(', ')}`)).toEqual([]);
});

describe('within a package', () => {
  const stageOf = (file: string): string => file.replace(/(\/.*|\.ts)$/, '');

  test.each(Object.entries(STAGES))('the stages of %s run in the order %s', (name, row) => {
    const order = row.split(' ');
    const unknown = everything.filter((source) => source.name === name && !order.includes(stageOf(source.file)));
    expect(unknown.map(({ path }) => path)).toEqual([]);
    const backwards = edges(name).filter(([from, to]) => order.indexOf(stageOf(to)) > order.indexOf(stageOf(from)));
    expect(backwards).toEqual([]);
  });

  test.each(allPackages)('CONTRIBUTING leads through %s by stages that exist', (name) => {
    const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const way = new RegExp(`^- \\*\\*${name}\\*\\*: (.*(?:\\n  .*)*)`, 'm').exec(guide)?.[1] ?? '';
    const named = [...way.matchAll(/`([^`]+)`/g)].map(([, stage]) => stage);
    expect(named).not.toEqual([]);
    expect(named.filter((stage) => !STAGES[name]?.split(' ').includes(stage ?? ''))).toEqual([]);
  });

  test.each(houses)('no files of %s import each other in a circle', (name) => {
    expect(filesInCycles(edges(name))).toEqual([]);
  });

  test.each(houses)('no folder of %s has more than 20 files', (name) => {
    const counts = new Map<string, number>();
    for (const source of everything) {
      if (source.name !== name || source.file.includes('generated/')) continue;
      const folder = posix.dirname(source.file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > LARGEST_FOLDER)).toEqual([]);
  });
});

/** Repeatedly removes files that import no remaining file, then files that no remaining file imports. */
function filesInCycles(all: readonly (readonly [from: string, to: string])[]): string[] {
  let left = all;
  for (;;) {
    const importing = new Set(left.map(([from]) => from));
    const imported = new Set(left.map(([, to]) => to));
    const kept = left.filter(([from, to]) => importing.has(to) && imported.has(from));
    if (kept.length === left.length) return [...importing].sort();
    left = kept;
  }
}

test('files in a circle are found; files that lead to or from it are not', () => {
  const circle = filesInCycles([
    ['index', 'a'],
    ['a', 'b'],
    ['b', 'a'],
    ['b', 'leaf'],
  ]);
  expect(circle).toEqual(['a', 'b']);
});

describe('portable code', () => {
  const portable = sources.filter(({ name, path }) => name !== 'cli' && !path.includes('/node/'));

  test('imports no node: module', () => {
    const strangers = portable.filter(({ text }) => imports(text).some((specifier) => specifier.startsWith('node:')));
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });

  test('imports nothing from a node/ folder', () => {
    const strangers = portable.filter(({ text }) =>
      imports(text).some((specifier) => /^\.{1,2}\/(.*\/)?node\//.test(specifier)),
    );
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });
});
