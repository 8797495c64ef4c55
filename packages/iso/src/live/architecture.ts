import { IsoError } from '../errors.ts';
import type { Iso } from '../iso9660/reader.ts';
import { findEntry } from './live-iso.ts';

/** The machines that live images are built for, by their name in image files. */
export const ARCHITECTURES = ['x86_64', 'aarch64', 'ppc64le', 's390x'] as const;

/** A machine that live images are built for. */
export type Architecture = (typeof ARCHITECTURES)[number];

/** Files that exist only in images of one architecture; the first one found decides. */
const SIGNS: readonly (readonly [path: string, architecture: Architecture])[] = [
  ['IMAGES/CDBOOT.IMG', 's390x'],
  ['ISOLINUX/ISOLINUX.BIN', 'x86_64'],
  ['BOOT/GRUB', 'ppc64le'],
  ['EFI', 'aarch64'],
];

/** The architecture of the image, detected from its boot files; `undefined` if they do not show it. */
export async function architectureOf(iso: Iso, signal?: AbortSignal): Promise<Architecture | undefined> {
  for (const [path, architecture] of SIGNS) {
    try {
      await findEntry(iso, path, signal);
      return architecture;
    } catch (error) {
      // Ignored: only this check reads the directory, so it may be broken.
      if (!(error instanceof IsoError)) throw error;
    }
  }
  return undefined;
}
