import type { Diagnostic } from '@coreiso/diagnostics';

/** Stable identifiers: to rename or drop one is a breaking change. */
export type OpenshiftErrorCode =
  /** The cluster facts lack data that the chosen join strategy needs. */
  | 'OPENSHIFT_MISSING_FACTS'
  /** The chosen join strategy makes only workers, and a host has another role. */
  | 'OPENSHIFT_ROLE_CANNOT_JOIN'
  /** A cluster fact cannot be written into the files of a node: it contains a line end, for example. */
  | 'OPENSHIFT_UNUSABLE_FACTS'
  /** The base image has another architecture than the hosts. */
  | 'OPENSHIFT_WRONG_ARCHITECTURE'
  /** The base image does not match the expected checksum. */
  | 'OPENSHIFT_WRONG_BASE'
  /** A form of image needs the address of its files, and none is given. */
  | 'OPENSHIFT_NO_BOOT_URL'
  /** A host's network can only be set up by interface names, and an image of one host never learns them. */
  | 'OPENSHIFT_UNBINDABLE'
  /** A file of that name exists and must not be replaced; `file` is its name. */
  | 'OPENSHIFT_OUTPUT_EXISTS'
  /** The output directory cannot be made. */
  | 'OPENSHIFT_NO_FOLDER'
  /** `pki` of the install config asks for an unsupported key. */
  | 'OPENSHIFT_UNKNOWN_PKI'
  /** A form of image needs the address of its root file system, and none is given. */
  | 'OPENSHIFT_NO_ROOTFS_URL'
  /** The base cannot be identified: it has no size and time, no entity tag and no digest. */
  | 'OPENSHIFT_NO_IDENTITY'
  /** The base is not in the store, or no longer. */
  | 'OPENSHIFT_NO_BASE'
  /** The base changed after the images were begun. */
  | 'OPENSHIFT_BASE_CHANGED'
  /** The bucket does not exist. */
  | 'OPENSHIFT_NO_BUCKET'
  /** The store denies this request to these credentials. */
  | 'OPENSHIFT_STORE_DENIED'
  /** The store, or a quota, is full. */
  | 'OPENSHIFT_STORE_FULL'
  /** The store failed or timed out at every attempt. */
  | 'OPENSHIFT_STORE_FAILED'
  /** The stored object differs from the bytes that were sent. */
  | 'OPENSHIFT_WRONG_BYTES'
  /** An image exceeds the size or the number of parts of an object. */
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
  /** The file that could not be made, if the failure concerns one. */
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
