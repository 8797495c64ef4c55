import type { Diagnostic } from '@coreiso/diagnostics';

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type OpenshiftErrorCode =
  /** The cluster facts lack what the chosen way of joining needs. */
  | 'OPENSHIFT_MISSING_FACTS'
  /** The chosen way of joining makes workers only, and a host is to be something else. */
  | 'OPENSHIFT_ROLE_CANNOT_JOIN'
  /** A cluster fact cannot be written into the files of a node: it has a line end, for example. */
  | 'OPENSHIFT_UNUSABLE_FACTS'
  /** The base image is for another architecture than the hosts. */
  | 'OPENSHIFT_WRONG_ARCHITECTURE'
  /** The base image is not the one that its checksum was given for. */
  | 'OPENSHIFT_WRONG_BASE'
  /** A form of image needs an address where its files will be found, and there is none. */
  | 'OPENSHIFT_NO_BOOT_URL'
  /** A host's network can only be set up by interface names, which an image of its own does not learn. */
  | 'OPENSHIFT_UNBINDABLE'
  /** A file of that name is there already, and was not to be replaced; `file` is its name. */
  | 'OPENSHIFT_OUTPUT_EXISTS'
  /** The folder for outputs cannot be made. */
  | 'OPENSHIFT_NO_FOLDER'
  /** The install config says of `pki` what cannot be followed. */
  | 'OPENSHIFT_UNKNOWN_PKI'
  /** A form of image needs an address where its root file system will be found, and there is none. */
  | 'OPENSHIFT_NO_ROOTFS_URL'
  /** Nobody can tell what the base is: it has no size and time, no entity tag and no digest. */
  | 'OPENSHIFT_NO_IDENTITY'
  /** The base is not in the store, or not any more. */
  | 'OPENSHIFT_NO_BASE'
  /** The base is not what it was when the images were begun. */
  | 'OPENSHIFT_BASE_CHANGED'
  /** The bucket does not exist. */
  | 'OPENSHIFT_NO_BUCKET'
  /** The store refuses to do this for these credentials. */
  | 'OPENSHIFT_STORE_DENIED'
  /** The store, or a quota, is full. */
  | 'OPENSHIFT_STORE_FULL'
  /** The store failed, or was silent, however often it was tried. */
  | 'OPENSHIFT_STORE_FAILED'
  /** What the store gives back is not what it was given. */
  | 'OPENSHIFT_WRONG_BYTES'
  /** An image has more bytes, or more parts, than an object can have. */
  | 'OPENSHIFT_TOO_LARGE';

/**
 * An expected failure of this package; any other error is a bug.
 *
 * @example
 * ```ts
 * if (error instanceof OpenshiftError && error.code === 'OPENSHIFT_STORE_FULL') console.error(`no room for ${error.file}`);
 * ```
 */
export class OpenshiftError extends Error {
  override readonly name: string = 'OpenshiftError';
  readonly code: OpenshiftErrorCode;
  /** Findings about the user's text, if they are the cause; otherwise empty. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file that could not be made, if the failure is about one. */
  readonly file: string | undefined;

  constructor(
    code: OpenshiftErrorCode,
    message: string,
    options: ErrorOptions & {
      readonly diagnostics?: readonly Diagnostic[] | undefined;
      readonly file?: string | undefined;
    } = {},
  ) {
    super(message, options);
    this.code = code;
    this.diagnostics = options.diagnostics ?? [];
    this.file = options.file;
  }
}
