import { CYLINDER } from '../../iso9660/partitions/cylinder.ts';

/** What growing an image takes, in bytes; known before anything is written. */
export interface Growth {
  readonly archive: number;
  readonly area: number;
  /** How much longer the image becomes. */
  readonly added: number;
}

/** `archive 312 KiB, area 256 KiB, the image grows by 1 MiB`. */
export function describeGrowth({ archive, area, added }: Growth): string {
  return `archive ${readable(archive)}, area ${readable(area)}, the image grows by ${readable(added)}`;
}

function readable(bytes: number): string {
  return bytes < CYLINDER ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / CYLINDER)} MiB`;
}
