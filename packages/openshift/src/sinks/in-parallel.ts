/**
 * Works on several items at a time and yields what comes of them, in their order. The first failure, and a caller who leaves, stops
 * the others; they have ended when this does.
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
      // Anyone who waits for it learns of its failure; no one may be waiting yet.
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
