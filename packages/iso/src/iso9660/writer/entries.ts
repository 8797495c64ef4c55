import type { Bytes } from '../../bytes/source.ts';

/** A file, directory or link of a new image. Data is laid out in the order in which files are listed. */
export type IsoEntry = {
  /** From the root, with or without the leading slash. Parent directories that are not listed are made. */
  readonly path: string;
  /** The `timestamp` of the image by default. */
  readonly modified?: Date;
} & (
  | {
      readonly kind: 'file';
      readonly content: string | Bytes;
      /** Permission bits, `0o644` by default. */
      readonly mode?: number;
      /** The data begins at a multiple of this many bytes, itself a multiple of 2048. */
      readonly align?: number;
    }
  /** A directory of which something is to be said, or which is empty; `0o755` by default. */
  | { readonly kind: 'directory'; readonly mode?: number }
  /** A symbolic link; it exists in Rock Ridge and not in Joliet, as other writers have it. */
  | { readonly kind: 'symlink'; readonly target: string }
  /** A second name for a listed file, the one at `to`: both records point to the same extent. */
  | { readonly kind: 'link'; readonly to: string }
);

export type IsoFileEntry = Extract<IsoEntry, { kind: 'file' }>;

/** One image that firmware may start, without emulation of a floppy or disk (El Torito 2.2). */
export type IsoBootImage = IsoBoot['images'][number];

/** The El Torito catalogue. */
type IsoBoot = NonNullable<IsoWriterOptions['boot']>;

/** Partition tables that let the image start from a USB stick, as `isohybrid --uefi` makes them; needs an EFI boot image. */
export type IsoHybrid = NonNullable<IsoWriterOptions['hybrid']>;

/** Identifiers, dates and boot settings of an image. */
export interface IsoWriterOptions {
  /** At most 32 characters of ASCII. Lower case is outside ECMA-119 and common all the same. */
  readonly volumeId: string;
  /** At most 32 characters of ASCII, empty by default. */
  readonly systemId?: string | undefined;
  /** At most 128 characters of ASCII, like the next three; empty by default. */
  readonly volumeSetId?: string | undefined;
  readonly publisherId?: string | undefined;
  readonly preparerId?: string | undefined;
  readonly applicationId?: string | undefined;
  /** The date of the volume, and of entries without a date (default: 1 January 1970, never the current time). */
  readonly timestamp?: Date | undefined;
  /** Whether to add the names Windows reads; yes by default. */
  readonly joliet?: boolean | undefined;
  readonly boot?: {
    /** In the order of the catalogue; firmware takes the first one of its platform. */
    readonly images: readonly {
      readonly platform: 'bios' | 'efi';
      /** The file of the tree to load. */
      readonly path: string;
      /** How many sectors of 512 bytes firmware loads: the whole file by default. isolinux and GRUB want 4. */
      readonly loadSectors?: number | undefined;
      /** Patches the table into the image that tells isolinux and GRUB where they are. */
      readonly bootInfoTable?: boolean | undefined;
    }[];
    /** The catalogue is listed as a file of this path; otherwise it is in no directory. */
    readonly catalogPath?: string | undefined;
  };
  readonly hybrid?: {
    /** Machine code for the first 432 bytes of the disk. This package has none of its own. */
    readonly bootCode?: Uint8Array | undefined;
  };
  /** Up to 32768 bytes for the beginning of the image; the partition tables of `hybrid` overwrite them. */
  readonly systemArea?: Uint8Array | undefined;
  /** Empty sectors after the data (default: 150, as in other writers, for drives that read ahead). */
  readonly padSectors?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
