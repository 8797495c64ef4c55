import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { isEquivalent, staleEntries } from '../scripts/mutants/equivalent.mjs';
// @ts-expect-error: a script without types
import { killerOf } from '../scripts/mutants/judge.mjs';
// @ts-expect-error: a script without types
import { sample } from '../scripts/mutants/sample.mjs';
// @ts-expect-error: a script without types
import { mutantsOf, withMutants } from '../scripts/mutants/sites.mjs';
import { root } from './support/sources.ts';

type Mutant = { start: number; end: number; text: string; code: string };

const mutated = (source: string): string[] =>
  mutantsOf('a.ts', source).map(({ start, end, text }: Mutant) => source.slice(0, start) + text + source.slice(end));

test.each<[string, string[]]>([
  ['a < b', ['a <= b']],
  ['a && !b', ['a || !b', 'a && b']],
  ['a ?? b ?? c', ['(a ?? b) && c', 'a && b ?? c']],
  ['x = a ? 1 : -b', ['x = true ? 1 : -b', 'x = false ? 1 : -b', 'x = a ? (1 + 1) : -b', 'x = a ? 1 : b']],
  ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
  ["await close('x')", [';', "await close('')"]],
  ['i++', ['i--']],
  ['x = String.raw`a`', ['x = String.raw``']],
])('%s becomes each of its mutants', (source, expected) => {
  expect(mutated(source)).toEqual(expected);
});

test.each([
  "import a from 'a';",
  "type A = 'a' | 1;",
  'interface A { readonly a: 1 }',
  "x = { 'a': b, 1: c };",
  "const { 'a': b } = c;",
  "throw new RangeError('message');",
  "throw bad('not a header');",
  "x = { help: 'Say so', message: ('b') };",
  "x = section('Who balances the load.');",
])('%s has no mutants', (source) => {
  expect(mutated(source)).toEqual([]);
});

test.each([
  "x = a === 'a word';",
  "throw bad('code');",
  "x = { name: 'Say so' };",
  "write('ExecStart=/bin/sh -c true');",
])('%s is not text for people', (source) => {
  expect(mutated(source)).toContain(source.replace(/'.*'/, "''"));
});

test('the choice between two messages is behaviour, their words are text', () => {
  const source = "x = { message: a ? 'one' : 'many' };";
  expect(mutated(source)).toEqual([source.replace('a ?', 'true ?'), source.replace('a ?', 'false ?')]);
});

test('the code of an error is behaviour, its message is text', () => {
  expect(mutated("throw new IsoError('ISO_IO', 'message');")).toEqual(["throw new IsoError('', 'message');"]);
});

const program = `
  const calls = [];
  const call = (value) => calls.push(value);
  if (a < 3 && !(a === 1)) call('small'); else call(-a ?? 'none' ?? 0);
  for (let i = 0; i < 2; i++) call(i * 2 + a);
  return calls;`;

test('a program with all its mutants behaves like each of them in turn, and like itself', () => {
  const mutants: Mutant[] = mutantsOf('a.ts', program);
  const woven = withMutants(program, mutants, (mutant: Mutant) => `on === ${mutants.indexOf(mutant)}`);
  const outcome = (text: string, a: number, on?: number): unknown => {
    // Some mutants of the loop never end by themselves.
    const bounded = text.replace('calls.push(value)', '{ if (calls.push(value) > 9) throw calls.join(); }');
    try {
      return new Function('a', 'on', bounded)(a, on);
    } catch (error) {
      return String(error);
    }
  };
  for (const a of [0, 1, 2, 3]) {
    expect(outcome(woven, a)).toEqual(outcome(program, a));
    for (const [on, { start, end, text }] of mutants.entries()) {
      const alone = program.slice(0, start) + (text === ';' ? text : `(${text})`) + program.slice(end);
      expect(outcome(woven, a, on), alone).toEqual(outcome(alone, a));
    }
  }
});

