import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { bytesSource, concatBytes } from '../../src/bytes/source.ts';
import { readFiles } from '../../src/initrd/archive-files.ts';
import { plain } from '../../src/initrd/encoders.ts';
import { customizeInitramfs, openInitramfs, pxeFiles, rootfs, wrap } from '../../src/live/pxe.ts';
import { archive, noise, sha256, text, utf8 } from '../initrd/archives.ts';
import { describeWithFixtures, FIXTURES, fixture } from '../support/fixtures.ts';
import { chainOf } from './chain.ts';

const FEATURES = JSON.stringify({
  'installer-config': true,
  'live-initrd-network': true,
  'installer-config-directives': { console: true },
});

/** A placeholder for a live initramfs: an early archive, the OS, and the stamp after them. */
async function initramfs(
  stamp: Record<string, string> = { 'etc/coreos/features.json': FEATURES },
): Promise<Uint8Array> {
  const files = Object.entries({ 'etc/coreos-live-initramfs': '39.1\n', ...stamp });
  return concatBytes([
    await archive([{ path: 'early', content: noise('early', 1000) }], { compression: plain }),
    await archive([{ path: 'usr/bin/init', content: noise('init', 50_000) }]),
    await archive(files.map(([path, content]) => ({ path, content: utf8(content) }))),
  ]);
}

test('writes the given files into an archive for booting', async () => {
  const keyfiles = [{ name: 'a.nmconnection', content: '[connection]\n' }];
  const files = await readFiles(bytesSource(await wrap({ ignition: utf8('{}'), keyfiles })));
  expect([...files.keys()]).toEqual(['config.ign', 'etc/coreos-firstboot-network/a.nmconnection']);
});

test('writes an archive even without files', async () => {
  expect(await wrap({}, { compression: plain })).toHaveLength(124);
});

test('customises an initramfs by appending an archive', async () => {
  const base = await initramfs();
  const live = await openInitramfs(bytesSource(base));
  expect(live.features).toEqual({
    installerConfig: true,
    liveInitrdNetwork: true,
    installerConfigDirectives: { console: true },
  });
  const result = await customizeInitramfs(live, { ignition: utf8('{}') });
  const bytes = await result.read(0, result.size);
  expect(sha256(bytes.subarray(0, base.length))).toBe(sha256(base));
  expect([...bytes.subarray(base.length, base.length + 2)]).toEqual([0x1f, 0x8b]);
  const files = await readFiles(result, { patterns: ['config.ign', 'early'] });
  expect([...files.keys()]).toEqual(['config.ign', 'early']);
  expect(result.segments()[0]).toMatchObject({ source: live.source, offset: 0, length: base.length });
});

test.each([0, 1, 2, 3])(
  'appends an archive after 4n + %d bytes directly, or at a multiple of four if it is not compressed',
  async (more) => {
    const whole = await initramfs();
    const base = concatBytes([whole, new Uint8Array(((4 - (whole.length % 4)) % 4) + more)]);
    const live = await openInitramfs(bytesSource(base));
    const gap = (4 - more) % 4;
    const result = await customizeInitramfs(live, { ignition: utf8('{}') }, { compression: plain });
    expect(await result.read(base.length, gap)).toEqual(new Uint8Array(gap));
    expect(text(await result.read(base.length + gap, 6))).toBe('070701');
    expect((await readFiles(result)).has('config.ign')).toBe(true);
    const compressed = await customizeInitramfs(live, { ignition: utf8('{}') });
    expect([...(await compressed.read(base.length, 2))]).toEqual([0x1f, 0x8b]);
  },
);

test.each<[string, () => Promise<Uint8Array>, string, string[]]>([
  [
    'an initramfs without the stamp',
    () => archive([{ path: 'x', content: utf8('') }]),
    'ISO_NOT_LIVE',
    ['not a CoreOS live initramfs image'],
  ],
  ['one with a config', () => initramfs({ 'config.ign': '' }), 'ISO_CUSTOMIZED', ['input is already customized']],
  [
    'one with keyfiles',
    () => initramfs({ 'etc/coreos-firstboot-network/a/b': '' }),
    'ISO_CUSTOMIZED',
    ['input is already customized'],
  ],
  [
    'something else',
    async () => utf8('junk '.repeat(30)),
    'ISO_BAD_ARCHIVE',
    ['reading/copying input initrd', 'reading CPIO entry', 'Invalid magic number'],
  ],
])('refuses %s with the message of coreos-installer', async (_, make, code, messages) => {
  const source = bytesSource(await make());
  expect(await chainOf(openInitramfs(source))).toEqual(messages);
  await expect(openInitramfs(source)).rejects.toMatchObject({ code });
});

