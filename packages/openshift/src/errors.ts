import type { Diagnostic } from '@coreiso/diagnostics';

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type OpenshiftErrorCode =
  /** The cluster facts lack what the chosen way of joining needs. */
  | 'NODES_MISSING_FACTS'
  /** A cluster fact cannot be written into the files of a node: it has a line end, for example. */
  | 'NODES_UNUSABLE_FACTS'
  /** The base image is for another architecture than the hosts. */
  | 'NODES_WRONG_ARCHITECTURE'
  /** The base image is not the one that its checksum was given for. */
  | 'NODES_WRONG_BASE'
  /** A form of image needs an address where its files will be found, and there is none. */
  | 'NODES_NO_BOOT_URL'
  /** A host's network can only be set up by interface names, which an image of its own does not learn. */
  | 'NODES_UNBINDABLE'
  /** A file of that name is there already, and was not to be replaced. */
  | 'NODES_OUTPUT_EXISTS'
  /** The folder for outputs cannot be made. */
  | 'NODES_NO_FOLDER'
  /** The install config says of `pki` what cannot be followed. */
  | 'AGENT_UNKNOWN_PKI'
  /** A form of image needs an address where its root file system will be found, and there is none. */
  | 'AGENT_NO_ROOTFS_URL'
  /** Nobody can tell what the base is: it has no size and time, no entity tag and no digest. */
  | 'FLEET_NO_IDENTITY'
  /** Something that is not of a fleet stands where an image should go. */
  | 'FLEET_EXISTS'
  /** The base is not in the store, or not any more. */
  | 'FLEET_NO_BASE'
  /** The base is not what it was when the images were begun. */
  | 'FLEET_BASE_CHANGED'
  /** The bucket does not exist. */
  | 'FLEET_NO_BUCKET'
  /** The store refuses to do this for these credentials. */
  | 'FLEET_DENIED'
  /** The store, or a quota, is full. */
  | 'FLEET_FULL'
  /** The store failed, or was silent, however often it was tried. */
  | 'FLEET_STORE'
  /** What the store gives back is not what it was given. */
  | 'FLEET_WRONG_BYTES'
  /** An image has more bytes, or more parts, than an object can have. */
  | 'FLEET_TOO_LARGE';

/** What a failure was about. */
export interface OpenshiftErrorOptions extends ErrorOptions {
  /** What is wrong with the user's text, where that is the reason. */
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  /** The file that could not be made, where it is about one. */
  readonly file?: string | undefined;
}

/**
 * Every failure of an operation that this package reports on purpose. Anything else is a bug.
 *
 * @example
 * ```ts
 * if (error instanceof OpenshiftError && error.code === 'FLEET_FULL') console.error(`no room for ${error.file}`);
 * ```
 */
export class OpenshiftError extends Error {
  override readonly name: string = 'OpenshiftError';
  readonly code: OpenshiftErrorCode;
  /** What is wrong with the user's text, where that is the reason; empty where it is not. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file that could not be made, where it is about one. */
  readonly file: string | undefined;

  constructor(code: OpenshiftErrorCode, message: string, options: OpenshiftErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.diagnostics = options.diagnostics ?? [];
    this.file = options.file;
  }
}