test('a sample is spread over the list, and equal for the same seed', () => {
  const list = Array.from({ length: 100 }, (_, index) => index);
  const chosen: number[] = sample(list, 10, 7);
  expect(chosen.map((value) => Math.floor(value / 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(sample(list, 10, 7)).toEqual(chosen);
  expect(sample(list, 10, 8)).not.toEqual(chosen);
  expect(sample(list, 200, 7)).toEqual(list);
});

test('an equivalent mutant is known by its line and its change, wherever the line is', () => {
  const [mutant] = mutantsOf('a.ts', '\n\n  x = a < b;').map((found: Mutant) => ({ ...found, path: 'src/a.ts' }));
  const entry = { file: 'src/a.ts', code: 'x = a < b;', was: 'a < b', text: 'a <= b', reason: 'they differ' };
  expect(isEquivalent(mutant, [entry])).toBe(true);
  expect(isEquivalent(mutant, [{ ...entry, code: 'y = a < b;' }])).toBe(false);
  expect(staleEntries([entry], 'src', [mutant])).toEqual([]);
  expect(staleEntries([entry, { ...entry, file: 'other/a.ts' }], 'src', [])).toEqual([entry]);
});

const reached = (...ids: number[]): Buffer => Buffer.from([ids.reduce((bits, id) => bits | (1 << id), 0)]);
const slow = { passed: true, duration: 1000 };
const reaches = [
  {
    file: 'b.test.ts',
    load: 9,
    around: reached(),
    tests: [
      { ...slow, reached: reached(1) },
      { ...slow, reached: reached(2) },
    ],
  },
  { file: 'a.test.ts', load: 1, around: reached(3), tests: [{ ...slow, reached: reached(1) }] },
];

type Job = { test: string; only: number[]; mutant?: number };

/** A worker in which some tests fail under a mutant, and some fail without one until a restart. */
function worker(fails: (job: Job, restarts: number) => boolean) {
  const jobs: Job[] = [];
  let restarts = 0;
  const run = async (job: Job) => {
    jobs.push(job);
    const passed = !fails(job, restarts);
    return { passed, failed: passed ? -1 : job.only[0] };
  };
  return { jobs, session: { run, restart: async () => restarts++ } };
}

test.each([
  { title: 'a test that fails only with it kills', id: 1, fails: (job: Job) => job.mutant === 1, verdict: 'killed' },
  { title: 'a test that always fails does not', id: 1, fails: () => true, verdict: 'survived' },
  {
    title: 'what fails because of earlier mutants does not',
    id: 1,
    fails: (_: Job, n: number) => n === 0,
    verdict: 'survived',
  },
  { title: 'no test executes it', id: 4, fails: () => true, verdict: 'not reached' },
])('$title: $verdict', async ({ id, fails, verdict }) => {
  const { session } = worker(fails);
  expect(await killerOf({ id, path: 'src/x.ts' }, { session, reaches, budget: 9000 })).toMatchObject({ verdict });
});

test.each([
  [['cut', 'cut'], 'cut'],
  [['passed', 'cut'], 'cut'],
  [['cut', 'hung'], 'killed'],
  [['cut', 'passed'], 'cut'],
  [['hung'], 'killed'],
])('a mutant that computes forever is killed, and one that only waits is cut: %j', async (answers, verdict) => {
  const left = [...answers];
  const session = {
    run: async () => {
      const answer = left.shift();
      return answer === 'passed' ? { passed: true, failed: -1 } : answer;
    },
    restart: async () => {},
  };
  expect(await killerOf({ id: 1, path: 'src/c.ts' }, { session, reaches, budget: 9000 })).toMatchObject({ verdict });
});

test('a mutant meets the tests that execute it, those with its name first, within the budget', async () => {
  const { session, jobs } = worker(() => false);
  const meet = (id: number, budget: number) => killerOf({ id, path: 'src/b.ts' }, { session, reaches, budget });
  expect(await meet(1, 9000)).toEqual({ verdict: 'survived', untried: 0 });
  expect(await meet(2, 9000)).toEqual({ verdict: 'survived', untried: 0 });
  expect(await meet(3, 9000)).toEqual({ verdict: 'survived', untried: 0 });
  expect(await meet(1, 1500)).toEqual({ verdict: 'survived', untried: 1 });
  expect(jobs.map(({ test: file, only, mutant }) => [mutant, file, only])).toEqual([
    [1, 'b.test.ts', [0]],
    [1, 'a.test.ts', [0]],
    [2, 'b.test.ts', [1]],
    [3, 'a.test.ts', [0]],
    [1, 'b.test.ts', [0]],
  ]);
});

test('a run judges the code that it loads, not the cache of an earlier run', () => {
  const argv = [join(root, 'scripts/mutants.mjs'), 'packages/peers/src/file-name.ts', '--sample', '4'];
  const { stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: root,
    encoding: 'utf8',
    env: plainEnvironment(),
  });
  expect(stdout, stderr).toMatch(/^[2-4] of 4 killed/m);
});

/** The environment without the variables that mark a worker of Vitest. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITE|NODE_ENV|TEST$|NODE_V8)/.test(name)),
  );
}
