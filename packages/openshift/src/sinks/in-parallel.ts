/**
 * Works on several items at a time and yields their results in order. The first failure, or a caller who leaves, stops the others;
 * the generator ends after they have ended.
 */
export async function* inParallel<T, R>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  signal?: AbortSignal,
): AsyncGenerator<R, void> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const running: Promise<R>[] = [];
  try {
    for await (const item of items) {
      signal?.throwIfAborted();
      const one = work(item, either);
      // The reader of its result sees the failure, but may not be waiting yet.
      one.catch(() => undefined);
      running.push(one);
      if (running.length >= limit) yield await next(running);
    }
    while (running.length > 0) yield await next(running);
  } finally {
    stop.abort(new DOMException('another image failed', 'AbortError'));
    await Promise.allSettled(running);
  }
}

async function next<R>(running: Promise<R>[]): Promise<R> {
  const [first] = running;
  if (first === undefined) throw new RangeError('running must not be empty');
  const value = await first;
  running.shift();
  return value;
}
