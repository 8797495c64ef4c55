import { createHash } from 'node:crypto';
import { type Iso, openIso } from '@coreiso/iso/iso9660';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { IsoError } from '../../src/errors.ts';
import { countingSource } from '../support/counting-source.ts';
import { describeWithFixtures, FIXTURES, fixture } from '../support/fixtures.ts';
import { describeError, errorChain, patched, paths, type ShownIso, showIso } from './support.ts';

const open = (bytes: Uint8Array): Promise<Iso> => openIso(bytesSource(bytes), { view: 'strict' });
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** live images: size, volume id, digest, and the place and length of the initrd area. */
const LIVE: [name: string, size: number, volumeId: string, digest: string, area: number | undefined][] = [
  [
    'embed-areas-2020-09.iso',
    669696,
    'rhcos-46.82.202112161843-0',
    '748e9a3a5d2e3ad7013f6421a335ff2196823cf2f9987caa4c9e45def6b087fe',
    92160,
  ],
  [
    'embed-areas-2021-01.iso',
    675840,
    'rhcos-47.84.202112162337-0',
    '92355b648201b260a76d4a7cc2b30d889d485878fdd2081894d8f9cd8631d64d',
    96256,
  ],
  [
    'embed-areas-2021-09.iso',
    681984,
    'fedora-coreos-34.20210921.dev.0',
    '62d2ccb2f9998ba7a9d88787690b49d0e6cda3b96ff3bea265dd4e30a2e1d472',
    102400,
  ],
  [
    'embed-areas-2021-12.iso',
    741376,
    'fedora-coreos-35.20211216.dev.0',
    'af3870b377dae61b51cec9b59e3b33baf711484aa0d32520a6ddb4d07398877f',
    161792,
  ],
  [
    'embed-areas-2022-02.iso',
    1048576,
    'fedora-coreos-35.20220217.dev.0',
    '634dadf7f9231b9820fdf43e25e31307c78540072126ec0479ca72d59eca17be',
    159744,
  ],
  [
    'embed-areas-2022-09.iso',
    1048576,
    'fedora-coreos-36.20220909.dev.0',
    '5ab68daec527a73a3dfbaeb21e4704202a563b8c5c0dc918e99575eb843ba911',
    159744,
  ],
  [
    'embed-areas-2023-07.x86_64.iso',
    1048576,
    'fedora-coreos-38.20230718.dev.0',
    'a4079e6ffe863a6ab4a1f6c3f8e52c9aa84619f770c1aaba9137bddb6ffc6519',
    139264,
  ],
  [
    'embed-areas-2023-07.s390x.iso',
    948224,
    'fedora-coreos-38.20230718.dev.0',
    'f365f000adf990ba79af6682533bce5872380eeaa5302161d352aadf15c3aa50',
    undefined,
  ],
  [
    'synthetic.iso',
    692224,
    'volume-ID-string',
    'ee324769c67a40f0cd6f8093a44f45fa6149870b97c482c88eead3ce144765d6',
    undefined,
  ],
];

