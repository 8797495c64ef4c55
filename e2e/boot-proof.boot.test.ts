import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BootProof, type ByteSource, bytesSource, edit, openLiveImage, verifyImage } from '@coreiso/iso';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { FIXTURES, fixture } from '../packages/iso/test/support/fixtures.ts';
import { describeWith } from '../test/support/tools.ts';
import { type ProbedWay, probeBoot } from './support/probe.ts';
import { BOOT_PROGRAMS } from './support/programs.ts';
import { wholeImage, withoutElTorito } from './support/whole-image.ts';

const WAYS: readonly (readonly ProbedWay[])[] = [
  [
    { firmware: 'bios', medium: 'cd' },
    { firmware: 'uefi', medium: 'disk' },
  ],
  [
    { firmware: 'uefi', medium: 'cd' },
    { firmware: 'bios', medium: 'disk' },
  ],
];

type Maker = (image: ByteSource) => Promise<ByteSource>;

/** The edited states of an image. */
const EDITS: Readonly<Record<string, Maker>> = {
  'as it is': async (image) => image,
  edited: async (image) => changed(image, 4000),
  grown: async (image) => changed(image, 700_000),
};

const images: readonly { readonly name: string; readonly open: () => Promise<ByteSource> }[] = [
  ...(process.env['COREISO_FIXTURES'] === undefined
    ? []
    : FIXTURES.filter((name) => !/s390x|synthetic/.test(name)).map((name) => ({
        name,
        open: async () => bytesSource(fixture(name)),
      }))),
  ...sampleKinds()
    .filter(({ architecture }) => architecture === 'x86_64')
    .map(({ name }) => ({ name: `sample ${name}`, open: () => sampleIso({ kind: name }) })),
];

/**
 * Images of real builds, if any are present, and samples of all generations: each in one state, so that states and ways
 * are combined. `COREISO_ALL_BOOTS=1` boots each in every state and way.
 */
const CASES = images.flatMap((image, index) => {
  const states = Object.keys(EDITS);
  if (process.env['COREISO_ALL_BOOTS'] === '1') return states.map((how) => ({ ...image, how, ways: WAYS.flat() }));
  const both = WAYS[Math.floor(index / 2) % 2] ?? [];
  const ways = image.name.startsWith('sample') ? both.slice(index % 2, (index % 2) + 1) : both;
  return [{ ...image, how: states[index % states.length] ?? '', ways }];
});

describeWith(BOOT_PROGRAMS, 'the proof of an image agrees with the machine', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coreiso-proof-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.each(CASES)('$name, $how', async ({ open, how, ways }) => {
    const image = await (EDITS[how] as Maker)(await wholeImage(await open()));
    const [iso, hybrid] = [join(folder, 'a.iso'), join(folder, 'b.iso')];
    await writeCopy(image, iso);
    withoutElTorito(iso, hybrid);
    const { boot } = await verifyImage(image);
    expect(
      boot.ways.map(({ verdict, links }) => ({ verdict, links: links.filter(({ state }) => state !== 'ok') })),
    ).toEqual(WAYS.flat().map(() => ({ verdict: 'boots', links: [] })));
    for (const way of ways) {
      // UEFI firmware also uses El Torito on a disk, if it finds it.
      const file = way.firmware === 'uefi' && way.medium === 'disk' ? hybrid : iso;
      expect(await probeBoot(file, way), `${way.firmware} from ${way.medium}`).toEqual(predicted(boot, way));
    }
  });
});

/** The outcome on a machine that the proof predicts. */
function predicted({ ways }: BootProof, { firmware, medium }: ProbedWay): object {
  const boots = ways.find((way) => way.firmware === firmware && way.medium === medium)?.boots;
  const files = (boots?.embedded ?? []).map(({ path, mode, size }) => [`/${path}`, { mode, size }]);
  return { arguments: boots?.arguments, files: Object.fromEntries(files) };
}

async function changed(image: ByteSource, length: number): Promise<ByteSource> {
  const live = await openLiveImage(image);
  const changes = {
    ignition: '{"ignition":{"version":"3.4.0"}}',
    keyfiles: [{ name: 'eth0.nmconnection', content: '[connection]\nid=eth0\n' }],
    files: [{ path: 'opt/noise', content: randomFillSync(new Uint8Array(length)) }],
    ...(live.kargs === undefined ? {} : { kargs: { append: ['marker=here', 'quoted="a b"'] } }),
  };
  const { overlay } = await edit(live, changes, length > 200_000 ? { grow: true } : {});
  return overlay;
}
