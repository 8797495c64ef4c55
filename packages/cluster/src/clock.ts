/** Time as this package needs it, so that hours can pass in a test. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The clock of this machine. It is read once and runs on steadily from there, so that whoever sets it meanwhile ends no wait.
 *
 * @example
 * await systemClock.sleep(5000, signal);
 */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** No look and no pause takes so long; a longer step is a clock that was set, or a machine that slept. */
const LONGEST_STEP = 2 * 60_000;

/** Time that passed while somebody looked: it never runs back, and does not jump with the clock that it is read from. */
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

/** Something took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name: string = 'TimeLimitError';

  constructor(milliseconds: number) {
    super(`no answer in ${milliseconds / 1000} s`);
  }
}

/**
 * Runs work with a signal that ends it after so many milliseconds of this machine, with a `TimeLimitError`, or with the caller's.
 * Nothing of it is left when it ends, however long the caller's signal lives.
 */
export async function within<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new TimeLimitError(milliseconds)), milliseconds);
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    // What is made of a signal on the way differs from runtime to runtime.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
