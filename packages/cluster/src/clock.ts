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

/** No look and no pause takes so long; a longer step is a clock that was set, or a machine that slept. */
const LONGEST_STEP = 2 * 60_000;

/** Time that passed while someone looked: it never runs back, and does not jump with the clock that it is read from. */
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
 * Calls back when a signal fires, until the returned function is called. However many wait for one signal, it has one listener:
 * runtimes warn of more than ten, and hundreds of hosts are looked at side by side.
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
  const release = signal && onAbort(signal, () => controller.abort(signal.reason));
  try {
    return await work(controller.signal);
  } catch (error) {
    // What is made of a signal on the way differs from runtime to runtime.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    release?.();
  }
}
