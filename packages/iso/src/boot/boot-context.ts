import type { ByteSource } from '../bytes/source.ts';
import type { IsoError } from '../errors.ts';
import type { Inflate } from '../initrd/gunzip.ts';
import type { BootCatalog } from '../iso9660/el-torito.ts';
import type { PartitionTables } from '../iso9660/partitions/tables.ts';
import type { Iso } from '../iso9660/reader.ts';
import type { BootAreas, ReservedRegion } from './areas.ts';
import type { Choice } from './grub.ts';
import type { Chain } from './links.ts';
import type { Place } from './places.ts';
import type { Tree } from './system/tree.ts';

/** Options of a boot proof. */
export interface ProofOptions {
  /** `structure` leaves out what is inside of the initramfs, which takes reading all of it. */
  readonly depth: 'structure' | 'everything';
  readonly inflate?: Inflate | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Everything that the ways have in common. */
export interface BootContext {
  readonly iso: Iso;
  readonly source: ByteSource;
  readonly place: Place;
  readonly areas: BootAreas;
  readonly catalog: BootCatalog | undefined;
  /** Why there is no catalogue where there should be one. */
  readonly catalogProblem: IsoError | undefined;
  readonly tables: PartitionTables;
  readonly options: ProofOptions;
  /** Files that several ways share are unpacked once. */
  readonly trees: Map<string, { readonly links: Chain['links']; readonly tree: Tree | undefined }>;
}

/** The choice of a boot loader, and how to repeat it with other bytes in an area. */
export interface LoaderChoice {
  readonly loader: string;
  readonly choice: Choice;
  readonly again: (changed: (place: Place) => Place) => Promise<Choice>;
  /** The regions that the chain has used so far. */
  readonly occupied: readonly ReservedRegion[];
}

/** Where images of CoreOS have what firmware starts. */
export const EFI_IMAGE = '/images/efiboot.img';
export const ISOLINUX = '/isolinux/isolinux.bin';
