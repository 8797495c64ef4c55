import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, withRevision } from './against.ts';
import { BENCHES } from './benches/index.ts';
import { drawCurves, growthCurves, tableOfCurves } from './curves.ts';
import { type Bench, measure, type Result, type Workspace } from './frame.ts';
import { isOnPath } from './programs.ts';
import { durationText, isDefault, secondsOf } from './schedule.ts';
import { COMPARED_HEAD, comparedRow, HEAD, markdown, row } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    against: { type: 'string' },
    curves: { type: 'string' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    runs: { type: 'string', default: '5' },
    mib: { type: 'string', default: '1024' },
    directory: { type: 'string', default: tmpdir() },
  },
});
const runs = Number(values.runs);
const failures: string[] = [];

const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`no such row: ${unknown.join(', ')} (--list names them)`);
  process.exitCode = 2;
} else if (values.list) {
  for (const bench of BENCHES) {
    const set = isDefault(bench) ? '' : '  (--all)';
    console.log(`${bench.name.padEnd(18)} ${durationText(secondsOf(bench, runs)).padStart(5)}  ${bench.about}${set}`);
  }
} else if (values.curves !== undefined) {
  const file = values.curves;
  await inWorkspace(async ({ directory }) => {
    const curves = await growthCurves(directory, (text) => console.error(text));
    await writeFile(file, drawCurves(curves));
    console.log(tableOfCurves(curves));
  });
} else if (values.against !== undefined) {
  await runAgainst(values.against, chosen());
} else {
  await runAll(chosen());
}

/** The named rows, those that run by default, or all; without those that lack their program. */
function chosen(): readonly Bench[] {
  const wanted = BENCHES.filter((bench) =>
    positionals.length > 0 ? positionals.includes(bench.name) : values.all || isDefault(bench),
  );
  return wanted.filter(({ name, needs = [] }) => {
    const missing = needs.filter((program) => !isOnPath(program));
    if (missing.length > 0) console.error(`${name}: left out, because ${missing.join(', ')} is not on PATH`);
    return missing.length === 0;
  });
}

async function runAll(benches: readonly Bench[]): Promise<void> {
  const planned = benches.reduce((sum, bench) => sum + secondsOf(bench, runs), 0);
  const rest = positionals.length > 0 || values.all ? '' : ` (--all: ${BENCHES.length})`;
  console.error(`${benches.length} rows${rest}, about ${durationText(planned)} on two quiet cores\n`);
  console.log(HEAD);
  const results: Result[] = [];
  for (const bench of benches) {
    await attempt(bench, async (workspace) => {
      // On a slow or busy machine a row gets fewer runs, instead of more than twice its time.
      const result = await measure(bench, workspace, runs, 2 * secondsOf(bench, runs));
      results.push(result);
      console.log(row(result));
    });
  }
  if (values.json !== undefined) {
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: availableParallelism() };
    await writeFile(values.json, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
  }
  if (values.markdown !== undefined) await writeFile(values.markdown, markdown(results));
  finish(results.every(({ withinLimits }) => withinLimits));
}

async function runAgainst(revision: string, benches: readonly Bench[]): Promise<void> {
  const planned = benches.reduce((sum, bench) => sum + 4 * secondsOf(bench, runs), 0);
  console.error(`${benches.length} rows here and at ${revision}, about ${durationText(planned)} on two quiet cores\n`);
  let isSlower = false;
  await withRevision(revision, values.directory, async (root) => {
    console.log(COMPARED_HEAD);
    for (const bench of benches) {
      await attempt(bench, async (workspace) => {
        const comparison = await compare(bench, root, workspace);
        isSlower ||= comparison.word === 'slower';
        console.log(comparedRow(comparison));
      });
    }
  });
  finish(!isSlower);
}

/** Runs one row; a failure is reported at once and again at the end, and the other rows continue. */
async function attempt({ name }: Bench, work: (workspace: Workspace) => Promise<void>): Promise<void> {
  try {
    await inWorkspace(work);
  } catch (error) {
    const failure = `${name} failed: ${error instanceof Error ? error.message : error}`;
    failures.push(failure);
    console.error(failure);
  }
}

function finish(isGood: boolean): void {
  if (failures.length > 0) console.error(`\n${failures.length} rows failed`);
  process.exitCode = isGood && failures.length === 0 ? 0 : 1;
}

async function inWorkspace(work: (workspace: Workspace) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(values.directory, 'coreiso-bench-'));
  try {
    await work({ directory, imageMiB: Number(values.mib) });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
