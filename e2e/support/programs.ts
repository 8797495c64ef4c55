/** The programs that build and boot the guest. */
export const BOOT_PROGRAMS: readonly string[] = [
  ...['apt-cache', 'apt-get', 'dpkg-deb', 'depmod', 'modprobe', 'busybox', 'cpio', 'mkfs.erofs'],
  ...['grub-mkimage', 'isohybrid', 'mcopy', 'mformat', 'xorriso', 'openssl', 'qemu-system-x86_64'],
];
