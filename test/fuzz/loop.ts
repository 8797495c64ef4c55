import { isCoreisoError } from '@coreiso/diagnostics';
import { begin, end, literals, SeenCoverage, StepsExhausted } from './coverage.ts';
import { type Mutated, Mutator } from './mutate.ts';
import { Random } from './random.ts';
import { PropertyViolation, seedsOf, type Target } from './target.ts';

/** An input that breaks a property, and the error. */
export interface Finding {
  readonly input: Uint8Array;
  /** Equal for inputs that break the same property at the same place. */
  readonly signature: string;
  readonly message: string;
}

export interface LoopOptions {
  readonly seed: number;
  /** Inputs of earlier runs. */
  readonly corpus?: Iterable<Uint8Array>;
  /** Called before every input. */
  readonly isOver: (executions: number) => boolean;
  /** Called before an input runs: if the process hangs or dies, the last input is the cause. */
  readonly before?: (input: Uint8Array) => void;
  /** Called with the first input of each signature, and with smaller ones later. */
  readonly onFinding?: (finding: Finding, isFirst: boolean) => void;
  readonly onNews?: (executions: number) => void;
  /** False: mutates blindly, to measure the effect of the counters. */
  readonly isGuided?: boolean;
}

export interface LoopResult {
  readonly executions: number;
  readonly branches: number;
  readonly features: number;
  readonly corpus: readonly Uint8Array[];
  readonly findings: readonly Finding[];
  /** A hash of every input and its coverage: equal for equal seeds. */
  readonly digest: number;
}

interface Entry extends Mutated {
  readonly steps: number;
}

const STEPS = { base: 200_000, perByte: 2_000 };
const MEMORY = 64 * 1024 * 1024;
const LONGEST = 4096;
/** The number of inputs made from one entry before another is chosen. */
const TURN = 16;

/** Runs one input and measures its cost and its failure. */
export async function execute(
  target: Target,
  input: Uint8Array,
): Promise<{ steps: number; bytes: number; broken?: unknown }> {
  const { base, perByte } = target.steps ?? STEPS;
  const most = base + perByte * input.length;
  begin(most);
  let broken: unknown;
  try {
    const result = target.run(input);
    // A turn of the event loop costs more than most inputs.
    if (result instanceof Promise) await result;
  } catch (error) {
    if (!isCoreisoError(error)) broken = error ?? new PropertyViolation('undefined is thrown');
  }
  const { stepsLeft, bytes } = end();
  const steps = most - stepsLeft;
  // The code may catch the error of a step.
  if (stepsLeft < 0) broken = new StepsExhausted(`more than ${most} steps for ${input.length} bytes`);
  else if (broken === undefined && bytes > (target.memory ?? MEMORY))
    broken = new PropertyViolation(`allocates ${bytes} bytes for an input of ${input.length}`);
  return broken === undefined ? { steps, bytes } : { steps, bytes, broken };
}

/** The signature of an error: its message without numbers and quoted parts, and the place that threw it. */
export function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const message = error.message.replace(/\d+/g, '#').replace(/(["'`]).*?\1/gs, '…');
  const place =
    error instanceof PropertyViolation
      ? ''
      : (/^\s+at (?:async )?(?:new )?([\w.#$<>]+)/m.exec(error.stack ?? '')?.[1] ?? '');
  return `${error.name}: ${message.slice(0, 120)} ${place}`.trim();
}

/** The coverage-guided loop: keeps inputs that reach something new and mutates them. */
export async function fuzz(target: Target, options: LoopOptions): Promise<LoopResult> {
  const { seed, isOver, before, onFinding, onNews, isGuided = true } = options;
  const longest = target.longest ?? LONGEST;
  const random = new Random(seed);
  const seen = new SeenCoverage();
  const entries: Entry[] = [];
  const byHash = new Map<number, number>();
  const findings = new Map<string, Finding>();
  let [executions, digest, totalSteps] = [0, 0, 0];

  const attempt = async (input: Uint8Array, isSeed = false): Promise<void> => {
    before?.(input);
    const { steps, broken } = await execute(target, input);
    executions++;
    const { fresh, hash } = seen.add();
    digest = Math.imul(digest ^ hash, 0x01000193) >>> 0;
    if (broken !== undefined) {
      const signature = signatureOf(broken);
      const known = findings.get(signature);
      if (known !== undefined && known.input.length <= input.length) return;
      const message = broken instanceof Error ? (broken.stack ?? broken.message) : String(broken);
      const finding = { input: input.slice(), signature, message };
      findings.set(signature, finding);
      onFinding?.(finding, known === undefined);
      return;
    }
    const same = byHash.get(hash);
    const entry = { input: input.slice(), steps };
    if (isSeed || (isGuided && fresh > 0)) {
      if (fresh > 0 || entries.length < 8) {
        byHash.set(hash, entries.length);
        entries.push(entry);
        totalSteps += steps;
        if (fresh > 0 && !isSeed) onNews?.(executions);
      }
    } else if (isGuided && same !== undefined && input.length < (entries[same] as Entry).input.length) {
      entries[same] = entry;
    }
  };

  for (const input of [new Uint8Array(), ...(await seedsOf(target)), ...(options.corpus ?? [])]) {
    if (input.length <= longest && !isOver(executions)) await attempt(input, true);
  }
  if (entries.length === 0) entries.push({ input: new Uint8Array(), steps: 1 });
  const mutator = new Mutator({
    shape: target.shape,
    longest,
    words: [...(target.words ?? []), ...literals()],
    random,
  });
  while (!isOver(executions)) {
    const chosen = choose(entries, random, totalSteps);
    for (let turn = 0; turn < TURN && !isOver(executions); turn++) {
      await attempt(mutator.mutate(chosen, random.pick(entries)));
    }
  }
  return {
    executions,
    branches: seen.branches,
    features: seen.features,
    corpus: entries.map(({ input }) => input),
    findings: [...findings.values()],
    digest,
  };
}

/** Prefers the newest entries half of the time, and expensive ones less often. */
function choose(entries: readonly Entry[], random: Random, totalSteps: number): Entry {
  const average = totalSteps / entries.length;
  for (let tries = 0; ; tries++) {
    const newest = Math.min(entries.length, Math.max(8, entries.length >> 4));
    const index = random.oneIn(2) ? entries.length - 1 - random.below(newest) : random.below(entries.length);
    const entry = entries[index] as Entry;
    if (tries > 4 || entry.steps <= 4 * average || random.oneIn(8)) return entry;
  }
}
