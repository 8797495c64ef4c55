// The part of vitest that tests of portable code use, in a page: the same matchers, and a runner for one file after the other.
import {
  chai,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';

type Work = (...values: never[]) => unknown;
type Register = (name: string, work: Work) => void;

interface Found {
  readonly name: string;
  readonly run: () => unknown;
  readonly groups: readonly Group[];
}

interface Group {
  readonly name: string;
  readonly before: Work[];
  readonly after: Work[];
  readonly beforeAll: Work[];
  readonly afterAll: Work[];
}

const newGroup = (name: string): Group => ({ name, before: [], after: [], beforeAll: [], afterAll: [] });

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
export const expect = Object.assign((value: unknown, message?: string) => chai.expect(value, message), chai.expect);
Object.assign(globalThis, { [GLOBAL_EXPECT]: expect });
Object.assign(expect, {
  getState: () => getState(expect as never),
  setState: (state: object) => setState(state, expect as never),
});

let found: Found[] = [];
let groups: Group[] = [];
let finished: Work[] = [];

function register(name: string, work: Work): void {
  const own = groups;
  found.push({ name: [...own.map((group) => group.name), name].join(' > '), run: work as () => unknown, groups: own });
}

function group(name: string, work: Work): void {
  const outer = groups;
  groups = [...outer, newGroup(name)];
  (work as () => void)();
  groups = outer;
}

/** `each` of both: rows of values, or of one value each. */
function withEach(
  add: Register,
): Register & { each: unknown; for: unknown; skipIf: unknown; runIf: unknown; skip: unknown } {
  const each =
    (rows: Iterable<unknown>) =>
    (name: string, work: Work): void => {
      for (const row of rows) {
        const values = Array.isArray(row) ? row : [row];
        add(`${name} ${String(values[0]).slice(0, 60)}`, () => work(...(values as never[])));
      }
    };
  const only = (name: string, options: unknown, work?: Work): void =>
    add(name, typeof options === 'function' ? (options as Work) : (work ?? (() => undefined)));
  const rowsAsOne =
    (rows: Iterable<unknown>) =>
    (name: string, work: Work): void => {
      for (const row of rows) add(name, () => work(row as never));
    };
  const nothing = Object.assign(() => undefined, { each: () => () => undefined });
  return Object.assign(only as Register, {
    each,
    for: rowsAsOne,
    skip: nothing,
    skipIf: (isSkipped: unknown) => (isSkipped ? nothing : Object.assign(only, { each })),
    runIf: (isRun: unknown) => (isRun ? Object.assign(only, { each }) : nothing),
  });
}

export const test = withEach(register);
export const describe = withEach(group);
const top = newGroup('');
const here = (): Group => groups.at(-1) ?? top;
export const beforeEach = (work: Work): unknown => here().before.push(work);
export const afterEach = (work: Work): unknown => here().after.push(work);
export const beforeAll = (work: Work): unknown => here().beforeAll.push(work);
export const afterAll = (work: Work): unknown => here().afterAll.push(work);
export const onTestFinished = (work: Work): unknown => finished.push(work);

/** The tests that ran, and the messages of those that failed. */
export interface Outcome {
  readonly passed: number;
  readonly failures: readonly string[];
}

/** Imports a file of tests and runs them. */
export async function runFile(load: () => Promise<unknown>): Promise<Outcome> {
  [found, groups] = [[], []];
  for (const list of Object.values(top)) if (Array.isArray(list)) list.length = 0;
  await load();
  const failures: string[] = [];
  let passed = 0;
  const begun = new Set<Group>();
  for (const { name, run, groups: own } of found) {
    const around = [top, ...own];
    finished = [];
    try {
      for (const one of around) {
        if (!begun.has(one)) for (const work of one.beforeAll) await call(work);
        begun.add(one);
      }
      for (const one of around) for (const work of one.before) await call(work);
      await run();
      passed += 1;
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      for (const work of finished) await call(work);
      for (const one of around) for (const work of one.after) await call(work);
    }
  }
  for (const one of begun) for (const work of one.afterAll) await call(work);
  return { passed, failures };
}

const call = (work: Work): unknown => (work as () => unknown)();
