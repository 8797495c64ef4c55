// What instrumented code writes into: counters of its branches, steps, bytes allocated. The inserted text names these
// functions, so everything here is on the hot path.

/** Room for the counters of all packages together. */
const ROOM = 1 << 18;
const all: Uint8Array = new Uint8Array(ROOM);
const words = new Uint32Array(all.buffer);
let used = 0;
const found = new Set<string | number>();

/** Thrown inside the code under test when its steps are used up, again at each further step. */
export class StepsExhausted extends Error {
  override readonly name = 'StepsExhausted';
}

/** The counters of one module; it also hands over the literals that its code looks for. */
export function region(_name: string, count: number, literals: readonly (string | number)[]): Uint8Array {
  if (used + count > ROOM) throw new RangeError('more counters than room: raise ROOM');
  for (const literal of literals) found.add(literal);
  // Whole words, so that a scan does not look at a counter twice.
  const counters = all.subarray(used, used + count);
  used += (count + 3) & ~3;
  return counters;
}

let stepsLeft = Number.POSITIVE_INFINITY;
let bytes = 0;

/** One function entered or one turn of a loop. */
export function step(): void {
  if (--stepsLeft < 0) throw new StepsExhausted('the work for this input is used up');
}

/** `new Uint8Array`, counted. */
export function allocate(...given: [number | ArrayBufferLike | ArrayLike<number>, number?, number?]): Uint8Array {
  const [first] = given;
  const made = Reflect.construct(Uint8Array, given) as Uint8Array;
  if (!(first instanceof ArrayBuffer) && !(first instanceof SharedArrayBuffer)) bytes += made.byteLength;
  return made;
}

/** Before an input: no counts, so many steps. */
export function begin(steps: number): void {
  all.fill(0, 0, used);
  stepsLeft = steps;
  bytes = 0;
}

/** After it: steps that are left, negative where more were wanted, and bytes allocated in all. */
export function end(): { stepsLeft: number; bytes: number } {
  const result = { stepsLeft, bytes };
  stepsLeft = Number.POSITIVE_INFINITY;
  return result;
}

/** Texts and numbers that are in the instrumented code. */
export function literals(): readonly (string | number)[] {
  return [...found];
}

/** How often a branch was taken, as AFL counts it: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more; a bit each. */
const BUCKETS: Uint8Array = Uint8Array.from({ length: 256 }, (_, count) => {
  const borders = [1, 2, 3, 4, 8, 16, 32, 128];
  const bucket = borders.findLastIndex((border) => count >= border);
  return bucket < 0 ? 0 : 1 << bucket;
});

/** What has been seen in all inputs of a run. */
export class SeenCoverage {
  readonly #bits = new Uint8Array(ROOM);
  /** Branches taken by any input. */
  branches = 0;
  /** Branches and how often they were taken, by any input. */
  features = 0;

  /** Takes in the counts of the last input: how many features are new, and a hash of all of them. */
  add(): { fresh: number; hash: number } {
    const bits = this.#bits;
    const [end, before] = [used >> 2, this.features];
    let hash = 0x811c9dc5;
    for (let word = 0; word < end; word++) {
      if (words[word] === 0) continue;
      for (let index = word << 2, last = index + 4; index < last; index++) {
        const count = all[index] as number;
        if (count === 0) continue;
        const bit = BUCKETS[count] as number;
        hash = Math.imul(hash ^ index, 0x01000193);
        hash = Math.imul(hash ^ bit, 0x01000193);
        const old = bits[index] as number;
        if ((old & bit) !== 0) continue;
        if (old === 0) this.branches++;
        this.features++;
        bits[index] = old | bit;
      }
    }
    return { fresh: this.features - before, hash: hash >>> 0 };
  }
}