describeWithFixtures('real images, by the strict view', () => {
  test.each(LIVE)('reads the known size, volume id and digest of %s', async (name, size, volumeId, digest) => {
    const bytes = fixture(name);
    expect([bytes.length, sha256(bytes)]).toEqual([size, digest]);
    expect((await open(bytes)).volume.volumeId).toBe(volumeId);
  });

  test.each(LIVE.filter((row) => row[4] !== undefined))(
    'finds the initrd area of %s at its known place',
    async (...row) => {
      const [name, , , , area] = row;
      const entry = await (await open(fixture(name))).entry('IMAGES/IGNITION.IMG');
      expect(entry.extents).toEqual([{ offset: area, length: 262144 }]);
    },
  );

  test('finds the initrd area at the end of the s390x boot image', async () => {
    const entry = await (await open(fixture('embed-areas-2023-07.s390x.iso'))).entry('IMAGES/CDBOOT.IMG');
    const [extent] = entry.extents;
    expect(extent && extent.offset + extent.length).toBe(203776 + 262144);
  });

  test.each(LIVE)('gives the right record offset for each file of %s', async (name) => {
    const bytes = fixture(name);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const iso = await open(bytes);
    let count = 0;
    for await (const { recordOffset, extents, size } of iso.walk()) {
      expect(view.getUint32(recordOffset + 2, true) * 2048).toBe(extents[0]?.offset);
      expect(view.getUint32(recordOffset + 10, true)).toBe(size);
      count++;
    }
    expect(count).toBeGreaterThan(5);
    expect(iso.oddities).toEqual([]);
  });

  test.each(LIVE.slice(0, 8))('needs few and small reads to prepare an edit of %s', async (name) => {
    const source = countingSource(bytesSource(fixture(name)));
    const iso = await openIso(source, { view: 'strict' });
    const wanted = ['COREOS/IGNINFO.JSO', 'COREOS/KARGS.JSO', 'COREOS/FEATURES.JSO', 'COREOS/MINISO.DAT'];
    for (const path of [...wanted, 'IMAGES/IGNITION.IMG', 'IMAGES/PXEBOOT/ROOTFS.IMG', 'EFI/FEDORA/GRUB.CFG']) {
      await iso.entry(path).catch((error: unknown) => expect(error).toMatchObject({ code: 'ISO_NOT_FOUND' }));
    }
    expect(source.reads.length).toBeLessThanOrEqual(8);
    // 64 KiB at the beginning, once, and the reads after it.
    expect(source.bytesRead).toBeLessThanOrEqual(96 * 1024);
  });

  describe('the Joliet tree', () => {
    test.each(LIVE.slice(0, 8))('of %s has the same extents as the primary tree', async (name) => {
      const iso = await open(fixture(name));
      const records = new Set<number>();
      const places = async (view: 'strict' | 'joliet') => {
        const found: string[] = [];
        for await (const entry of iso.walk({ view })) {
          records.add(entry.recordOffset);
          if (entry.kind === 'file') found.push(`${entry.extents[0]?.offset}:${entry.size}`);
        }
        return found.sort();
      };
      if (!iso.volume.descriptors.some(({ type }) => type === 'supplementary')) {
        await expect(places('joliet')).rejects.toMatchObject({ code: 'ISO_NOT_FOUND' });
        return;
      }
      const strict = await places('strict');
      expect(await places('joliet')).toEqual(strict);
      expect(records.size).toBeGreaterThanOrEqual(2 * strict.length);
    });
  });
});

