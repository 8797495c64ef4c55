import type { Goldens } from './goldens.ts';
import type { Replay } from './replay.ts';

// biome-ignore lint/suspicious/noExplicitAny: any part of a recording may be varied
export type Json = any;

/** The difference between our answer and that of a recorded case with one change. */
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
