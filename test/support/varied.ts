import type { Goldens } from './goldens.ts';
import type { Replay } from './replay.ts';

// biome-ignore lint/suspicious/noExplicitAny: any part of a recording may be varied
export type Json = any;

/** How our answer differs from a recorded case in which something was changed. */
export async function differencesOf(
  replay: Replay,
  goldens: Goldens,
  name: string,
  vary: (recorded: Json) => void,
): Promise<readonly string[]> {
  const recorded: Json = goldens.json(`${name}.json`);
  vary(recorded);
  const text = JSON.stringify(recorded);
  const bytes = (): Uint8Array => new TextEncoder().encode(text);
  const differences: string[] = [];
  for await (const verdict of replay({ paths: () => [`${name}.json`], text: () => text, bytes }))
    differences.push(...verdict.differences);
  return differences;
}
