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
  /** `structure` skips the contents of the initramfs, which would have to be read completely. */
  readonly depth: 'structure' | 'everything';
  readonly inflate?: Inflate | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The data that all ways to boot share. */
export interface BootContext {
  readonly iso: Iso;
  readonly source: ByteSource;
  readonly place: Place;
  readonly areas: BootAreas;
  readonly catalog: BootCatalog | undefined;
  /** Why the expected catalogue is missing. */
  readonly catalogProblem: IsoError | undefined;
  readonly tables: PartitionTables;
  readonly options: ProofOptions;
  /** Unpacked trees, so that files shared by several ways are unpacked once. */
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

/** The files that firmware starts in CoreOS images. */
export const EFI_IMAGE = '/images/efiboot.img';
export const ISOLINUX = '/isolinux/isolinux.bin';
