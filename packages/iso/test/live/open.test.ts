import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { sha256, utf8 } from '../initrd/archives.ts';
import { countingSource } from '../support/counting-source.ts';
import { describeWithFixtures, fixture } from '../support/fixtures.ts';
import { chainOf } from './chain.ts';

const open = (bytes: Uint8Array) => openLiveImage(bytesSource(bytes));

/** A copy with some bytes changed. */
function patched(bytes: Uint8Array, at: number, change: Uint8Array | string): Uint8Array {
  const copy = bytes.slice();
  copy.set(typeof change === 'string' ? utf8(change) : change, at);
  return copy;
}

/** A copy with every occurrence of a text replaced by another of the same length. */
function replaced(bytes: Uint8Array, find: string, replacement: string): Uint8Array {
  expect(replacement).toHaveLength(find.length);
  const text = Buffer.from(bytes).toString('latin1');
  expect(text).toContain(find);
  return Uint8Array.from(Buffer.from(text.replaceAll(find, replacement), 'latin1'));
}

describeWithFixtures('opening real images', () => {
  test.each<[name: string, initrd: number, kargsLength: number | undefined, areas: number[], architecture: string]>([
    ['2020-09', 92160, undefined, [], 'x86_64'],
    ['2021-01', 96256, 1131, [94026, 365415], 'x86_64'],
    ['2021-09', 102400, 1139, [98126, 371658], 'x86_64'],
    ['2021-12', 161792, 1139, [139086, 431050], 'x86_64'],
    ['2022-02', 159744, 1139, [137038, 429002], 'x86_64'],
    ['2022-09', 159744, 1139, [137038, 429002], 'x86_64'],
    ['2023-07.x86_64', 139264, 1139, [137037, 408522], 'x86_64'],
    ['2023-07.s390x', 203776, 896, [138368], 's390x'],
  ])('%s: finds areas and architecture within 24 reads and 128 KiB', async (name, initrd, length, areas, arch) => {
    const source = countingSource(bytesSource(fixture(`embed-areas-${name}.iso`)));
    const image = await openLiveImage(source);
    expect(source.reads.length).toBeLessThanOrEqual(24);
    expect(source.bytesRead).toBeLessThanOrEqual(128 * 1024);
    expect(image.initrd).toMatchObject({ offset: initrd, length: 262144 });
    expect(image.kargs?.length).toBe(length);
    expect(image.kargs?.areas.map(({ offset }) => offset) ?? []).toEqual(areas);
    expect(image.kargs?.current).toBe(image.kargs?.default);
    expect(image.architecture).toBe(arch);
    expect((await image.initrd.read()).size).toBe(0);
  });

  test('describes the image', async () => {
    const image = await open(fixture('embed-areas-2023-07.x86_64.iso'));
    expect(image.volumeId).toBe('fedora-coreos-38.20230718.dev.0');
    expect(image.kargs).toEqual({
      default:
        'mitigations=auto,nosmt coreos.liveiso=fedora-coreos-38.20230718.dev.0 ignition.firstboot ignition.platform.id=metal',
      current:
        'mitigations=auto,nosmt coreos.liveiso=fedora-coreos-38.20230718.dev.0 ignition.firstboot ignition.platform.id=metal',
      capacity: 1138,
      length: 1139,
      areas: [137037, 408522].map((offset) => ({ offset, length: 1139, pad: '#', end: '\n' })),
    });
    expect(Object.isFrozen(image)).toBe(true);
  });

  test.each([
    ['2021-09', false, false, undefined],
    ['2021-12', true, true, undefined],
    ['2022-09', true, true, true],
    ['2023-07.s390x', true, true, true],
  ])('%s: reads features on demand', async (name, installerConfig, liveInitrdNetwork, console) => {
    const features = await (await open(fixture(`embed-areas-${name}.iso`))).features();
    expect(features).toMatchObject({ installerConfig, liveInitrdNetwork });
    expect(features.installerConfigDirectives['console']).toBe(console);
  });

  test('uses the header without kargs.json, and has no kernel arguments without both', async () => {
    const image = fixture('embed-areas-2021-09.iso');
    const areas = [98126, 371658].map((offset) => ({ offset, length: 1139 }));
    const withoutJson = patched(image, 63725, '!');
    expect((await open(withoutJson)).kargs?.areas).toEqual(areas);
    expect((await open(patched(image, 32672, new Uint8Array(8)))).kargs?.areas).toMatchObject(areas);
    expect((await open(patched(withoutJson, 32672, new Uint8Array(8)))).kargs).toBeUndefined();
  });

  const x86 = () => fixture('embed-areas-2023-07.x86_64.iso');
  const s390x = () => fixture('embed-areas-2023-07.s390x.iso');
  const UNRECOGNIZED = 'Unrecognized CoreOS ISO image.';
  test.each<[string, () => Uint8Array, string[]]>([
    [
      'an image of something else',
      () => fixture('synthetic.iso'),
      [UNRECOGNIZED, 'finding initrd embed area', 'intermediate directory IMAGES does not exist'],
    ],
    ['a cut image', () => x86().slice(0, 500_000), ['parsing ISO9660 image', 'ISO image is incomplete']],
    [
      'the area of a missing file',
      () => replaced(x86(), 'images/ignition.img', 'images/ignitiom.img'),
      [UNRECOGNIZED, 'finding initrd embed area', 'no record for IGNITIOM.IMG in directory IMAGES'],
    ],
    [
      'the area in a directory',
      () => replaced(x86(), '"images/ignition.img"', '"images/pxeboot"     '),
      [UNRECOGNIZED, 'entry PXEBOOT is a directory'],
    ],
    [
      'an area that reaches out of the image',
      () => replaced(s390x(), '"length": 262144', '"length": 999999'),
      [UNRECOGNIZED, 'reading initrd embed area', 'reading 999999 bytes at 203776', 'failed to fill whole buffer'],
    ],
    [
      'igninfo.json without a file',
      () => replaced(x86(), '"file"', '"fi1e"'),
      [UNRECOGNIZED, 'decoding igninfo', 'missing field `file`'],
    ],
    [
      'a fraction for a length',
      () => replaced(s390x(), '"length": 262144', '"length": 262.44'),
      [UNRECOGNIZED, 'decoding igninfo', 'invalid value of `length`, expected a size'],
    ],
    [
      'kargs areas that differ',
      () => patched(x86(), 408522, 'M'),
      [
        "kargs don't match at all offsets! (expected 'mitigations=auto,nosmt coreos.liveiso=fedora-coreos-38.20230718.dev.0 " +
          "ignition.firstboot ignition.platform.id=metal', but offset 408522 has: 'Mitigations=auto,nosmt " +
          "coreos.liveiso=fedora-coreos-38.20230718.dev.0 ignition.firstboot ignition.platform.id=metal')",
      ],
    ],
    [
      'a kargs area that is not text',
      () => patched(x86(), 137037, Uint8Array.of(0xff)),
      ['invalid UTF-8 in karg area', 'invalid utf-8 sequence of 1 bytes from index 0'],
    ],
    [
      'a kargs area that is too long',
      () => replaced(x86(), '"size": 1139', '"size": 9139'),
      ['karg embed area size larger than 2048 (found 9139)'],
    ],
    [
      'default kargs that are too long',
      () => replaced(x86(), '"size": 1139', '"size": 114 '),
      ['default kargs size 115 larger than embed areas (114)'],
    ],
    [
      'kargs in a missing file',
      () => replaced(x86(), 'isolinux/isolinux.cfg', 'isolinux/isolinuz.cfg'),
      ["looking up 'isolinux/isolinuz.cfg'", 'no record for ISOLINUZ.CFG in directory ISOLINUX'],
    ],
    [
      'a header with a huge length',
      () => patched(fixture('embed-areas-2021-01.iso'), 32680, Uint8Array.of(1, 8)),
      ['karg embed area length larger than 2048 (found 2049)'],
    ],
    [
      'a header without areas',
      () => patched(fixture('embed-areas-2021-01.iso'), 32696, new Uint8Array(48)),
      ['No karg embed areas found; corrupted CoreOS ISO image.'],
    ],
    [
      'a header that points out of the image',
      () => patched(fixture('embed-areas-2021-01.iso'), 32696, Uint8Array.of(255, 255, 255, 15)),
      ['reading kargs embed area', 'reading 1131 bytes at 268435455', 'failed to fill whole buffer'],
    ],
  ])('refuses %s with the message of coreos-installer, and does not change it', async (_, make, messages) => {
    const bytes = make();
    const before = sha256(bytes);
    expect(await chainOf(open(bytes))).toEqual(messages);
    expect(sha256(bytes)).toBe(before);
  });

  test('reports an undecodable area only when it is read', async () => {
    const image = await open(patched(x86(), 139264, 'garbage in the area'));
    expect(await chainOf(image.initrd.read())).toEqual([
      'Unrecognized CoreOS ISO image.',
      'decoding initrd embed area',
      'reading CPIO entry',
      'Invalid magic number',
    ]);
  });

  test('reports a broken list of features only when it is read', async () => {
    const image = await open(replaced(x86(), '"installer-config": true', '"installer-config": trux'));
    expect((await chainOf(image.features()))[0]).toBe('parsing OS features');
  });

  test('stops opening on an abort', async () => {
    const signal = AbortSignal.abort();
    await expect(openLiveImage(bytesSource(x86()), { signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('finds an area at any place', () => {
  test('refuses other bytes with a code', async () => {
    await expect(open(new Uint8Array(100_000))).rejects.toMatchObject({ code: 'ISO_NOT_AN_IMAGE' });
  });
});
