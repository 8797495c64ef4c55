import type { SampleKind } from './kinds.ts';

/** A file that contains kernel arguments, and their place. */
export interface KargsFile {
  readonly path: string;
  readonly content: Uint8Array;
  /** Offset of the first byte of the arguments. */
  readonly offset: number;
}

/** The builder's template has this many `#` after the arguments; the last one stays outside the area. */
const FILL = 1024;
const MARKER = 'COREOS_KARG_EMBED_AREA';

/** The label of the volume, by which the booted system finds the volume. */
export function volumeId(kind: SampleKind): string {
  return `coreiso-sample-${kind.name}`;
}

/** The arguments of the pristine image. */
export function defaultKargs(kind: SampleKind): string {
  const first = kind.features === 'absent' ? 'random.trust_cpu=on' : 'mitigations=auto,nosmt';
  return `${first} coreos.liveiso=${volumeId(kind)} ignition.firstboot ignition.platform.id=metal`;
}

/** Length of each area: on s390x the space that the kernel reserves, elsewhere the space in the template. */
export function kargsAreaSize(kind: SampleKind): number {
  return kind.architecture === 's390x' ? 896 : defaultKargs(kind).length + FILL;
}

/** The boot loader configs of an architecture, in the order of their paths; s390x has none. */
export function bootConfigs(kind: SampleKind): KargsFile[] {
  const grub = (path: string) => config(path, grubBefore(kind), grubAfter, kind);
  switch (kind.architecture) {
    case 's390x':
      return [];
    case 'ppc64le':
      return [grub('boot/grub/grub.cfg')];
    default:
      return [grub('EFI/sample/grub.cfg'), config('isolinux/isolinux.cfg', isolinuxBefore(kind), isolinuxAfter, kind)];
  }
}

/** `/.cmdline`: the default, written like an area. */
export function commandLineFile(kind: SampleKind): Uint8Array {
  return new TextEncoder().encode(`${defaultKargs(kind)}\n`.padEnd(kargsAreaSize(kind), '#'));
}

function config(path: string, before: string, after: string, kind: SampleKind): KargsFile {
  const hasArea = kind.kargsHeader || kind.kargsFile !== 'absent';
  const area = hasArea ? `\n${'#'.repeat(FILL)} ${MARKER}` : '';
  return {
    path,
    content: new TextEncoder().encode(`${before}${defaultKargs(kind)}${area}\n${after}`),
    offset: before.length,
  };
}

const grubBefore = (kind: SampleKind): string => `# Sample image ${kind.name}: the menu of GRUB.
set default=0
set timeout=5

menuentry 'Sample CoreOS (Live)' {
\tlinux /images/pxeboot/vmlinuz `;

const grubAfter = `\tinitrd /images/pxeboot/initrd.img /images/ignition.img
}
`;

const isolinuxBefore = (kind: SampleKind): string => `# Sample image ${kind.name}: the menu of isolinux.
default linux
timeout 50

label linux
  menu label ^Sample CoreOS (Live)
  kernel /images/pxeboot/vmlinuz
  append initrd=/images/pxeboot/initrd.img,/images/ignition.img `;

const isolinuxAfter = `
menu end
`;
