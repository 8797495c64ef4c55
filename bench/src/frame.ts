/** One measurement: a time or an amount, in the unit of its bench. */
export type Measure = () => Promise<number>;

/** A bench after its setup. */
interface Candidates {
  readonly ours: Measure;
  /** The program, or the case, to compare with. */
  readonly peer: Measure;
  /** Ends the processes started for them. */
  readonly end?: () => Promise<void>;
}

/** The place and size of a measurement. */
export interface Workspace {
  /** Empty, and removed after the bench. */
  readonly directory: string;
  /** The size of an ordinary image. */
  readonly imageMiB: number;
}

/** The highest acceptable value. */
export interface Limits {
  /** Ours divided by the peer's. */
  readonly ratio?: number;
  /** Ours minus the peer's. */
  readonly difference?: number;
  /** Ours, without comparison. */
  readonly ours?: number;
}

/** A measurement of our code and of a peer. */
export interface Bench {
  readonly name: string;
  /** The comparison, in one line. */
  readonly about: string;
  readonly unit: 'ms' | 'MB' | 'KB' | 'requests';
  readonly limits: Limits;
  /** Programs without which it is skipped. */
  readonly needs?: readonly string[];
  /** Whether our side only computes, in this process: then revisions are compared by processor time. */
  readonly computes?: true;
  setUp(workspace: Workspace): Promise<Candidates>;
}

/** The result of a bench. */
export interface Result {
  readonly name: string;
  readonly about: string;
  readonly unit: string;
  readonly limits: Limits;
  readonly ours: number;
  readonly peer: number;
  readonly ratio: number;
  readonly withinLimits: boolean;
  readonly runs: { readonly ours: readonly number[]; readonly peer: readonly number[] };
}

/** Fewer runs prove nothing. */
const FEWEST_RUNS = 2;

/**
 * The best of `count` runs each: other work of the machine only adds to a run. Runs alternate, so that a busy minute
 * affects both. A row that takes more than `seconds` gets fewer runs.
 */
export async function measure(bench: Bench, workspace: Workspace, count: number, seconds: number): Promise<Result> {
  const begun = performance.now();
  const isLate = (): boolean => performance.now() - begun > seconds * 1000;
  const { ours, peer, end } = await bench.setUp(workspace);
  const runs = { ours: [] as number[], peer: [] as number[] };
  try {
    await peer();
    await ours();
    for (let run = 0; run < count && !(run >= FEWEST_RUNS && isLate()); run++) {
      runs.peer.push(await peer());
      runs.ours.push(await ours());
    }
  } finally {
    await end?.();
  }
  const best = { ours: Math.min(...runs.ours), peer: Math.min(...runs.peer) };
  const { name, about, unit, limits } = bench;
  return {
    name,
    about,
    unit,
    limits,
    ...best,
    ratio: best.ours / best.peer,
    withinLimits: isWithin(limits, best),
    runs,
  };
}

function isWithin(limits: Limits, { ours, peer }: { ours: number; peer: number }): boolean {
  const none = Number.POSITIVE_INFINITY;
  return (
    ours / peer <= (limits.ratio ?? none) && ours - peer <= (limits.difference ?? none) && ours <= (limits.ours ?? none)
  );
}
