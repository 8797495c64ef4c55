// Alternatives for a config in an image without an embed area. Drafts of a generic layout for live images have no area.
import { isoPlace } from '../boot/places.ts';
import { IsoError } from '../errors.ts';
import type { Iso } from '../iso9660/reader.ts';
import { hasAreaFile } from './live-iso.ts';

/** An alternative to a missing embed area, and the file of the image that it changes. */
interface Alternative {
  readonly kind: 'tail' | 'menu' | 'disc';
  readonly path?: string;
}

const INITRAMFS = ['/images/pxeboot/initrd.img', '/live/initrd.img', '/boot/initrd.img'];
const MENUS = [
  ...['/boot/grub2/grub.cfg', '/boot/grub/grub.cfg'],
  ...['/isolinux/isolinux.cfg', '/boot/isolinux/isolinux.cfg', '/syslinux/syslinux.cfg'],
];

/** The alternatives to an embed area. */
export async function alternativesOf(iso: Iso, signal?: AbortSignal): Promise<readonly Alternative[]> {
  const place = await isoPlace(iso, signal);
  const vendors = (await place.names('/EFI')).map((name) => `/EFI/${name}/grub.cfg`);
  const found: Alternative[] = [];
  for (const path of INITRAMFS) if ((await place.file(path)) !== undefined) found.push({ kind: 'tail', path });
  for (const path of [...vendors, ...MENUS]) {
    if ((await place.file(path)) !== undefined) found.push({ kind: 'menu', path });
  }
  return found.length === 0 ? [] : [...found, { kind: 'disc' }];
}

/** The alternatives as the help of an error; `undefined` for an image that is not a live system. */
export async function helpWithoutArea(iso: Iso, signal?: AbortSignal): Promise<string | undefined> {
  try {
    if (await hasAreaFile(iso, signal)) return undefined;
    const ways = await alternativesOf(iso, signal);
    const paths = (kind: Alternative['kind']): string =>
      ways.flatMap((way) => (way.kind === kind && way.path !== undefined ? [way.path] : [])).join(' and ');
    const [tail, menu] = [paths('tail'), paths('menu')];
    const texts = [
      ...(tail === '' ? [] : [`rebuild it with an archive that holds config.ign at the end of ${tail}`]),
      ...(menu === '' ? [] : [`rebuild it with ignition.config.url=URL among the kernel arguments in ${menu}`]),
      ...(ways.length === 0 ? [] : ['boot it with a second disc where its platform reads the config from one']),
    ];
    return texts.length === 0 ? undefined : `the image has no embed area; ${texts.join(', or ')}`;
  } catch (error) {
    if (error instanceof IsoError) return undefined;
    throw error;
  }
}
