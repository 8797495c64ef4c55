import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { browserBenches } from './benches/browser.ts';
import { bytesBenches } from './benches/bytes.ts';
import { configBenches } from './benches/configs.ts';
import { fleetBenches } from './benches/fleet.ts';
import { goImageServiceBenches } from './benches/go-image-service.ts';
import { httpBenches } from './benches/http.ts';
import { languageBenches } from './benches/language.ts';
import { liveBenches } from './benches/live.ts';
import { startBenches } from './benches/start.ts';
import { drawCurves, growthCurves } from './curves.ts';
import { type Bench, measure, type Result } from './frame.ts';
import { isOnPath } from './programs.ts';
import { markdown, table } from './table.ts';

const BENCHES: readonly Bench[] = [
  ...bytesBenches,
  ...startBenches,
  ...liveBenches,
  ...configBenches,
  ...languageBenches,
  ...browserBenches,
  ...httpBenches,
  ...goImageServiceBenches,
  ...fleetBenches,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
    markdown: { type: 'string' },
    svg: { type: 'string' },
    runs: { type: 'string', default: '5' },
    mib: { type: 'string', default: '1024' },
    directory: { type: 'string', default: tmpdir() },
  },
});

const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')} (--list names them)`);
  process.exitCode = 2;
} else if (values.list) {
  for (const { name, about } of BENCHES) console.log(`${name.padEnd(16)}${about}`);
} else {
  const chosen = BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const results: Result[] = [];
  const failures: string[] = [];
  for (const bench of chosen) {
    if (bench.needs !== undefined && !isOnPath(bench.needs)) {
      console.error(`${bench.name}: left out, because ${bench.needs} is not on PATH`);
      continue;
    }
    try {
      results.push(await inWorkspace(bench));
    } catch (error) {
      failures.push(`${bench.name} failed: ${error instanceof Error ? error.message : error}`);
    }
  }
  console.log(table(results));
  for (const failure of failures) console.error(failure);
  if (values.json !== undefined) {
    const machine = { node: process.version, cpu: cpus()[0]?.model, cores: availableParallelism() };
    await writeFile(values.json, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
  }
  if (values.markdown !== undefined) await writeFile(values.markdown, markdown(results));
  if (values.svg !== undefined) await writeFile(values.svg, await drawnCurves());
  process.exitCode = failures.length === 0 && results.every(({ withinLimits }) => withinLimits) ? 0 : 1;
}

async function inWorkspace(bench: Bench): Promise<Result> {
  const directory = await mkdtemp(join(values.directory, 'coreiso-bench-'));
  try {
    console.error(`${bench.name}: ${bench.about}`);
    return await measure(bench, { directory, imageMiB: Number(values.mib) }, Number(values.runs));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function drawnCurves(): Promise<string> {
  const directory = await mkdtemp(join(values.directory, 'coreiso-bench-'));
  try {
    return drawCurves(await growthCurves(directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
