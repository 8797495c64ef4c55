import { unlessAborted } from './attempts.ts';
import type { Alive } from './pace.ts';

/** The body of an answer, piece by piece. */
export async function* bodyOf(
  { body }: Response,
  { signal, alive }: { readonly signal: AbortSignal; readonly alive: Alive },
): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const since = performance.now();
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return;
      alive(value.length, performance.now() - since);
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
