// Judges one mutant: finds a test that fails with it.
import { basename } from 'node:path';
import { reaches as isReached } from './reach.mjs';

/** How often each test file has killed mutants of a source file. */
const kills = new Map();

/**
 * @returns {Promise<{ verdict: 'killed' | 'survived' | 'cut' | 'not reached', by?: string, untried?: number }>} `cut`: no test fails,
 * and one that waited without end was stopped; `untried`: test files that reach it but are beyond the budget
 */
export async function killerOf(mutant, { session, reaches, budget }) {
  const jobs = likeliestFirst(mutant, reaches);
  if (jobs.length === 0) return { verdict: 'not reached' };
  let spent = 0;
  let verdict = 'survived';
  for (const [index, job] of jobs.entries()) {
    if (spent > 0 && spent + job.expected > budget) return { verdict, untried: jobs.length - index };
    spent += job.expected;
    const end = await endOf(job, mutant, session);
    if (end === 'cut') verdict = 'cut';
    if (end !== 'killed') continue;
    const pair = `${mutant.path} ${job.test}`;
    kills.set(pair, (kills.get(pair) ?? 0) + 1);
    return { verdict: 'killed', by: job.test };
  }
  return { verdict, untried: 0 };
}

/** Orders test files: those that have killed mutants of this source file, those with its name, then the quick ones. */
function likeliestFirst(mutant, reaches) {
  const name = basename(mutant.path, '.ts');
  const rank = ({ test, expected }) => [
    -(kills.get(`${mutant.path} ${test}`) ?? 0),
    basename(test, '.test.ts') === name ? 0 : 1,
    expected,
  ];
  return reaches
    .map((reach) => jobOf(mutant, reach))
    .filter(({ only }) => only.length > 0)
    .map((job) => ({ job, rank: rank(job) }))
    .sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(({ job }) => job);
}

/** A file that takes less time, in milliseconds, runs as a whole: tests may depend on caches that other tests fill. */
const QUICK = 300;

/**
 * The tests of a file to run: those that reach the mutant, or all if it is reached around them (while loading, in
 * hooks).
 */
function jobOf(mutant, { file, load, around, tests }) {
  const numbers = [...tests.keys()].filter((number) => tests[number].passed);
  const near = numbers.filter((number) => isReached(tests[number].reached, mutant));
  const time = (chosen) => chosen.reduce((sum, number) => sum + tests[number].duration, load);
  const isWhole = isReached(around, mutant) || (near.length > 0 && time(numbers) <= QUICK);
  const only = isWhole ? numbers : near;
  return { test: file, only, expected: time(only) };
}

/**
 * A test that fails with the mutant and passes without it. If it also fails without it, an earlier mutant may be the
 * cause: tries again in a new worker.
 */
async function endOf({ test, only, expected }, { id }, session) {
  for (const attempt of ['this worker', 'a new worker']) {
    const answer = await session.run({ test, only, mutant: id }, expected);
    if (answer === 'hung') return 'killed';
    if (answer === 'cut') return 'cut';
    if (answer.passed) return 'survived';
    const failed = answer.failed < 0 ? only : [answer.failed];
    const without = await session.run({ test, only: failed }, expected);
    if (without.passed) return 'killed';
    if (attempt === 'this worker') await session.restart();
  }
  return 'survived';
}
