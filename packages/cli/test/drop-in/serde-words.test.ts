// Answers of coreiso and coreos-installer 0.27.0 to the same stream metadata and Ignition configs: serde-words.json has texts with their answers.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { customizeOrThrow } from '@coreiso/ignition/customize';
import { describe, expect, test } from 'vitest';
import { asUpstreamRefuses } from '../../src/drop-in/words/refusal.ts';
import { readStreamIndex } from '../../src/drop-in/words/serde-stream.ts';

interface Recorded {
  /** The list or the message of `list-stream`. */
  readonly stream: readonly (readonly [text: string, answer: string | readonly (readonly string[])[]])[];
  /** The messages of `iso customize --live-ignition`, outermost first; null if it accepts the config. */
  readonly ignition: readonly (readonly [text: string, chain: readonly string[] | null])[];
}

const path = fileURLToPath(new URL('serde-words.json', import.meta.url));
const recorded = JSON.parse(readFileSync(path, 'utf8')) as Recorded;
const encoder = new TextEncoder();

describe('stream metadata', () => {
  test.each(recorded.stream)('%j', (text, answer) => {
    const rows = (): string[][] =>
      [...readStreamIndex(encoder.encode(text))].flatMap(([architecture, platforms]) =>
        [...platforms].flatMap(([platform, formats]) =>
          [...formats.keys()].map((format) => [architecture, platform, format]),
        ),
      );
    if (typeof answer === 'string') expect(rows).toThrow(new Error(answer));
    else expect(rows().sort()).toEqual(answer);
  });
});

describe('an Ignition config', () => {
  test.each(recorded.ignition)('%j', async (text, chain) => {
    expect(await refusal(encoder.encode(text))).toEqual(chain);
  });
});

async function refusal(bytes: Uint8Array): Promise<string[] | null> {
  try {
    await customizeOrThrow(
      { liveIgnition: [{ name: 'in', read: () => bytes }] },
      { features: { installerConfig: true }, mode: 'compatible', newer: 'refuse' },
    );
    return null;
  } catch (error) {
    const chain: string[] = [];
    for (let one = asUpstreamRefuses(error, bytes); one instanceof Error; one = one.cause) chain.push(one.message);
    return chain;
  }
}
