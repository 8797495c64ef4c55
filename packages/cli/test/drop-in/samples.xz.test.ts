import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describePeer } from '../../../../test/support/peer.ts';
import { isGenerated } from '../recorded/archive.ts';
import { differences } from '../recorded/compare.ts';
import { readRecording } from '../recorded/read-recording.ts';
import type { Expectation } from '../recorded/recording.ts';
import { runCase } from '../recorded/run-case.ts';
import { coreiso, scratchFolder } from '../support.ts';

const names = readdirSync(new URL('../goldens', import.meta.url)).sort();

describePeer('called as coreos-installer, it does with our sample images what is recorded', () => {
  test.each(names)('%s: byte for byte, except for gzip nested in a config', async (name) => {
    const found: string[] = [];
    for (const recorded of readRecording(name).cases) {
      await runCase(
        (argv, options) => coreiso(argv, { ...options, invokedAs: 'coreos-installer' }),
        recorded,
        scratchFolder(),
        ({ expect: expected }, result, index) => {
          const level = nestsGzip(expected) ? 'meaning' : 'bytes';
          found.push(...differences(expected, result, level).map((one) => `${recorded.id}#${index}: ${one}`));
        },
      );
    }
    expect(found).toEqual([]);
  });
});

function nestsGzip({ stdout, files }: Expectation): boolean {
  if ('text' in stdout && isGenerated(stdout.text)) return true;
  return [stdout, ...Object.values(files)]
    .flatMap((one) => ('sha256' in one ? [one.archive, ...(one.regions ?? []).map(({ archive }) => archive)] : []))
    .some((archive) => archive?.members.some(({ opened }) => opened !== undefined));
}
