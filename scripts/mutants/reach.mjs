// Finds which tests execute which mutants, and how long each takes: every test file runs once, with a counter in the
// place of every mutant. Results are cached per test file, as long as it, the shared test support, the sources of the
// package and the settings of the tests stay the same.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { recording, Session } from './session.mjs';
import { withMutants } from './sites.mjs';

const LONG = 300_000;

/**
 * For each test file its load time, and for each of its tests the duration, the verdict and the mutants that it reaches.
 * @returns {Promise<{ file: string, load: number, around: Buffer, tests: { passed: boolean, duration: number, reached: Buffer }[] }[]>}
 */
export async function reachOfTests({ root, packageFolder, sources, tests, shared, count }) {
  const texts = sources.map(({ text, mutants }) => text + JSON.stringify(mutants));
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('COREISO_'));
  const common = digest([...texts, ...shared.map(read), JSON.stringify(settings.sort())]);
  let session;
  const reaches = [];
  for (const file of tests) {
    const cache = join(root, 'node_modules/.cache/mutants', packageFolder, `${relative(root, file)}.json`);
    const key = digest([common, read(file)]);
    let record = remembered(cache, key);
    if (record === undefined) {
      session ??= await Session.open(new Map(sources.map((source) => [source.file, recorded(source)])), count);
      console.error(`what ${relative(root, file)} reaches`);
      const answer = await session.run({ test: file, bail: false }, LONG);
      const isEnded = typeof answer === 'string';
      if (isEnded) console.error(`${relative(root, file)} takes too long and judges none`);
      record = { key, ...(isEnded ? { tests: [], reached: {}, duration: LONG } : answer) };
      mkdirSync(dirname(cache), { recursive: true });
      writeFileSync(cache, JSON.stringify(record));
    }
    const unfit = record.tests.filter(({ state }) => state === 'fail').length;
    if (unfit > 0) console.error(`${relative(root, file)}: ${unfit} tests fail without a mutant and judge none`);
    reaches.push(reachOf(file, record));
  }
  await session?.close();
  return reaches;
}

/** Whether a mutant was reached. */
export function reaches(reached, { id }) {
  return ((reached[id >> 3] ?? 0) & (1 << (id & 7))) !== 0;
}

function recorded({ text, mutants }) {
  return withMutants(text, mutants, recording);
}

function reachOf(file, { tests, reached, duration }) {
  const bits = (by) => Buffer.from(reached[by] ?? '', 'base64');
  const known = tests.map((test, number) => ({
    passed: test.state === 'pass',
    duration: test.duration,
    reached: bits(number),
  }));
  const load = duration - tests.reduce((sum, test) => sum + test.duration, 0);
  return { file, load: Math.max(load, 1), around: bits('load'), tests: known };
}

function remembered(cache, key) {
  try {
    const record = JSON.parse(read(cache));
    return record.key === key ? record : undefined;
  } catch {
    return undefined;
  }
}

function read(path) {
  return readFileSync(path, 'utf8');
}

function digest(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex');
}