describeWithFixtures('the synthetic image, by the strict view', () => {
  const synthetic = (): Uint8Array => fixture('synthetic.iso');

  test('has its known descriptor', async () => {
    const { volume } = await open(synthetic());
    expect(volume).toMatchObject({ systemId: 'system-ID-string', volumeId: 'volume-ID-string', spaceSize: 338 });
    expect(volume.primary.root.name).toBe('.');
    expect(volume.descriptors.map(({ type }) => type)).toEqual(['primary']);
  });

  test.each([
    ['/', 'directory', ''],
    ['', 'directory', ''],
    ['..', 'directory', ''],
    ['./CONTENT', 'directory', 'CONTENT'],
    ['/CONTENT/', 'directory', 'CONTENT'],
    ['CONTENT//FILE.TXT', 'file', 'CONTENT/FILE.TXT'],
    ['REALLY/../CONTENT/./FILE.TXT', 'file', 'CONTENT/FILE.TXT'],
    ['../../CONTENT/FILE.TXT', 'file', 'CONTENT/FILE.TXT'],
  ])('finds %j, which is a %s', async (path, kind, found) => {
    expect(await (await open(synthetic())).entry(path)).toMatchObject({ kind, path: found });
  });

  test.each([
    ['MISSING', 'no record for MISSING in directory '],
    ['CONTENT/MISSING', 'no record for MISSING in directory CONTENT'],
    ['CONTENT/DIR/MISSING', 'no record for MISSING in directory CONTENT/DIR'],
    ['content', 'no record for content in directory '],
    ['MISSING/FILE.TXT', 'intermediate directory MISSING does not exist'],
    ['CONTENT/FILE.TXT/X', 'component "FILE.TXT" in path CONTENT/FILE.TXT/X is not a directory'],
  ])('does not find the path %j, and reports where it stopped', async (path, message) => {
    const error = await describeError((await open(synthetic())).entry(path));
    expect(error).toMatchObject({ code: 'ISO_NOT_FOUND', message });
  });

  test('distinguishes directories from files', async () => {
    const iso = await open(synthetic());
    const wrong = { code: 'ISO_WRONG_KIND' };
    expect(await describeError(iso.file('CONTENT'))).toMatchObject({
      ...wrong,
      message: 'entry CONTENT is a directory',
    });
    expect(await describeError(iso.list('CONTENT/FILE.TXT'))).toMatchObject({
      ...wrong,
      message: 'entry FILE.TXT is a file',
    });
  });

  test('lists a directory without itself and its parent', async () => {
    const entries = await (await open(synthetic())).list('CONTENT');
    expect(entries.map(({ name }) => name)).toEqual(['DIR', 'FILE.TXT']);
  });

  test('reads a nested file', async () => {
    const file = await (await open(synthetic())).file('REALLY/VERY/DEEPLY/NESTED/FILE.TXT');
    expect(latin1(await file.read(0, file.size))).toBe('foo\n');
  });

  test('walks through a directory over several sectors and every allowed character', async () => {
    const found = await paths((await open(synthetic())).walk());
    expect(found.slice(0, 4)).toEqual(['CONTENT', 'CONTENT/DIR', 'CONTENT/DIR/SUBFILE.TXT', 'CONTENT/FILE.TXT']);
    expect(found.filter((path) => path.startsWith('LARGEDIR/'))).toHaveLength(150);
    expect(found.some((path) => path.includes(`!"%&'()*.+,-`))).toBe(true);
    expect(found.some((path) => path.includes(':<=>?'))).toBe(true);
  });

  test('refuses a truncated image as incomplete', async () => {
    const error = await describeError(open(synthetic().subarray(0, -1)));
    expect(error).toMatchObject({ code: 'ISO_INCOMPLETE', message: 'ISO image is incomplete' });
  });
});

