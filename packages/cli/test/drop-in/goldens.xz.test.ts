import { describe, expect, test } from 'vitest';
import { Goldens } from '../../../../test/support/goldens.ts';
import { describePeer } from '../../../../test/support/peer.ts';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { isGenerated, openArchive, openConfig } from '../recorded/archive.ts';
import { differences } from '../recorded/compare.ts';
import type { Expectation, RecordedCase, Recording } from '../recorded/recording.ts';
import { type Program, runCase, type StepResult } from '../recorded/run-case.ts';
import { coreiso, scratchFolder } from '../support.ts';
import { NESTED_GZIP } from './nested-gzip.ts';

const fixtures = process.env['COREISO_FIXTURES'];
const goldens = new Goldens(new URL('../../../../test/goldens/coreos-installer.json', import.meta.url));
const note = fixtures === undefined ? ' (skipped: COREISO_FIXTURES names no folder of images)' : '';
const recordings = goldens.paths().map((path) => [path, goldens.json<Recording>(path)] as const);

const drop: Program = (argv, options) => coreiso(argv, { ...options, invokedAs: 'coreos-installer' });
const real: Program = (argv, options) => {
  const { status, ...result } = run('coreos-installer', argv, options);
  return { status: status ?? -1, ...result };
};

describe.skipIf(fixtures === undefined)(`called as coreos-installer, it does with real images${note}`, () => {
  describePeer('what is recorded', () => {
    test.each(recordings)('%s: byte for byte, except for gzip nested in a config', async (_, { cases }) => {
      const others: string[] = [];
      const wrong: string[] = [];
      for (const recorded of cases) {
        await runCase(
          drop,
          recorded,
          scratchFolder(),
          ({ expect: expected }, result, index) => {
            const step = `${recorded.id}#${index}`;
            if (differences(expected, result, 'bytes').length > 0) others.push(step);
            wrong.push(...differences(expected, result, 'meaning').map((difference) => `${step}: ${difference}`));
          },
          fixtures,
        );
      }
      const listed = cases.flatMap(({ id }) => (NESTED_GZIP[id] ?? []).map((index) => `${id}#${index}`));
      expect(wrong).toEqual([]);
      expect(others).toEqual(listed);
    });
  });

  describePeer('and as the program of that name', () => {
    describeWith(['coreos-installer'], 'returns the same configs', compareConfigs);
  });
});

function compareConfigs(): void {
  const cases = recordings.flatMap(([, recording]) => recording.cases.filter(({ id }) => id in NESTED_GZIP));
  test.each(cases.map((recorded) => [recorded.id, recorded] as const))(
    '%s: the same config once unpacked, including order and nulls',
    async (id, recorded) => {
      const [ours, theirs] = [await configs(drop, recorded), await configs(real, recorded)];
      for (const index of NESTED_GZIP[id] ?? []) {
        expect(theirs[index]).toBeDefined();
        expect(ours[index]).toBe(theirs[index]);
      }
    },
  );
}

/** Returns the config that each step wrote or printed, unpacked, as text. */
async function configs(program: Program, recorded: RecordedCase): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = [];
  await runCase(
    program,
    recorded,
    scratchFolder(),
    (step, result) => found.push(configOf(step.expect, result)),
    fixtures,
  );
  return found;
}

function configOf({ stdout, files }: Expectation, result: StepResult): string | undefined {
  const written = Object.entries(files).map(([name, file]) => ({ file, bytes: result.files.get(name)?.data }));
  for (const { file, bytes = Buffer.alloc(0) } of [{ file: stdout, bytes: result.stdout }, ...written]) {
    if (!('sha256' in file)) continue;
    const area = file.regions?.find((region) => region.archive !== undefined);
    if (area !== undefined) return configIn(bytes.subarray(area.offset, area.offset + area.length));
    if (file.archive !== undefined) return configIn(bytes.subarray(file.prefix?.bytes ?? 0));
  }
  return openedText(result.stdout);
}

function configIn(archive: Buffer): string | undefined {
  const config = openArchive(archive).members.find(({ name }) => name === 'config.ign');
  return config && openedText(config.data);
}

function openedText(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return isGenerated(text) ? JSON.stringify(openConfig(text)) : undefined;
}
