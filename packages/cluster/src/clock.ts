/** Time as this package needs it, so that hours can pass in a test. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The clock on the wall.
 *
 * @example
 * await systemClock.sleep(5000, signal);
 */
export const systemClock: Clock = {
  now: () => Date.now(),
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
