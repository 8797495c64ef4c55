import { DISK_SECTOR } from './tables.ts';

/** The geometry isohybrid assumes: a cylinder is 1 MiB. */
export const HEADS = 64;
export const SECTORS_PER_TRACK = 32;
/** Images are padded to whole cylinders. */
export const CYLINDER: number = HEADS * SECTORS_PER_TRACK * DISK_SECTOR;
