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
/** How often a test has killed mutants of a source file, and how long a test takes where nothing is wrong. */
const kills = new Map();
const durations = new Map();
let runner = await startRunner();

const tests = filesOf(join(root, packageFolder, 'test')).filter((path) => /(?<!\.xz)\.test\.ts$/.test(path));

for (const [index, mutant] of chosen.entries()) {
  const key = keyOf(mutant);
  if (killed.has(key)) continue;
  const test = await killerOf(mutant);
  if (test === undefined) survivors.push(mutant);
  else {
    killed.add(key);
    remember();
  }
  const fate = test === undefined ? 'SURVIVED' : `killed by ${basename(test)}`;
  console.error(`${index + 1}/${chosen.length} ${describe(mutant)} ${fate}`);
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

/** The first test that notices a mutant. */
async function killerOf(mutant) {
  const { file } = mutant;
  for (const test of likeliestFirst(file)) {
    const passed = await judge({ file, source: mutated(mutant), test });
    if (passed) continue;
    if (!durations.has(test) && !(await judge({ file: '', source: '', test }))) {
      throw new Error(`${relative(root, test)} fails without a mutant`);
    }
    kills.set(`${file} ${test}`, (kills.get(`${file} ${test}`) ?? 0) + 1);
    return test;
  }
}

/** Tests that have killed mutants of this file, then those that name it, then the quick or at least short ones. */
function likeliestFirst(file) {
  const rank = (test) => [
    -(kills.get(`${file} ${test}`) ?? 0),
    readFileSync(test, 'utf8').includes(`/${basename(file)}'`) ? 0 : 1,
    durations.get(test) ?? statSync(test).size,
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

/** Whether a test passes; one that takes too long, or brings the runner down, does not. */
async function judge(job) {
  const begun = Date.now();
  const answer = await new Promise((resolve) => {
    const timer = setTimeout(() => resolve('time'), 60_000 + 5 * (durations.get(job.test) ?? 60_000));
    const done = (result) => {
      clearTimeout(timer);
      resolve(result);
    };
    runner.removeAllListeners('exit');
    runner.once('exit', () => done('crash'));
    runner.once('message', ({ passed }) => done(passed));
    runner.send(job);
  });
  if (answer === true) durations.set(job.test, Date.now() - begun);
  if (answer === 'time' || answer === 'crash') {
    // With its workers: it leads a process group of its own.
    if (answer === 'time') process.kill(-runner.pid, 'SIGKILL');
    runner.removeAllListeners();
    runner = await startRunner();
  }
  return answer === true;
}
