import { describe, expect, test } from 'vitest';
import { simulateBoot } from '../../src/hosts/simulate.ts';
import { octal, plan, recordings } from './recorded.ts';

const boots = recordings.flatMap(({ name, text, recording, boots: list }) =>
  list.map((boot, position) => ({ name: `${name}, machine ${position}`, text, cluster: recording.cluster, boot })),
);
const sound = boots.filter(({ boot }) => boot.defect === undefined);

test('there are 58 recorded boots, four of them with a defect', () => {
  expect([boots.length, boots.length - sound.length]).toEqual([58, 4]);
});

describe('a simulated boot leaves the files that the real one left', () => {
  test.each(sound)('$name', ({ text, cluster, boot }) => {
    const result = simulateBoot(plan(text, cluster), boot);
    const files = result.files?.map((file) => ({ ...file, mode: octal(file.mode) })) ?? null;
    expect(files).toEqual(boot.files);
    expect(result.directory).toBe(boot.directory);
    expect(result.matched.map(({ network }) => network?.directory)).toEqual(boot.matched);
    const clashes = result.diagnostics.filter(({ code }) => code === 'nodes-config/boot-name-clash');
    expect(clashes.map(({ message }) => message.split(' ')[0])).toEqual(boot.nameClashes);
  });
});
