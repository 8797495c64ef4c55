import { unlessAborted } from './attempts.ts';
import type { ActivityListener } from './pace.ts';

/** The body of an answer, piece by piece. */
export async function* bodyOf(
  { body }: Response,
  { signal, alive: onActivity }: { readonly signal: AbortSignal; readonly alive: ActivityListener },
): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const since = performance.now();
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return;
      onActivity(value.length, performance.now() - since);
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
