/** What building and booting the miniature image takes. */
export const BOOT_PROGRAMS: readonly string[] = [
  'apt-cache',
  'apt-get',
  'busybox',
  'cpio',
  'dpkg-deb',
  'grub-mkimage',
  'isohybrid',
  'ldd',
  'mcopy',
  'mformat',
  'perl',
  'qemu-system-x86_64',
  'xorriso',
];
