// Runs one target in its own thread: fresh counters and module state, and it can be stopped if an input hangs.
import { parentPort, workerData } from 'node:worker_threads';
import { committedCorpus, fewEnough, NO_TOTALS, readCorpus, State, type Totals, writeCorpus } from './corpus.ts';
import { execute, type Finding, fuzz, signatureOf } from './loop.ts';
import { minimiseCorpus, minimiseInput } from './minimise.ts';
import type { Target } from './target.ts';

export interface Job {
  /** The bundle with the target. */
  readonly module: string;
  readonly target: string;
  readonly task: 'list' | 'fuzz' | 'input' | 'shrink' | 'corpus';
  readonly seed: number;
  readonly seconds?: number;
  readonly executions?: number;
  readonly input?: Uint8Array;
  /** Corpus and totals of earlier runs. */
  readonly state?: string;
  /** Executions and the length of the current input, then its bytes. */
  readonly shared: SharedArrayBuffer;
}

const job = workerData as Job;
// An error's stack costs more than most inputs; the last frames are enough to distinguish two places.
Error.stackTraceLimit = 6;
const { targets }: { targets: readonly Target[] } = await import(job.module);
if (job.task === 'list') parentPort?.postMessage({ names: targets.map(({ name, needs = [] }) => ({ name, needs })) });
else await run(pick(job.target));

function pick(name: string): Target {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`no target ${name}`);
  return target;
}

async function run(target: Target): Promise<void> {
  const post = (message: object) => parentPort?.postMessage(message);
  if (job.task === 'fuzz') return post({ done: await fuzzTarget(target) });
  if (job.task === 'corpus') {
    const { corpus } = new State(job.state ?? '', target.name);
    const kept = fewEnough(await minimiseCorpus(target, [...readCorpus(committedCorpus(target.name)), ...corpus]));
    writeCorpus(committedCorpus(target.name), kept);
    return post({ kept: kept.length });
  }
  const input = job.input ?? new Uint8Array();
  if (job.task === 'shrink') return post({ smallest: await minimiseInput(target, input) });
  const { steps, bytes, broken } = await execute(target, input);
  const signature = broken === undefined ? undefined : signatureOf(broken);
  post({ steps, bytes, signature, stack: broken instanceof Error ? broken.stack : String(broken) });
}

async function fuzzTarget(target: Target): Promise<object> {
  const state = job.state === undefined ? undefined : new State(job.state, target.name);
  const before = state?.totals ?? NO_TOTALS;
  const header = new Uint32Array(job.shared, 0, 2);
  const room = new Uint8Array(job.shared, 8);
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  let [lastNews, isLate] = [0, false];
  const onFinding = ({ input, signature, message }: Finding, isFirst: boolean) => {
    const file = state?.keepFinding(input, signature, message);
    if (isFirst) parentPort?.postMessage({ finding: { signature, message, file, input } });
  };
  const result = await fuzz(target, {
    seed: job.seed,
    corpus: [...readCorpus(committedCorpus(target.name)), ...(state?.corpus ?? [])],
    isOver: (executions) => {
      // Reading the clock costs more than a small input.
      if (job.executions === undefined && (executions & 15) === 0) isLate = seconds() >= (job.seconds ?? 0);
      return isLate || executions >= (job.executions ?? Number.POSITIVE_INFINITY);
    },
    before: (input) => {
      header[0] = (header[0] as number) + 1;
      header[1] = Math.min(input.length, room.length);
      room.set(input.subarray(0, room.length));
    },
    onFinding,
    onNews: () => {
      lastNews = seconds();
    },
  });
  const { executions, branches, features, corpus, findings, digest } = result;
  const totals: Totals = {
    executions: before.executions + executions,
    seconds: before.seconds + seconds(),
    branches,
    features,
    // Coverage of the corpus of earlier runs is not new.
    lastNews: features > before.features ? before.seconds + lastNews : before.lastNews,
    findings: before.findings + findings.length,
  };
  state?.keep(corpus, totals);
  return { executions, seconds: seconds(), branches, features, corpus: corpus.length, lastNews, digest, totals };
}
