import { describe, expect, test } from 'vitest';
import { bytesSource, concatBytes } from '../../src/bytes/source.ts';
import type { ArchiveFile } from '../../src/initrd/archive-writer.ts';
import { openIso } from '../../src/iso9660/reader.ts';
import { bootProofOf } from '../../src/live/boot.ts';
import { sampleIso } from '../../src/sample/index.ts';
import { utf8 } from '../initrd/archives.ts';
import { archive, bootableIso, type Files, VOLUME, whole } from './bootable.ts';
import { Draft } from './mutations.ts';
import { elfProgram } from './programs.ts';

const INITRD = 'images/pxeboot/initrd.img';

/** Links that are broken or unknown, each once: `name: detail`. */
async function complaints(bytes: Uint8Array): Promise<string[]> {
  const { ways } = await bootProofOf(bytesSource(bytes), { depth: 'everything' });
  const links = ways.flatMap((way) => way.links.filter(({ state }) => state !== 'ok'));
  return [...new Set(links.map(({ state, name, detail }) => `${state} ${name}: ${detail}`))];
}

const LIVE: ArchiveFile = { path: 'etc/coreos-live-initramfs', content: `${VOLUME}\n` };

const replacing = (path: string, content: Uint8Array) => (files: Files) => {
  files[path] = content;
};

async function withInitramfs(files: readonly ArchiveFile[]): Promise<string[]> {
  const initrd = await archive([...files, LIVE]);
  return complaints(await bootableIso({ change: replacing(INITRD, initrd) }));
}

const program = (path: string, options: Parameters<typeof elfProgram>[0] = {}): ArchiveFile => ({
  path,
  content: elfProgram(options),
  mode: 0o755,
});

describe('the program that the kernel starts', () => {
  test.each<[string, readonly ArchiveFile[], readonly string[]]>([
    ['needs no other', [program('init')], []],
    [
      'is loaded by another, and that is there',
      [program('init', { interpreter: '/lib64/ld.so.2' }), program('lib64/ld.so.2')],
      [],
    ],
    [
      'is loaded by another, and that is missing',
      [program('init', { interpreter: '/lib64/ld.so.2' })],
      ['broken initramfs: the initramfs has no /lib64/ld.so.2, which runs its /init'],
    ],
    [
      'is a script, and the loader of its shell is missing',
      [{ path: 'init', content: '#!/bin/sh\n', mode: 0o755 }, program('bin/sh', { interpreter: '/lib/ld.so' })],
      ['broken initramfs: the initramfs has no /lib/ld.so, which runs its /bin/sh'],
    ],
    [
      'is for another machine',
      [program('init', { machine: 183 })],
      ['broken initramfs: /init of the initramfs is a program for another machine'],
    ],
    [
      'cannot be executed',
      [{ path: 'init', content: elfProgram(), mode: 0o644 }],
      ['broken initramfs: /init of the initramfs cannot be executed'],
    ],
    [
      'is text',
      [{ path: 'init', content: 'hello', mode: 0o755 }],
      ['broken initramfs: /init of the initramfs is not a program'],
    ],
    ['is missing', [program('sbin/init')], ['broken initramfs: the initramfs has no /init, which the kernel starts']],
  ])('%s', async (_, files, expected) => {
    expect(await withInitramfs(files)).toEqual(expected);
  });
});

describe('the initrd area', () => {
  const igninfo = (text: string) => ({ change: replacing('coreos/igninfo.json', utf8(text)) });

  test('must not be the initramfs itself', async () => {
    expect(await complaints(await bootableIso(igninfo('{"file": "images/pxeboot/initrd.img"}')))).toEqual([
      'broken areas: the initrd area holds the initramfs itself, which an edit would overwrite',
    ]);
  });

  test('must not begin in the middle of the initramfs', async () => {
    const text = '{"file": "images/pxeboot/initrd.img", "offset": 1400}';
    expect(await complaints(await bootableIso(igninfo(text)))).toEqual([
      'broken areas: the initrd area begins inside other data, which an edit would overwrite',
    ]);
  });

  test('may have zeros before its archive', async () => {
    const embedded = await archive([{ path: 'config.ign', content: '{}' }]);
    const area = concatBytes([new Uint8Array(512), embedded, new Uint8Array(4096)]);
    const image = await bootableIso({ change: replacing('images/ignition.img', area) });
    expect(await complaints(image)).toEqual([]);
  });
});

describe('GRUB as a program', () => {
  test.each<[string, string, number, readonly number[], string]>([
    ['without its modules', 'mimg', 0, [0], 'has no modules of GRUB where they should be'],
    ['with modules that never end', 'mimg', 16, [255, 255], 'has modules of GRUB that end past their section'],
    ['with a header of 32 bits', 'PE\0\0', 24, [0x0b, 0x01], 'has a header for another machine'],
  ])('%s is broken', async (_, mark, offset, bytes, expected) => {
    const draft = await Draft.of(await bootableIso());
    draft.set((await draft.inEfi(mark)) + offset, bytes);
    expect(await complaints(draft.bytes)).toEqual([`broken loader: /EFI/BOOT/BOOTX64.EFI ${expected}`]);
  });
});

describe('an image whose kernel and initramfs are lines of text', () => {
  async function changed(change: (draft: Draft) => Promise<void>): Promise<string[]> {
    const draft = await Draft.of(await whole(await sampleIso()));
    await change(draft);
    return (await complaints(draft.bytes)).filter((line) => line.startsWith('broken'));
  }

  test('has a broken kernel if that begins inside another file', async () => {
    expect(await changed((draft) => draft.setExtent('images/pxeboot/vmlinuz', 1))).toEqual([
      expect.stringMatching(/^broken kernel: \/images\/pxeboot\/vmlinuz begins inside \/\S+$/),
    ]);
  });

  test('has a broken loader if that is in the wrong place, even without boot code', async () => {
    expect(await changed(async (draft) => draft.setNumber(432, 4))).toEqual([
      expect.stringMatching(/^broken MBR: the master boot record points to sector 4, and \/isolinux/),
    ]);
  });

  test('accepts zeros after the kernel', async () => {
    expect(await changed((draft) => draft.setLength('images/pxeboot/vmlinuz', (length) => length + 1500))).toEqual([]);
  });

  test('has a broken loader if that declares another place', async () => {
    const { offset = 0 } = (await (await openIso(await sampleIso())).entry('isolinux/isolinux.bin')).extents[0] ?? {};
    expect(await changed(async (draft) => draft.setNumber(offset + 12, 3))).toEqual([
      expect.stringMatching(/^broken loader: \/isolinux\/isolinux.bin declares sector 3/),
    ]);
  });
});
