import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../../test/support/tools.ts';
import { bytesSource } from '../../../src/bytes/source.ts';
import { openLiveImage } from '../../../src/live/image.ts';
import { packMinimal } from '../../../src/live/minimal/pack.ts';
import { unpackMinimal } from '../../../src/live/minimal/unpack.ts';
import { xzCrc64 } from '../../../src/node/xz.ts';
import { sha256 } from '../../initrd/archives.ts';
import { describePeer } from '../../initrd/peer.ts';
import { describeWithFixtures, fixture } from '../../support/fixtures.ts';
import { chainOf } from '../chain.ts';

const NAMES = ['2021-12', '2022-02', '2022-09', '2023-07.x86_64', '2023-07.s390x'];

async function pair(name: string) {
  const full = bytesSource(fixture(`embed-areas-${name}.iso`));
  const recipe = (await (await openLiveImage(full)).minimal())!;
  const composed = await unpackMinimal(full, recipe);
  return { full, recipe, minimal: bytesSource(await composed.read(0, composed.size)) };
}

describePeer('packing minimal images', () => {
  describeWithFixtures('of real ones', () => {
    test.each(NAMES)('%s: makes the same recipe as the image has', async (name) => {
      const { full, minimal, recipe } = await pair(name);
      const { appVersion } = recipe;
      const packed = await packMinimal(full, minimal, { compression: xzCrc64, appVersion });
      expect(packed.recipe).toEqual(recipe);
      expect(packed.skipped + packed.written).toBe(minimal.size);
      expect(packed.matched).toBe(recipe.entries.length);
      const overlay = await packed.embed();
      expect(sha256(await overlay.read(0, overlay.size))).toBe(sha256(fixture(`embed-areas-${name}.iso`)));
    });

    test('refuses images that do not belong together', async () => {
      const { full, minimal } = await pair('2023-07.x86_64');
      const other = bytesSource(fixture('synthetic.iso'));
      expect(await chainOf(packMinimal(full, other, { compression: xzCrc64 }))).toEqual([
        'packing miniso',
        expect.stringMatching(/^missing minimal file \S+ in full ISO$/),
      ]);
      // A minimal image has no file for a recipe, and can only be rebuilt from its own files.
      expect(await chainOf((await packMinimal(minimal, minimal, { compression: xzCrc64 })).embed())).toEqual([
        "looking up 'COREOS/MINISO.DAT'",
        'no record for MINISO.DAT in directory COREOS',
      ]);
    });
  });
});

describeWith(['coreos-installer'], 'coreos-installer', () => {
  describePeer('and the peer', () => {
    describeWithFixtures('on real images', () => {
      test.each(NAMES)('%s: packs the same recipe', async (name) => {
        const directory = scratchFolder();
        const { full, minimal } = await pair(name);
        writeFileSync(join(directory, 'full.iso'), fixture(`embed-areas-${name}.iso`));
        writeFileSync(join(directory, 'min.iso'), await minimal.read(0, minimal.size));
        output('coreos-installer', ['pack', 'minimal-iso', 'full.iso', 'min.iso'], { cwd: directory });
        const theirs = readFileSync(join(directory, 'full.iso'));
        const { appVersion } = (await (await openLiveImage(bytesSource(theirs))).minimal())!;
        const ours = await (await packMinimal(full, minimal, { compression: xzCrc64, appVersion })).embed();
        expect(sha256(await ours.read(0, ours.size))).toBe(sha256(theirs));
      });
    });
  });
});
