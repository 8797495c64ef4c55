import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { bytesSource } from '../../src/bytes/source.ts';
import { bootProofOf } from '../../src/live/boot.ts';
import { archive } from './bootable.ts';
import { elfProgram, linuxKernel } from './programs.ts';

const SYSLINUX = '/usr/lib/syslinux/modules/bios';
const ISOLINUX = '/usr/lib/ISOLINUX';
const WITH_ISOLINUX = ['-no-emul-boot', '-boot-load-size', '4', '-boot-info-table'];

type Tree = Readonly<Record<string, string | Uint8Array>>;

const initrd = await archive([{ path: 'init', content: elfProgram(), mode: 0o755 }]);

/** Each way with its verdict and the kernel that it starts; broken links with their reason. */
async function waysOf(file: string): Promise<Record<string, string>> {
  const { ways } = await bootProofOf(bytesSource(new Uint8Array(readFileSync(file))), { depth: 'everything' });
  return Object.fromEntries(
    ways.map(({ firmware, medium, verdict, boots, links }) => {
      const wrong = links.filter(({ state }) => state !== 'ok').map(({ state, detail }) => `${state}: ${detail}`);
      return [`${firmware}-${medium}`, [verdict, boots?.arguments ?? '', ...wrong].join(' | ')];
    }),
  );
}

/** Creates the files of a tree; a content that is a path of this machine is copied. */
function lay(files: Tree): string {
  const folder = join(scratchFolder(), 'tree');
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (typeof content === 'string' && content.startsWith('/usr/')) copyFileSync(content, target);
    else writeFileSync(target, content);
  }
  return folder;
}

const modules = (folder: string, ...names: readonly string[]): Tree =>
  Object.fromEntries(names.map((name) => [`${folder}/${name}.c32`, `${SYSLINUX}/${name}.c32`]));

describeWith(['grub-mkrescue', 'xorriso', 'mformat'], 'an image that grub-mkrescue made', () => {
  test('boots by UEFI, and its boot code is named as unknown', async () => {
    const tree = lay({
      'boot/grub/grub.cfg': 'menuentry "rescue" {\n  linux /vmlinuz quiet\n  initrd /initrd.img\n}\n',
      vmlinuz: linuxKernel(),
      'initrd.img': initrd,
    });
    const iso = join(tree, '../rescue.iso');
    output('grub-mkrescue', ['-o', iso, tree]);
    const started = 'boots | BOOT_IMAGE=/vmlinuz quiet';
    expect(await waysOf(iso)).toEqual(
      expect.objectContaining({
        'bios-disk': 'unknown |  | unknown: the boot code of the master boot record is unknown',
        'uefi-cd': started,
        'uefi-disk': started,
      }),
    );
  });
});

