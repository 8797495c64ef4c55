import type { Bytes } from '../../bytes/source.ts';

/** A file, directory or link of a new image. Data is laid out in the order in which files are listed. */
export type IsoEntry = {
  /** From the root, with or without the leading slash. Missing parent directories are created. */
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
  /** A directory: needed only if it is empty or has its own mode or date. `mode` is `0o755` by default. */
  | { readonly kind: 'directory'; readonly mode?: number }
  /** A symbolic link: in Rock Ridge but not in Joliet, as in other writers. */
  | { readonly kind: 'symlink'; readonly target: string }
  /** A second name for the listed file at `to`: both records point to the same extent. */
  | { readonly kind: 'link'; readonly to: string }
);

export type IsoFileEntry = Extract<IsoEntry, { kind: 'file' }>;

/** A boot image for firmware, without floppy or disk emulation (El Torito 2.2). */
export type IsoBootImage = IsoBoot['images'][number];

/** The El Torito catalogue. */
type IsoBoot = NonNullable<IsoWriterOptions['boot']>;

/** Partition tables for booting from a USB stick, as made by `isohybrid --uefi`; they need an EFI boot image. */
export type IsoHybrid = NonNullable<IsoWriterOptions['hybrid']>;

/** Identifiers, dates and boot settings of an image. */
export interface IsoWriterOptions {
  /** At most 32 ASCII characters. Lower case is outside ECMA-119 but common. */
  readonly volumeId: string;
  /** At most 32 ASCII characters, empty by default. */
  readonly systemId?: string | undefined;
  /** At most 128 ASCII characters, like the next three; empty by default. */
  readonly volumeSetId?: string | undefined;
  readonly publisherId?: string | undefined;
  readonly preparerId?: string | undefined;
  readonly applicationId?: string | undefined;
  /** The date of the volume, and of entries without a date (default: 1 January 1970, never the current time). */
  readonly timestamp?: Date | undefined;
  /** Whether to add Joliet names, for Windows; yes by default. */
  readonly joliet?: boolean | undefined;
  readonly boot?: {
    /** In the order of the catalogue; firmware uses the first one for its platform. */
    readonly images: readonly {
      readonly platform: 'bios' | 'efi';
      /** The path of the file to load. */
      readonly path: string;
      /** Number of 512-byte sectors that firmware loads (default: the whole file). isolinux and GRUB need 4. */
      readonly loadSectors?: number | undefined;
      /** Whether to patch the boot information table into the image, which tells isolinux and GRUB their place. */
      readonly bootInfoTable?: boolean | undefined;
    }[];
    /** Path at which to list the catalogue as a file (default: in no directory). */
    readonly catalogPath?: string | undefined;
  };
  readonly hybrid?: {
    /** Machine code for the first 432 bytes of the disk. This package does not include any. */
    readonly bootCode?: Uint8Array | undefined;
  };
  /** Up to 32,768 bytes for the beginning of the image; the partition tables of `hybrid` overwrite them. */
  readonly systemArea?: Uint8Array | undefined;
  /** Number of empty sectors after the data (default: 150, as in other writers, for drives that read ahead). */
  readonly padSectors?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
