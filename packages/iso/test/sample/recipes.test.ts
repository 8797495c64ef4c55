import { createHash } from 'node:crypto';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { sourceReader } from '../../src/initrd/byte-reader.ts';
import { unxz } from '../../src/initrd/unxz.ts';
import { decodeRecipe } from '../../src/live/minimal/recipe.ts';
import { expectCurrentRecipes } from './recipes.ts';

describeWith(['xz'], 'recipes', () => {
  test('equal the output of xz for the minimal images', async () => {
    await expectCurrentRecipes(async (input) => output('xz', ['-9', '-T1', '--check=crc64', '--stdout'], { input }));
  });
});

describe.each(sampleKinds().filter(({ minimal }) => minimal))('the recipe of $name', ({ name }) => {
  test.each([0, 7 * 2 ** 30])('rebuilds the minimal image from a full one of at least %d bytes', async (size) => {
    const full = await sampleIso({ kind: name, size });
    const head = Buffer.from(await full.read(0, Math.min(1 << 20, full.size)));
    const { entries, digest, packed } = decodeRecipe(head.subarray(head.indexOf('MINISO\0\0')));
    const chunks: Uint8Array[] = [];
    for await (const chunk of unxz(sourceReader(bytesSource(packed)))) chunks.push(chunk.slice());
    let rest = Buffer.concat(chunks);
    let position = 0;
    const hash = createHash('sha256');
    for (const entry of entries) {
      const gap = entry.minimal * 2048 - position;
      hash.update(rest.subarray(0, gap)).update(await full.read(entry.full * 2048, entry.length));
      rest = rest.subarray(gap);
      position += gap + entry.length;
    }
    expect(hash.update(rest).digest('hex')).toBe(Buffer.from(digest).toString('hex'));
  });
});