describeWith(['xorriso', 'grub-mkimage', 'mformat', 'mmd', 'mcopy'], 'an image as live-build lays it out', () => {
  /** Its menus include others, ask the machine for fonts, and have entries for memory tests. */
  function tree(): string {
    const folder = lay({
      '.disk/info': 'Debian',
      'live/vmlinuz': linuxKernel(),
      'live/initrd.img': initrd,
      'live/filesystem.squashfs': 'hsqs',
      'isolinux/isolinux.bin': `${ISOLINUX}/isolinux.bin`,
      ...modules('isolinux', 'ldlinux', 'libcom32', 'libutil', 'vesamenu'),
      'isolinux/isolinux.cfg': 'include menu.cfg\ndefault vesamenu.c32\nprompt 0\ntimeout 0\n',
      'isolinux/menu.cfg': 'menu hshift 0\ninclude live.cfg\n',
      'isolinux/live.cfg': [
        'label live-amd64\n\tmenu label ^Live system\n\tmenu default\n\tlinux /live/vmlinuz',
        '\tinitrd /live/initrd.img\n\tappend boot=live components quiet splash\n',
        'label memtest\n\tlinux /live/memtest\n',
      ].join('\n'),
      'boot/grub/grub.cfg': [
        'source /boot/grub/config.cfg',
        'menuentry "Live system" --hotkey=l {',
        '\tlinux\t/live/vmlinuz boot=live components findiso=$iso_path',
        '\tinitrd\t/live/initrd.img',
        '}',
        'submenu "Utilities..." --hotkey=u {\n\tmenuentry "Firmware" --id "uefi-firmware" {\n\t\tfwsetup\n\t}\n}\n',
      ].join('\n'),
      'boot/grub/config.cfg': [
        'set default=0',
        'if [ x$feature_default_font_path = xy ] ; then\n  font=unicode\nelse\n  font=$prefix/unicode.pf2\nfi',
        'if loadfont $font ; then\n  set gfxmode=800x600\n  insmod efi_gop\nelse\n  insmod all_video\nfi',
        'terminal_output gfxterm\nplay 960 440 1 0 4 440 1\n',
      ].join('\n'),
    });
    const program = join(folder, '../grub.efi');
    const names = ['part_gpt', 'part_msdos', 'fat', 'iso9660', 'normal', 'configfile', 'linux', 'search', 'test'];
    output('grub-mkimage', ['-O', 'x86_64-efi', '-o', program, '-p', '/boot/grub', ...names]);
    const stub = join(folder, '../stub.cfg');
    writeFileSync(
      stub,
      'search --file --set=root /.disk/info\nset prefix=($root)/boot/grub\nconfigfile $prefix/grub.cfg\n',
    );
    const image = join(folder, 'boot/grub/efi.img');
    writeFileSync(image, '');
    truncateSync(image, 1440 * 2048);
    output('mformat', ['-i', image, '-f', '2880', '::']);
    output('mmd', ['-i', image, '::efi', '::efi/boot', '::boot', '::boot/grub']);
    output('mcopy', ['-i', image, program, '::efi/boot/bootx64.efi']);
    output('mcopy', ['-i', image, stub, '::boot/grub/grub.cfg']);
    return folder;
  }

  const bios = 'boots | BOOT_IMAGE=/live/vmlinuz initrd=/live/initrd.img boot=live components quiet splash';
  const uefi = 'boots | BOOT_IMAGE=/live/vmlinuz boot=live components findiso=';
  const isolinux = ['-b', 'isolinux/isolinux.bin', '-c', 'isolinux/boot.cat', ...WITH_ISOLINUX];

  test.each<[string, (folder: string) => readonly string[]]>([
    ['with the EFI image as a file', () => ['-e', 'boot/grub/efi.img', '-no-emul-boot', '-isohybrid-gpt-basdat']],
    [
      'with the EFI image as a partition behind it',
      (folder) => [
        ...['-e', '--interval:appended_partition_2:all::', '-no-emul-boot', '-partition_offset', '16'],
        ...['-append_partition', '2', '0xef', join(folder, 'boot/grub/efi.img'), '-appended_part_as_gpt'],
      ],
    ],
  ])('%s boots in every way', async (_, efi) => {
    const folder = tree();
    const iso = join(folder, '../live.iso');
    const options = ['-quiet', '-R', '-J', '-V', 'd-live 12', '-isohybrid-mbr', `${ISOLINUX}/isohdpfx.bin`];
    output('xorriso', [
      ...['-as', 'mkisofs', ...options, ...isolinux, '-eltorito-alt-boot', ...efi(folder)],
      ...['-o', iso, folder],
    ]);
    expect(await waysOf(iso)).toEqual({ 'bios-cd': bios, 'bios-disk': bios, 'uefi-cd': uefi, 'uefi-disk': uefi });
  });
});

describeWith(['genisoimage'], 'an image that genisoimage made', () => {
  function iso(files: Tree, options: readonly string[]): string {
    const folder = lay(files);
    const file = join(folder, '../image.iso');
    output('genisoimage', ['-quiet', '-R', ...options, '-o', file, folder]);
    return file;
  }

  test('with isolinux in a folder called syslinux boots from CD', async () => {
    const file = iso(
      {
        'syslinux/isolinux.bin': `${ISOLINUX}/isolinux.bin`,
        ...modules('syslinux', 'ldlinux'),
        'syslinux/syslinux.cfg':
          'DEFAULT linux\nLABEL linux\n LINUX ../vmlinuz\n INITRD ../initrd.img\n APPEND quiet\n',
        vmlinuz: linuxKernel(),
        'initrd.img': initrd,
      },
      ['-b', 'syslinux/isolinux.bin', '-c', 'syslinux/boot.cat', ...WITH_ISOLINUX],
    );
    expect(await waysOf(file)).toEqual({
      'bios-cd': 'boots | BOOT_IMAGE=../vmlinuz initrd=../initrd.img quiet',
    });
  });

  test('with a floppy to boot from is unknown', async () => {
    const file = iso({ 'floppy.img': new Uint8Array(1440 * 1024) }, ['-b', 'floppy.img', '-c', 'boot.cat']);
    expect(await waysOf(file)).toEqual({
      'bios-cd': 'unknown |  | unknown: the entry for a BIOS emulates floppy-1.44M',
    });
  });

  test('has no way to boot if it has no boot files', async () => {
    expect(await waysOf(iso({ a: 'hello' }, []))).toEqual({});
  });
});
