import { describe, expect, test } from 'vitest';
import { bytesSource, concatBytes } from '../../src/bytes/source.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { edit } from '../../src/live/edit.ts';
import { formatInspection } from '../../src/live/format-inspection.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { inspect } from '../../src/live/inspect.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { archive, utf8 } from '../initrd/archives.ts';
import { describeWithFixtures, FIXTURES, fixture } from '../support/fixtures.ts';

const X86 = 'embed-areas-2023-07.x86_64.iso';
const DEFAULT =
  'mitigations=auto,nosmt coreos.liveiso=fedora-coreos-38.20230718.dev.0 ignition.firstboot ignition.platform.id=metal';

describeWithFixtures('inspecting real images', () => {
  test('describes a customised image completely', async () => {
    const image = await openLiveImage(bytesSource(fixture(X86)));
    const { overlay } = await edit(image, {
      ignition: utf8('{}'),
      keyfiles: [{ name: 'a.nmconnection', content: '[connection]\n' }],
      files: [{ path: 'opt/tool', content: utf8('#!'), mode: 0o755 }],
      kargs: { append: ['x'] },
    });
    const inspection = await inspect(overlay);
    expect(inspection).toMatchObject({
      volumeId: 'fedora-coreos-38.20230718.dev.0',
      architecture: 'x86_64',
      size: 1048576,
      complete: true,
      pristine: false,
      initrd: { offset: 139264, length: 262144, formats: ['gzip'] },
      kargs: { default: DEFAULT, current: `${DEFAULT} x`, used: 117, free: 1138 - 117 },
      features: { installerConfig: true, liveInitrdNetwork: true },
      minimal: { createdBy: '0.17.0', entries: 12 },
      problems: [],
      oddities: [],
    });
    expect(JSON.parse(JSON.stringify(inspection))).toEqual(inspection);
    const page = formatInspection(inspection);
    const used = inspection.initrd!.used;
    expect(page.split('\n')).toEqual([
      'Volume       fedora-coreos-38.20230718.dev.0 (x86_64)',
      'Size         1048576 bytes, complete',
      'State        customised',
      `Initrd area  262144 bytes at 139264: ${used} used, ${262144 - used} free, gzip`,
      '  -rw-------  2 config.ign',
      '  drwxr-xr-x  0 etc',
      '  drwxr-xr-x  0 etc/coreos-firstboot-network',
      '  -rw------- 13 etc/coreos-firstboot-network/a.nmconnection',
      '  drwxr-xr-x  0 opt',
      '  -rwxr-xr-x  2 opt/tool',
      'Kernel args  117 bytes used, 1021 free, in 2 areas at 137037, 408522',
      `  current: ${DEFAULT} x`,
      `  default: ${DEFAULT}`,
      'Features     installer-config, live-initrd-network, 22 installer directives',
      'Minimal ISO  recipe of 12 parts by 0.17.0',
      '',
    ]);
  });

  test.each(FIXTURES.filter((name) => name !== 'synthetic.iso'))(
    '%s: pristine, complete, without problems',
    async (name) => {
      const inspection = await inspect(bytesSource(fixture(name)));
      expect(inspection).toMatchObject({ complete: true, pristine: true, problems: [], initrd: { used: 0 } });
      expect(formatInspection(inspection)).toContain('State        pristine\n');
    },
  );

  test('reports missing areas for kernel arguments', async () => {
    const inspection = await inspect(bytesSource(fixture('embed-areas-2020-09.iso')));
    expect(inspection.kargs).toBeUndefined();
    expect(formatInspection(inspection)).toContain('Kernel args  cannot be changed in this image');
  });

  test('describes the existing part of a truncated image', async () => {
    const inspection = await inspect(bytesSource(fixture(X86).slice(0, 420_000)));
    expect(inspection).toMatchObject({ complete: false, architecture: 'x86_64', initrd: { used: 0 } });
    expect(formatInspection(inspection)).toMatch(/^Size {9}420000 bytes, truncated: the volume has \d+$/m);
  });

  test('reports unreadable parts with their causes, and describes the rest', async () => {
    const bytes = fixture(X86).slice();
    bytes.set(utf8('garbage in the area'), 139264);
    const inspection = await inspect(bytesSource(bytes));
    expect(inspection).toMatchObject({
      pristine: undefined,
      initrd: undefined,
      kargs: { current: DEFAULT },
      problems: [['reading CPIO entry', 'Invalid magic number']],
    });
    expect(formatInspection(inspection)).toContain('Problem      reading CPIO entry: Invalid magic number\n');
  });

  test('reports the volume and a problem for other images', async () => {
    const inspection = await inspect(bytesSource(fixture('synthetic.iso')));
    expect(inspection.volumeId).toBe('volume-ID-string');
    expect(inspection.problems[0]).toEqual([
      'Unrecognized CoreOS ISO image.',
      'finding initrd embed area',
      'intermediate directory IMAGES does not exist',
    ]);
  });

  test('marks unusual members', async () => {
    const bytes = fixture(X86).slice();
    const odd = await archive([{ path: './config.ign', content: utf8('{}') }]);
    bytes.set(concatBytes([odd]), 139264);
    const { oddities } = await inspect(bytesSource(bytes));
    expect(oddities).toContainEqual({
      message: './config.ign is not how other programs spell that path',
      offset: 139264,
    });
  });
});

