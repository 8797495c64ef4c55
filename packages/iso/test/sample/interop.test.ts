import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output, run } from '../../../../test/support/tools.ts';
import { decodeRecipe, type Recipe } from '../../src/live/minimal/recipe.ts';
import { minimalSample } from '../../src/sample/minimal.ts';
import { sampleTree } from '../../src/sample/tree.ts';

async function saved(kind: string, size = 0): Promise<{ directory: string; path: string }> {
  const directory = scratchFolder();
  const sample = await sampleIso({ kind, size });
  const path = join(directory, 'sample.iso');
  writeFileSync(path, await sample.read(0, sample.size));
  return { directory, path };
}

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describeWith(['coreos-installer'], 'coreos-installer', () => {
  const installer = (...args: string[]): string => output('coreos-installer', args).toString();

  describe.each(sampleKinds())(
    'recognises $name as a live image',
    ({ name, architecture, kargsFile, kargsHeader, rootFileSystem }) => {
      const hasKargs = kargsFile !== 'absent' || kargsHeader;

      test('embeds and shows a config, and resets to the same bytes', async () => {
        const { path, directory } = await saved(name);
        const before = sha256(path);
        const config = join(directory, 'config.ign');
        writeFileSync(config, '{"ignition":{"version":"3.0.0"}}');
        installer('iso', 'ignition', 'embed', '-i', config, path);
        expect(installer('iso', 'ignition', 'show', path)).toBe('{"ignition":{"version":"3.0.0"}}');
        expect(sha256(path)).not.toBe(before);
        installer('iso', 'reset', path);
        expect(sha256(path)).toBe(before);
      });

      test(hasKargs ? 'shows and changes kernel arguments' : 'finds no kernel arguments', async () => {
        const { path } = await saved(name);
        const before = sha256(path);
        const shown = run('coreos-installer', ['iso', 'kargs', 'show', path]);
        if (!hasKargs) {
          expect(shown.stderr).toContain('No karg embed areas found; old or corrupted CoreOS ISO image.');
          return;
        }
        const kargs = shown.stdout.toString().trim();
        expect(kargs).toContain(`coreos.liveiso=coreiso-sample-${name} `);
        installer('iso', 'kargs', 'modify', '-a', 'foo=bar', path);
        expect(installer('iso', 'kargs', 'show', path).trim()).toBe(`${kargs} foo=bar`);
        installer('iso', 'kargs', 'reset', path);
        expect(sha256(path)).toBe(before);
      });

      test('extracts kernel, initramfs and root file system', async () => {
        const { path, directory } = await saved(name);
        installer('iso', 'extract', 'pxe', path, '-o', join(directory, 'pxe'));
        const kernel = architecture === 's390x' ? 'kernel.img' : 'vmlinuz';
        expect(readdirSync(join(directory, 'pxe')).sort()).toEqual(
          ['sample-initrd.img', `sample-${kernel}`, 'sample-rootfs.img'].sort(),
        );
        const members = installer('dev', 'show', 'initrd', join(directory, 'pxe', 'sample-initrd.img')).split('\n');
        expect(members).toEqual(expect.arrayContaining(['etc/coreos-live-initramfs', 'etc/coreos-live-want-rootfs']));
        expect(installer('dev', 'show', 'initrd', join(directory, 'pxe', 'sample-rootfs.img')).split('\n')).toEqual(
          expect.arrayContaining([`root.${rootFileSystem}`, 'etc/coreos-live-rootfs']),
        );
        const data = readFileSync(join(directory, 'pxe', 'sample-rootfs.img')).subarray(124);
        const magic = rootFileSystem === 'erofs' ? data.subarray(1024, 1028) : data.subarray(0, 4);
        expect(magic.toString('hex')).toBe(rootFileSystem === 'erofs' ? 'e2e1f5e0' : '68737173');
      });
    },
  );

  const minimalKinds = sampleKinds().filter(({ minimal }) => minimal);

  // Upstream refuses the image without kargs areas.
  test.each(minimalKinds.filter(({ kargsFile }) => kargsFile !== 'absent'))(
    'extracts the same minimal image from $name at any size',
    async ({ name }) => {
      const extracted: string[] = [];
      for (const size of [0, 3 << 20]) {
        const { path, directory } = await saved(name, size);
        const target = join(directory, 'minimal.iso');
        installer('iso', 'extract', 'minimal-iso', path, target);
        expect(installer('iso', 'kargs', 'show', target)).not.toContain('coreos.liveiso');
        extracted.push(sha256(target));
      }
      expect(extracted[0]).toBe(extracted[1]);
    },
  );

  test.each(minimalKinds)('packs the same recipe into $name', async (kind) => {
    const { path, directory } = await saved(kind.name);
    const { source } = await minimalSample(kind, await sampleTree(kind));
    const minimal = join(directory, 'minimal.iso');
    writeFileSync(minimal, await source.read(0, source.size));
    const ours = recipeOf(path);
    installer('pack', 'minimal-iso', path, minimal);
    const theirs = recipeOf(path);
    expect({ ...theirs, appVersion: '' }).toEqual({ ...ours, appVersion: '' });
  });

  function recipeOf(path: string): Recipe {
    const image = Uint8Array.from(readFileSync(path));
    return decodeRecipe(image.subarray(Buffer.from(image.buffer).indexOf('MINISO\0\0')));
  }
});

describeWith(['xorriso'], 'xorriso', () => {
  test.each([
    ['2023-07.x86_64', ['1 BIOS y none 0x0000 0x00 4', '2 UEFI y none 0x0000 0x00 4']],
    ['2023-07.aarch64', ['1 UEFI y none 0x0000 0x00 4']],
    ['2023-07.ppc64le', []],
    ['2023-07.s390x', ['1 BIOS y none 0x0000 0x00 772']],
  ])('finds the boot images of %s', async (kind, expected) => {
    const { path } = await saved(kind);
    const lines = run('xorriso', ['-indev', path, '-report_el_torito', 'plain']).stdout.toString().split('\n');
    const images = lines
      .filter((line) => line.startsWith('El Torito boot img'))
      .map((line) => line.replace(/ +/g, ' '));
    expect(images.map((line) => line.replace('El Torito boot img : ', '').replace(/ \d+$/, ''))).toEqual(expected);
  });
});
