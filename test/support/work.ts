// Counts the cost of work instead of timing it: calls and loop turns in our own sources, and allocated bytes.
import { type HeapProfiler, type Profiler, Session } from 'node:inspector';

/** The cost of a piece of work. */
export interface Work {
  /** Calls of functions and runs of blocks (a loop's body, each time) in the packages' sources. */
  readonly steps: number;
  /** Bytes of the engine's heap, estimated from samples; bytes collected meanwhile count, too. */
  readonly allocated: number;
}

const SAMPLE_EVERY = 16 * 1024;

const session = new Session();
session.connect();

const ask = <Answer>(method: string, parameters: object = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    session.post(method, parameters, (error, answer) => (error ? reject(error) : resolve(answer as Answer)));
  });

// A function that ran before this has no counters in its loops.
await ask('Profiler.enable');
await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const counts = async (): Promise<readonly Profiler.ScriptCoverage[]> =>
  (await ask<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage')).result;

/** Runs `work` and counts. The engine's own loops (`includes`, `sort`) count as one step. */
export async function workOf(work: () => unknown): Promise<Work> {
  await counts();
  await ask('HeapProfiler.startSampling', {
    samplingInterval: SAMPLE_EVERY,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await work();
  const { profile } = await ask<HeapProfiler.StopSamplingReturnType>('HeapProfiler.stopSampling');
  return { steps: stepsIn(await counts()), allocated: bytesUnder(profile.head) };
}

function bytesUnder({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return selfSize + sum(children.map(bytesUnder));
}

function stepsIn(scripts: readonly Profiler.ScriptCoverage[]): number {
  const ours = scripts.filter(({ url }) => /\/packages\/[^/]+\/src\//.test(url));
  return sum(ours.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count))));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