test('reports broken features', async () => {
  const broken = bytesSource(await initramfs({ 'etc/coreos/features.json': '{' }));
  expect((await chainOf(openInitramfs(broken)))[0]).toBe('parsing OS features');
});

describeWithFixtures('files to boot over the network', () => {
  test('are extracted from the image with their names', async () => {
    const source = bytesSource(fixture('embed-areas-2023-07.x86_64.iso'));
    const files = await pxeFiles(source);
    expect(files.map(({ name }) => name)).toEqual(['initrd.img', 'rootfs.img', 'vmlinuz']);
    const [, image] = files;
    expect(await image!.source.read(0, image!.source.size)).toEqual(
      await (await rootfs(source)).read(0, image!.source.size),
    );
  });

  test('refuses an image without them with the message of coreos-installer', async () => {
    const source = bytesSource(fixture('synthetic.iso'));
    expect(await chainOf(pxeFiles(source))).toEqual([
      'Unrecognized CoreOS ISO image.',
      'intermediate directory IMAGES does not exist',
    ]);
    expect((await chainOf(rootfs(source)))[0]).toBe("looking up 'IMAGES/PXEBOOT/ROOTFS.IMG'");
    expect(await chainOf(pxeFiles(bytesSource(new Uint8Array(10))))).toEqual([
      'getting volume descriptor #1',
      'reading volume descriptor',
      'failed to fill whole buffer',
    ]);
  });
});

describeWith(['coreos-installer'], 'coreos-installer', () => {
  const inDirectory = () => {
    const directory = scratchFolder();
    const tool = (...args: string[]): string => output('coreos-installer', args, { cwd: directory }).toString();
    return { directory, tool };
  };

  test('unwraps our archives, even after an initramfs', async () => {
    const { directory, tool } = inDirectory();
    const keyfiles = [{ name: 'a.nmconnection', content: '[connection]\nid=a\n' }];
    writeFileSync(join(directory, 'alone'), await wrap({ ignition: utf8('{"a": 1}'), keyfiles }));
    expect(tool('pxe', 'ignition', 'unwrap', 'alone')).toBe('{"a": 1}');
    expect(tool('pxe', 'network', 'unwrap', 'alone')).toContain('id=a');
    const live = await openInitramfs(bytesSource(await initramfs()));
    const customised = await customizeInitramfs(live, { ignition: utf8('{"b": 2}') });
    writeFileSync(join(directory, 'behind'), await customised.read(0, customised.size));
    expect(tool('pxe', 'ignition', 'unwrap', 'behind')).toBe('{"b": 2}');
  });

  test('customises an initramfs readably for us, and refuses one that we customised', async () => {
    const { directory, tool } = inDirectory();
    const base = await initramfs();
    writeFileSync(join(directory, 'initrd.img'), base);
    tool('pxe', 'customize', '--dest-device', '/dev/vda', 'initrd.img', '-o', 'out.img');
    const files = await readFiles(bytesSource(readFileSync(join(directory, 'out.img'))), { patterns: ['config.ign'] });
    expect(files.size).toBe(1);
  });

  describeWithFixtures('on real images', () => {
    test.each(FIXTURES.filter((name) => name !== 'synthetic.iso'))('%s: extracts the same files', async (name) => {
      const { directory, tool } = inDirectory();
      writeFileSync(join(directory, 'in.iso'), fixture(name));
      tool('iso', 'extract', 'pxe', 'in.iso', '-o', 'out');
      const ours = await pxeFiles(bytesSource(fixture(name)));
      expect(readdirSync(join(directory, 'out')).sort()).toEqual(ours.map((file) => `in-${file.name}`).sort());
      for (const { name: file, source } of ours) {
        const theirs = readFileSync(join(directory, 'out', `in-${file}`));
        expect(sha256(await source.read(0, source.size))).toBe(sha256(theirs));
      }
    });
  });
});
