/** Stable identifiers: renaming or dropping one is a breaking change. */
export type IsoErrorCode =
  /** A source ended, or answered with fewer bytes than were requested. */
  | 'ISO_SHORT_READ'
  /** An archive, or the compressed stream around it, is damaged or of an unknown kind. */
  | 'ISO_BAD_ARCHIVE'
  /** An archive unpacks to more bytes than the caller allowed. */
  | 'ISO_UNPACK_LIMIT'
  /** A pattern for member names has a syntax error. */
  | 'ISO_BAD_PATTERN'
  /** An archive cannot hold a member: its path occurs twice, or newc cannot express its path or size. */
  | 'ISO_BAD_MEMBER'
  /** The image is not a CoreOS live image that this package supports: it has no initrd area. */
  | 'ISO_NOT_LIVE'
  /** A JSON file of the image (`igninfo.json`, `kargs.json`, `features.json`) is damaged. */
  | 'ISO_BAD_METADATA'
  /** The areas for kernel arguments contradict one another or the image. */
  | 'ISO_BAD_KARGS'
  /** The image has no areas for kernel arguments. */
  | 'ISO_NO_KARGS'
  /** A change to kernel arguments is malformed. */
  | 'ISO_BAD_KARG'
  /** The initrd area, or an area for kernel arguments, is too small for its new contents. */
  | 'ISO_AREA_TOO_SMALL'
  /** The content does not fit into the area, and the layout of the image does not allow it to grow. */
  | 'ISO_CANNOT_GROW'
  /** A change outside the areas would break a link of the boot chain. */
  | 'ISO_WOULD_NOT_BOOT'
  /** The image or initramfs is already customised, but the operation needs an untouched one. */
  | 'ISO_CUSTOMIZED'
  /** The image has no recipe for a minimal image. */
  | 'ISO_NO_RECIPE'
  /** Two images are not a matching pair of a full and a minimal image. */
  | 'ISO_BAD_PAIR'
  /** A rebuilt minimal image, a download or a layer of a container image does not match its digest. */
  | 'ISO_WRONG_DIGEST'
  /** The recipe for the minimal image (`miniso.dat`) is damaged or of an unknown version. */
  | 'ISO_BAD_RECIPE'
  /** Writing xz needs an optional package that is not installed. */
  | 'ISO_XZ_MISSING'
  /** The target of a copy exists, and replacing was not allowed. */
  | 'ISO_EXISTS'
  /** The disk, a quota or the largest possible file is full. */
  | 'ISO_NO_SPACE'
  /** The reader of the output has closed it. */
  | 'ISO_READER_GONE'
  /** Another program is writing to the image. */
  | 'ISO_BUSY'
  /** Writing to the image was interrupted and could not be undone; its journal is kept. */
  | 'ISO_NEEDS_ROLLBACK'
  /** No journal can be kept beside the image, so a write could not be undone. */
  | 'ISO_NO_JOURNAL'
  /** The image was edited, but the disk failed to sync: a power loss may undo the edit. */
  | 'ISO_NOT_DURABLE'
  /** The file has changed since it was opened. */
  | 'ISO_CHANGED'
  /** Reading or writing failed in the operating system; `cause` is its error. */
  | 'ISO_IO'
  /** A server refused to send the file, or could not be reached after all retries. */
  | 'ISO_REMOTE'
  /** A server sends too slowly. */
  | 'ISO_TOO_SLOW'
  /** A server does not answer Range requests, so the file cannot be read in parts. */
  | 'ISO_NO_RANGES'
  /** A server's answer does not match the request: another range, more bytes, a content encoding, no validator. */
  | 'ISO_BAD_ANSWER'
  /** A text is not stream metadata. */
  | 'ISO_BAD_STREAM'
  /** A text is not the name of a container image. */
  | 'ISO_BAD_REFERENCE'
  /** The source has no usable ISO 9660 volume descriptors. */
  | 'ISO_NOT_AN_IMAGE'
  /** The volume claims more sectors than the source has. */
  | 'ISO_INCOMPLETE'
  /** A path does not exist; the only failure that means "absent". */
  | 'ISO_NOT_FOUND'
  /** A path is a directory where a file is expected, or a file where a directory is expected. */
  | 'ISO_WRONG_KIND'
  /** A directory record contradicts itself or its directory. */
  | 'ISO_BAD_RECORD'
  /** A name has characters that the chosen view does not allow. */
  | 'ISO_BAD_NAME'
  /** A Rock Ridge field is damaged. */
  | 'ISO_BAD_EXTENSION'
  /** A file's data lies outside the image. */
  | 'ISO_BAD_EXTENT'
  /** A directory contains itself. */
  | 'ISO_LOOP'
  /** The image needs more work than the limits allow. */
  | 'ISO_LIMIT'
  /** The El Torito catalogue is damaged. */
  | 'ISO_BAD_BOOT_CATALOG'
  /** The image uses a part of the standard that is not implemented. */
  | 'ISO_UNSUPPORTED';

/**
 * An expected failure of this package; any other error is a bug.
 *
 * @example
 * ```ts
 * if (error instanceof IsoError && error.code === 'ISO_NOT_LIVE') console.error('Choose a CoreOS live image.');
 * ```
 */
export class IsoError extends Error {
  override readonly name: string = 'IsoError';
  readonly code: IsoErrorCode;
  /** Byte offset in the image, if the failure has one. */
  readonly offset: number | undefined;
  /** A remedy in the imperative, if there is one. */
  readonly help: string | undefined;

  constructor(
    code: IsoErrorCode,
    message: string,
    options: ErrorOptions & {
      /** Byte offset in the image, if the failure has one. */
      readonly offset?: number | undefined;
      /** A remedy in the imperative. */
      readonly help?: string | undefined;
    } = {},
  ) {
    super(message, options);
    this.code = code;
    this.offset = options.offset;
    this.help = options.help;
  }
}

/** Wraps an error for its caller: code and offset stay, `error` becomes the cause. Foreign errors pass unchanged. */
export function withContext(error: unknown, message: string): unknown {
  if (!(error instanceof IsoError)) return error;
  const { code, offset, help } = error;
  return new IsoError(code, message, { cause: error, offset, help });
}

/** Runs `work`; a failure becomes the cause of an error with `message`. */
export async function inContext<T>(message: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withContext(error, message);
  }
}