describeWithFixtures('damaged images give coreos-installer’s chain of messages', () => {
  const base = (): Uint8Array => fixture('embed-areas-2023-07.x86_64.iso');
  const ROOT_SECTOR = 32768 + 156 + 2;

  test.each<[string, () => Uint8Array, string[]]>([
    [
      'empty',
      () => new Uint8Array(0),
      ['getting volume descriptor #1', 'reading volume descriptor', 'failed to fill whole buffer'],
    ],
    [
      'text',
      () => new Uint8Array(40960).fill(120),
      ['getting volume descriptor #5', 'reading volume descriptor', 'failed to fill whole buffer'],
    ],
    [
      'zeros',
      () => new Uint8Array(40960),
      ['getting volume descriptor #1', 'parsing boot descriptor', 'unknown descriptor ID: b"\\0\\0\\0\\0\\0"'],
    ],
    ['no primary descriptor', () => patched(base(), 32768, [0xff]), ['no primary volume descriptor found in ISO']],
    [
      'another identifier',
      () => patched(base(), 32769, 'CD002'),
      ['getting volume descriptor #1', 'parsing primary descriptor', 'unknown descriptor ID: b"CD002"'],
    ],
    [
      'another version',
      () => patched(base(), 32774, [2]),
      ['getting volume descriptor #1', 'parsing primary descriptor', 'unknown descriptor version: 2'],
    ],
    [
      'a foreign boot record',
      () => patched(base(), 34817, 'XX001'),
      ['getting volume descriptor #2', 'parsing boot descriptor', 'unknown descriptor ID: b"XX001"'],
    ],
    [
      'a volume id with a strange byte',
      () => patched(base(), 32768 + 40, [0xe9]),
      ['getting volume descriptor #1', 'parsing volume id', expect.stringMatching(/^invalid string name b"\\xe9/)],
    ],
    [
      'a root that is a file',
      () => patched(base(), 32768 + 156 + 25, [0]),
      ['getting volume descriptor #1', 'failed to parse root directory record from primary descriptor'],
    ],
  ])('opening: %s', async (_, image, chain) => {
    expect(errorChain(await describeError(open(image())))).toEqual(chain);
  });

  test('looking up below a root outside the image', async () => {
    const iso = await open(patched(base(), ROOT_SECTOR, [0xff, 0xff, 0xff, 0]));
    const chain = ['reading directory .', 'failed to fill whole buffer'];
    expect(errorChain(await describeError(iso.entry('COREOS')))).toEqual(['listing directory .', ...chain]);
    expect(errorChain(await describeError(paths(iso.walk())))).toEqual(chain);
  });

  test('fails only reads past a name with an invalid character', async () => {
    const image = patched(base(), latin1(base()).indexOf('IGNITION.IMG') + 6, '@');
    const iso = await open(image);
    const chain = ['reading next record', 'parsing record name', 'invalid string name b"IGNITI@N.IMG"'];
    const error = await describeError(iso.entry('IMAGES/IGNITION.IMG'));
    expect(errorChain(error)).toEqual(chain);
    expect(error).toMatchObject({ code: 'ISO_BAD_NAME' });
    expect(errorChain(await describeError(paths(iso.walk())))).toEqual(chain);
    expect(await iso.entry('IMAGES/EFIBOOT.IMG')).toMatchObject({ kind: 'file' });
  });

  test('gives a code and the place if coreos-installer crashes', async () => {
    const name = latin1(base()).indexOf('IGNITION.IMG');
    const iso = await open(patched(base(), name - 33, [34]));
    const error = await describeError(iso.entry('IMAGES/IGNITION.IMG'));
    expect(error).toBeInstanceOf(IsoError);
    expect(error).toMatchObject({ code: 'ISO_BAD_RECORD', offset: name - 33 });
  });
});

describeWithFixtures('beside coreos-installer', () => {
  describeWith(['coreos-installer'], 'the walk', () => {
    test.each(FIXTURES)('finds in %s what `dev show iso` lists', async (name) => {
      expect(await verdict(fixture(name))).toEqual(showIso(fixture(name)));
    });

    test('finds the same records or fails with the same messages after any change to descriptors and directories', async () => {
      const base = fixture('embed-areas-2023-07.x86_64.iso');
      const directories = [32768, 34816, 38912];
      for await (const { kind, extents } of (await open(base)).walk()) {
        if (kind === 'directory') directories.push(extents[0]?.offset ?? 0);
      }
      const change = fc.tuple(
        fc.constantFrom(...directories),
        fc.oneof(fc.nat({ max: 255 }), fc.nat({ max: 2047 })),
        fc.oneof(fc.constantFrom(0, 1, 2, 255), fc.nat({ max: 255 })),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
          const image = base.slice();
          for (const [sector, at, value] of changes) image[sector + at] = value;
          const theirs = showIso(image);
          const ours = await verdict(image);
          // If coreos-installer crashes or hangs, an error is enough here.
          if (theirs === 'crash') expect(ours).not.toHaveProperty('records');
          // Their paths are wrong below directories with an empty name.
          else if (hasEmptyName(ours)) expect(theirs).toHaveProperty('records.length', ours.records.length);
          else expect(ours).toEqual(theirs);
        }),
        { numRuns: 100 },
      );
    });
  });
});

function hasEmptyName(shown: ShownIso): shown is { records: readonly string[] } {
  return typeof shown === 'object' && 'records' in shown && shown.records.some((path) => /^$|\/$|\/\//.test(path));
}

async function verdict(image: Uint8Array): Promise<ShownIso> {
  try {
    const iso = await open(image);
    return { records: await paths(iso.walk()) };
  } catch (error) {
    return { errors: errorChain(error) };
  }
}
