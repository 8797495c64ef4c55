/** Time and sleep, replaceable in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The clock of this machine. It is read once and then counted by a monotonic timer, so setting the clock does not end a wait.
 *
 * @example
 * await systemClock.sleep(5000, signal);
 */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(() => {
        release?.();
        resolve();
      }, milliseconds);
      const release =
        signal &&
        onAbort(signal, () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
    }),
};

/** No poll and no pause takes this long; a longer step means that the clock was set or the machine slept. */
const LONGEST_STEP = 2 * 60_000;

/** Elapsed time that never runs backward and ignores jumps of the clock. */
export class Stopwatch {
  readonly #clock: Clock;
  #last: number;
  #elapsed = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = clock.now();
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    const now = this.#clock.now();
    const step = now - this.#last;
    if (step > 0 && step <= LONGEST_STEP) this.#elapsed += step;
    this.#last = now;
    return this.#elapsed;
  }
}

/** The callbacks of a signal. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal fires, until the returned function is called. A signal has one listener, however many callbacks wait
 * for it: runtimes warn of more than ten, and hundreds of hosts are polled at the same time.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = callbacksOf.get(signal) ?? new Set();
  if (!callbacksOf.has(signal)) {
    callbacksOf.set(signal, callbacks);
    const callAll = () => {
      for (const one of [...callbacks]) one();
    };
    signal.addEventListener('abort', callAll, { once: true });
  }
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

/** An operation exceeded its time limit. */
export class TimeLimitError extends Error {
  override readonly name: string = 'TimeLimitError';

  constructor(milliseconds: number) {
    super(`no answer in ${milliseconds / 1000} s`);
  }
}

/**
 * Runs work with a signal that aborts it after this many milliseconds of this machine, with a `TimeLimitError`, or when the
 * caller's signal fires. It leaves no timers or listeners, however long the caller's signal lives.
 */
export async function within<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new TimeLimitError(milliseconds)), milliseconds);
  const release = signal && onAbort(signal, () => controller.abort(signal.reason));
  try {
    return await work(controller.signal);
  } catch (error) {
    // Runtimes differ in the error that they make of an aborted signal.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    release?.();
  }
}