describe('the area of a sample', async () => {
  const sample = await sampleIso();
  const BYTES = await sample.read(0, sample.size);
  const { initrd: AREA, kargs: KARGS } = await openLiveImage(sample);

  /** The inspection of an area with these bytes. */
  async function inspected(...parts: Uint8Array[]) {
    const bytes = BYTES.slice();
    bytes.set(concatBytes(parts), AREA.offset);
    return inspect(bytes);
  }

  test.each([
    ['a', false],
    ['a/b.c/..d', false],
    ['.a/b', false],
    ['...', false],
    ['./a', true],
    ['/a', true],
    ['a/./b', true],
    ['a/../b', true],
    ['a//b', true],
    ['..', true],
    ['a/.', true],
  ])('with a member called %s, which has another usual spelling: %s', async (path, isOdd) => {
    const { oddities } = await inspected(await archive([{ path, content: '' }]));
    const message = `${path} is not how other programs spell that path`;
    expect(oddities.filter((oddity) => oddity.message === message)).toEqual(
      isOdd ? [{ message, offset: AREA.offset }] : [],
    );
  });

  test.each([
    [0o120777, 'symlink'],
    [0o010644, 'fifo'],
    [0o060644, 'block'],
    [0o100644, 'file'],
    [0o040755, 'directory'],
  ])('with a member of mode %o shows whether the mode is kept', async (mode, kind) => {
    const members = await archive([{ path: 'x', content: '' }], { compression: plain });
    members.set(utf8(mode.toString(16).padStart(8, '0')), 14);
    const { oddities, initrd } = await inspected(members);
    expect(initrd?.members).toEqual([{ path: 'x', kind, mode: mode & 0o7777, size: 0 }]);
    const stays = kind === 'file' || kind === 'directory';
    expect(oddities.map(({ message }) => message)).toEqual(
      stays ? [] : ['x is not a regular file, and an edit drops it'],
    );
  });

  test('of several archives shows the format and the place of each', async () => {
    const one = await archive([{ path: './a', content: 'a' }], { compression: plain });
    const two = await archive([{ path: './b', content: 'b' }]);
    const { initrd, oddities, pristine } = await inspected(one, new Uint8Array(16), two);
    const used = one.length + 16 + two.findLastIndex((byte) => byte !== 0) + 1;
    expect(initrd).toMatchObject({ formats: ['plain', 'gzip'], used, free: 262144 - used });
    // Each has a directory called `.` too.
    const places = [0, 0, one.length + 16, one.length + 16];
    expect(oddities.map(({ offset }) => offset - AREA.offset)).toEqual(places);
    expect(pristine).toBe(false);
  });

  test('is pristine only with default kernel arguments', async () => {
    const { overlay } = await edit(await openLiveImage(sample), { kargs: { append: ['x'] } });
    expect((await inspect(sample)).pristine).toBe(true);
    const { pristine, kargs } = await inspect(overlay);
    expect(pristine).toBe(false);
    const used = `${KARGS?.current} x`.length;
    expect(kargs).toMatchObject({ used, free: (KARGS?.capacity ?? 0) - used, default: KARGS?.default });
  });

  test('is inspected in spite of other faults, and every problem is reported', async () => {
    const bytes = BYTES.slice();
    const broken = Buffer.from(bytes.buffer);
    for (const text of ['"installer-config": true', '"default": "mit']) {
      const at = broken.indexOf(text);
      expect(at).toBeGreaterThan(0);
      broken.write('!', at);
    }
    const { problems, pristine, initrd, kargs, features, minimal } = await inspect(bytes);
    expect(problems).toEqual([
      ['decoding kargs embed area info', 'invalid JSON'],
      ['parsing OS features', 'invalid JSON'],
    ]);
    expect([pristine, kargs, features]).toEqual([undefined, undefined, undefined]);
    expect(initrd?.used).toBe(0);
    expect(minimal).toMatchObject({ createdBy: 'coreiso' });
  });

  test('is complete up to the last byte of the volume', async () => {
    const { volumeSize } = await inspect(BYTES);
    expect(volumeSize % 2048).toBe(0);
    expect((await inspect(BYTES.slice(0, volumeSize))).complete).toBe(true);
    expect((await inspect(BYTES.slice(0, volumeSize - 1))).complete).toBe(false);
  });

  test('is not inspected if the source itself fails', async () => {
    const failing = { size: BYTES.length, read: () => Promise.reject(new Error('the disk is gone')) };
    await expect(inspect(failing)).rejects.toThrow('the disk is gone');
  });
});
