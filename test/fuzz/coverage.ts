// Called by instrumented code: counters of branches, steps and allocated bytes. The inserted text names these
// functions, so everything here is on the hot path.

/** Room for the counters of all packages together. */
const ROOM = 1 << 18;
const all: Uint8Array = new Uint8Array(ROOM);
const words = new Uint32Array(all.buffer);
let used = 0;
const found = new Set<string | number>();

/** Thrown inside the code under test when its steps are used up, and again at each further step. */
export class StepsExhausted extends Error {
  override readonly name = 'StepsExhausted';
}

/** The counters of one module; registers the literals that its code compares with. */
export function region(_name: string, count: number, literals: readonly (string | number)[]): Uint8Array {
  if (used + count > ROOM) throw new RangeError('more counters than room: raise ROOM');
  for (const literal of literals) found.add(literal);
  // Whole words, so that a scan never reads a counter twice.
  const counters = all.subarray(used, used + count);
  used += (count + 3) & ~3;
  return counters;
}

let stepsLeft = Number.POSITIVE_INFINITY;
let bytes = 0;

/** Counts a function call or a turn of a loop. */
export function step(): void {
  if (--stepsLeft < 0) throw new StepsExhausted('the work for this input is used up');
}

/** Counts the bytes of `new Uint8Array`. */
export function allocate(...given: [number | ArrayBufferLike | ArrayLike<number>, number?, number?]): Uint8Array {
  const [first] = given;
  const made = Reflect.construct(Uint8Array, given) as Uint8Array;
  if (!(first instanceof ArrayBuffer) && !(first instanceof SharedArrayBuffer)) bytes += made.byteLength;
  return made;
}

/** Resets the counters before an input and sets its steps. */
export function begin(steps: number): void {
  all.fill(0, 0, used);
  stepsLeft = steps;
  bytes = 0;
}

/** The steps left after an input, negative if it took more, and the bytes allocated in all. */
export function end(): { stepsLeft: number; bytes: number } {
  const result = { stepsLeft, bytes };
  stepsLeft = Number.POSITIVE_INFINITY;
  return result;
}

/** Texts and numbers in the instrumented code. */
export function literals(): readonly (string | number)[] {
  return [...found];
}

/** The class of a branch count, as in AFL: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more; one bit each. */
const BUCKETS: Uint8Array = Uint8Array.from({ length: 256 }, (_, count) => {
  const borders = [1, 2, 3, 4, 8, 16, 32, 128];
  const bucket = borders.findLastIndex((border) => count >= border);
  return bucket < 0 ? 0 : 1 << bucket;
});

/** The coverage of all inputs of a run. */
export class SeenCoverage {
  readonly #bits = new Uint8Array(ROOM);
  /** Branches taken by any input. */
  branches = 0;
  /** Branches and how often they were taken, by any input. */
  features = 0;

  /** Adds the counts of the last input; returns the number of new features, and a hash of all of them. */
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
