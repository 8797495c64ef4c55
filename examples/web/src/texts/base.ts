import { sizeText } from './sizes.ts';

/** Texts of the section "Image". */
export const image = {
  drop: 'Drop a CoreOS live ISO here',
  dropHint:
    'RHCOS or Fedora CoreOS, any architecture. The file stays on your disk: only the parts that are needed are read.',
  pick: 'Choose a file…',
  sample: 'Try it with a sample image',
  address: 'From an address…',
  change: 'Another image',
  opening: 'Opening the image…',
  names: {
    architecture: 'Architecture',
    size: 'Size',
    area: 'Room for configs',
    kargs: 'Kernel arguments',
    state: 'State',
  },
  areaUse: (free: string, length: string): string => `${free} of ${length} free`,
  noKargs: 'no area for them',
  pristine: 'as released',
  customized: 'customised before; its config will be replaced',
  unknown: 'unknown',
} as const;

/** One sentence for each kind of wrong file. */
export const wrongFiles = {
  empty: 'This file is empty.',
  gzip: 'This is gzip-compressed: unpack it first (gunzip), then drop the ISO.',
  xz: 'This is xz-compressed: unpack it first (xz -d), then drop the ISO.',
  zstd: 'This is zstd-compressed: unpack it first (zstd -d), then drop the ISO.',
  bzip2: 'This is bzip2-compressed: unpack it first (bunzip2), then drop the ISO.',
  zip: 'This is a zip archive: unpack it first, then drop the ISO.',
  qcow2: 'This is a cloud image (qcow2) for virtual machines: download the live ISO instead.',
  vmdk: 'This is a VMware disk (VMDK) for virtual machines: download the live ISO instead.',
  vhd: 'This is a Hyper-V or Azure disk (VHD) for virtual machines: download the live ISO instead.',
  rawDisk: 'This is a raw disk or cloud image (metal): download the live ISO instead.',
  initramfs: 'This is an initramfs for network boot: download the live ISO instead.',
  kernel: 'This is a kernel for network boot: download the live ISO instead.',
  tar: 'This is a tar archive: it may hold an ISO, unpack it first.',
  page: 'This is a web page, probably the error page of a download: download the ISO again.',
  text: 'This is a text file: documents go into section 2.',
  short: 'This file is too short for an ISO: the download probably broke off at its beginning.',
  unknown: 'This is not an ISO image.',
  notLive: 'This ISO is not a CoreOS live image: it has no area for configs.',
  half: (size: number, wanted: number): string =>
    `This is the beginning of an ISO: ${sizeText(size)} of ${sizeText(wanted)}; download the rest.`,
  other: (message: string): string => `This ISO cannot be used: ${message}.`,
} as const;
