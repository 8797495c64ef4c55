import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { bootProofOf } from '../../src/live/boot.ts';
import { bootableIso } from './bootable.ts';
import { BREAKING, Draft, HARMLESS, seeded } from './mutations.ts';

const IMAGE = await bootableIso();
const seed = Number(process.env['COREISO_SEED'] ?? 7);

async function proofAfter(mutate: (typeof HARMLESS)[number]['mutate']) {
  const image = await Draft.of(IMAGE);
  await mutate(image, seeded(seed));
  expect(Buffer.compare(image.bytes, IMAGE)).not.toBe(0);
  return bootProofOf(bytesSource(image.bytes), { depth: 'everything' });
}

test('has sixty changes that break an image and forty harmless ones', () => {
  expect(new Set(BREAKING.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60);
  expect(new Set(HARMLESS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
});

describe('names the broken link', () => {
  test.each(BREAKING)('if $name', async ({ links, mutate }) => {
    const { verdict, ways } = await proofAfter(mutate);
    const broken = ways.flatMap((way) => way.links.filter(({ state }) => state === 'broken'));
    expect(verdict).toBe('broken');
    expect(links).toEqual(expect.arrayContaining([broken.find(({ name }) => links.includes(name))?.name]));
  });
});

describe('reports nothing broken if a machine still boots', () => {
  test.each(HARMLESS)('after changing $name', async ({ mutate }) => {
    const { ways } = await proofAfter(mutate);
    expect(ways.flatMap(({ links }) => links.filter(({ state }) => state === 'broken'))).toEqual([]);
    expect(ways).toHaveLength(4);
  });
});
