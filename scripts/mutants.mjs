// How many small changes of the code do the tests notice?
//
//   npm run mutants -- packages/iso/src/live [--sample 50] [--seed 1]
//
// FOLDER may be a file. Mutants are made in memory, one at a time, and meet the tests of their own stage (those of the
// whole package where the stage has none), the likeliest to notice first. What was killed once is remembered for as
// long as its file stays the same.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants/sites.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
if (positionals.length !== 1) throw new Error('usage: npm run mutants -- FOLDER [--sample N] [--seed S]');
const target = resolve(positionals[0]);
const [, packageFolder] = /^(.*?(?:packages|examples)\/[^/]+)\//.exec(`${relative(root, target)}/`) ?? [];
if (packageFolder === undefined) throw new Error(`FOLDER: ${positionals[0]} is not in a package`);

const sources = filesOf(target).filter((path) => /\/src\/.*\.ts$/.test(path) && !path.includes('/generated/'));
const all = sources.flatMap((file) => {
  const source = readFileSync(file, 'utf8');
  return mutantsOf(file, source).map((mutant) => ({ ...mutant, file, source }));
});
const chosen = values.sample === undefined ? all : sample(all, Number(values.sample), Number(values.seed));

const cache = join(root, 'node_modules/.cache/mutants.json');
const killed = new Set(remembered());
const survivors = [];
let runner = await startRunner();

const tests = filesOf(join(root, packageFolder, 'test')).filter((path) => /(?<!\.xz)\.test\.ts$/.test(path));
const begun = Date.now();
const needed = [...new Set(chosen.flatMap(({ file }) => testsFor(file)))];
const baseline = await judge({ file: '', source: '', tests: needed }, 30 * 60_000);
if (baseline.killedBy !== undefined) throw new Error(`the tests fail without a mutant: ${baseline.killedBy}`);
const patience = 60_000 + 3 * (Date.now() - begun);
/** How often a test file has killed mutants of a source file. */
const kills = new Map();

for (const [index, mutant] of chosen.entries()) {
  const key = keyOf(mutant);
  if (!killed.has(key)) {
    const job = { file: mutant.file, source: mutated(mutant), tests: likeliestFirst(mutant.file) };
    const { killedBy } = await judge(job, patience);
    if (killedBy === undefined) survivors.push(mutant);
    else killed.add(key);
    kills.set(`${mutant.file} ${killedBy}`, (kills.get(`${mutant.file} ${killedBy}`) ?? 0) + 1);
    remember();
    console.error(
      `${index + 1}/${chosen.length} ${killedBy === undefined ? 'SURVIVED' : 'killed'} ${describe(mutant)}`,
    );
  }
}
runner.kill();

for (const mutant of survivors) console.log(describe(mutant));
const dead = chosen.length - survivors.length;
const share = chosen.length === 0 ? '' : ` (${((100 * dead) / chosen.length).toFixed(1)} %)`;
console.log(`${dead} of ${chosen.length} killed${share}; ${all.length} mutants in ${sources.length} files`);

function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** The tests of the mutant's stage: `src/live/edit.ts` has those in `test/live`. */
function testsFor(file) {
  const [stage] = relative(join(root, packageFolder, 'src'), file).split('/');
  const near = tests.filter((test) => relative(join(root, packageFolder, 'test'), test).startsWith(stage));
  return near.length > 0 ? near : tests;
}

/** Tests that have killed mutants of this file, then those that name it, then the quick ones. */
function likeliestFirst(file) {
  const rank = (test) => [
    -(kills.get(`${file} ${test}`) ?? 0),
    readFileSync(test, 'utf8').includes(`/${basename(file)}'`) ? 0 : 1,
    baseline.durations[test] ?? 0,
  ];
  return testsFor(file)
    .map((test) => ({ test, rank: rank(test) }))
    .sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(({ test }) => test);
}

function mutated({ source, start, end, text }) {
  return source.slice(0, start) + text + source.slice(end);
}

function describe({ file, line, column, kind, was, text }) {
  const short = (code) => code.replace(/\s+/g, ' ').slice(0, 60);
  return `${relative(root, file)}:${line}:${column} ${kind}: ${short(was)} → ${short(text)}`;
}

function keyOf({ file, source, start, end, text }) {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16);
  return `${relative(root, file)} ${hash} ${start}-${end} ${text}`;
}

function remembered() {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'));
  } catch {
    return [];
  }
}

function remember() {
  mkdirSync(dirname(cache), { recursive: true });
  writeFileSync(cache, JSON.stringify([...killed], null, 1));
}

/** A choice that is the same for the same seed. */
function sample(list, count, seed) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return list
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ item }) => item);
}

async function startRunner() {
  const child = fork(join(root, 'scripts/mutants/runner.mjs'), { cwd: root, detached: true, silent: true });
  await new Promise((ready, fail) => {
    child.once('message', ready);
    child.once('exit', (status) => fail(new Error(`the test runner ended with status ${status}`)));
  });
  return child;
}

/** What the tests make of a mutant; one that takes too long, or brings the runner down, is killed. */
async function judge(job, milliseconds) {
  const answer = await new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ killedBy: 'time' }), milliseconds);
    runner.removeAllListeners('exit');
    runner.once('exit', () => resolve({ killedBy: 'crash' }));
    runner.once('message', (message) => {
      clearTimeout(timer);
      resolve(message);
    });
    runner.send(job);
  });
  if (answer.killedBy === 'time' || answer.killedBy === 'crash') {
    // With its workers: it leads a process group of its own.
    if (answer.killedBy === 'time') process.kill(-runner.pid, 'SIGKILL');
    runner.removeAllListeners();
    runner = await startRunner();
  }
  return answer;
}
