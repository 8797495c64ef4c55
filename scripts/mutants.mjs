// How many small changes of the code do the tests notice?
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isEquivalent, staleEntries } from './mutants/equivalent.mjs';
import { killerOf } from './mutants/judge.mjs';
import { reachOfTests } from './mutants/reach.mjs';
import { sample } from './mutants/sample.mjs';
import { Session, switching } from './mutants/session.mjs';
import { mutantsOf, withMutants } from './mutants/sites.mjs';

const USAGE = `usage: npm run mutants -- FOLDER [--sample N] [--seed S] [--tests FOLDER]… [--budget SECONDS] [--json FILE]

Changes the code below FOLDER (or one file) in small ways, in memory, and tells which changes no test notices. Each
mutant meets the tests of its package that execute its place, the likeliest and quickest first. On first use every test
runs once to find out which those are.

  --sample N        N mutants, spread over the whole folder, instead of all
  --seed S          which ones: the same for the same seed; 1 by default
  --tests FOLDER    tests of elsewhere that count too, such as packages/cli/test
  --budget SECONDS  tests a mutant meets before it counts as a survivor, by the time they take; 30 by default
  --json FILE       writes the fate of every mutant there

Mutants in scripts/mutants/equivalent.json are not counted. An entry has file, code (its line), was and text as --json
writes them, and the reason.`;

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [] },
    budget: { type: 'string', default: '30' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help || positionals.length !== 1) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
const target = relative(root, resolve(positionals[0]));
const [, packageFolder] = /^((?:packages|examples)\/[^/]+)(?:\/|$)/.exec(target) ?? [];
if (packageFolder === undefined) throw new Error(`FOLDER: ${positionals[0]} is not in a package`);

const equivalents = JSON.parse(readFileSync(join(root, 'scripts/mutants/equivalent.json'), 'utf8'));
let count = 0;
const sources = filesOf(join(root, packageFolder, 'src'))
  .filter((path) => path.endsWith('.ts') && !path.includes('/generated/'))
  .map((file) => {
    const text = readFileSync(file, 'utf8');
    const path = relative(root, file);
    return { file, text, mutants: mutantsOf(file, text).map((mutant) => ({ id: count++, path, ...mutant })) };
  });
const here = sources
  .flatMap(({ mutants }) => mutants)
  .filter(({ path }) => path === target || path.startsWith(`${target}/`));
const counted = here.filter((mutant) => !isEquivalent(mutant, equivalents));
const chosen = values.sample === undefined ? counted : sample(counted, Number(values.sample), Number(values.seed));

const testFolders = [join(root, packageFolder, 'test'), ...values.tests.map((folder) => resolve(folder))];
const besideSources = testFolders.flatMap(filesOf).filter((path) => /\.[cm]?[jt]s$/.test(path));
const isTest = (path) => path.endsWith('.test.ts');
const reaches = await reachOfTests({
  root,
  packageFolder,
  sources,
  count,
  tests: besideSources.filter((path) => isTest(path) && !path.endsWith('.xz.test.ts')),
  shared: besideSources.filter((path) => !isTest(path)),
});

const texts = sources.map(({ file, text, mutants }) => {
  const wanted = new Set(chosen);
  return [
    file,
    withMutants(
      text,
      mutants.filter((mutant) => wanted.has(mutant)),
      switching,
    ),
  ];
});
const session = await Session.open(new Map(texts), count);
const fates = [];
for (const mutant of chosen) {
  const begun = Date.now();
  const fate = await killerOf(mutant, { session, reaches, budget: 1000 * Number(values.budget) });
  fates.push({ ...mutant, ...fate });
  const by = fate.by === undefined ? '' : ` by ${relative(root, fate.by)}`;
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  console.error(`${fates.length}/${chosen.length} ${describe(mutant)}: ${fate.verdict}${by} (${seconds} s)`);
}
await session.close();

if (values.json !== undefined) {
  const plain = fates.map(({ id, start, end, path, by, ...fate }) => ({
    file: path,
    ...fate,
    by: by && relative(root, by),
  }));
  writeFileSync(values.json, `${JSON.stringify(plain, null, 1)}\n`);
}
for (const fate of fates) if (fate.verdict !== 'killed') console.log(`${describe(fate)}: ${fate.verdict}`);
for (const { file, code, text } of staleEntries(equivalents, target, here))
  console.log(`stale entry: ${file}: ${code}: ${text}`);
console.log(summary());

function summary() {
  const number = (verdict) => fates.filter((fate) => fate.verdict === verdict).length;
  const [killed, survived, cut, unreached] = ['killed', 'survived', 'cut', 'not reached'].map(number);
  const unfinished = fates.filter(({ verdict, untried }) => verdict === 'survived' && untried > 0).length;
  const share = fates.length === 0 ? '' : ` (${((100 * killed) / fates.length).toFixed(1)} %)`;
  const more = unfinished === 0 ? '' : `, ${unfinished} of them the tests of the budget only`;
  const all = `${here.length} mutants, ${here.length - counted.length} of them equivalent`;
  const waiting = cut === 0 ? '' : `; ${cut} cut while they waited`;
  return `${killed} of ${fates.length} killed${share}; ${survived} survived${more}${waiting}; ${unreached} not reached; ${all}`;
}

function filesOf(folder) {
  if (statSync(folder).isFile()) return [folder];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function describe({ path, line, column, kind, was, text }) {
  const short = (code) => code.replace(/\s+/g, ' ').slice(0, 60);
  return `${path}:${line}:${column} ${kind}: ${short(was)} → ${short(text)}`;
}
