/** Stable identifiers: renaming or dropping one is a breaking change. */
export type FleetErrorCode =
  /** Nobody can tell what the base is: it has no size and time, no entity tag and no digest. */
  | 'FLEET_NO_IDENTITY'
  /** Something that is not of a fleet stands where an image should go. */
  | 'FLEET_EXISTS'
  /** The base is not in the store, or not any more. */
  | 'FLEET_NO_BASE'
  /** The base is not what it was when the fleet was begun. */
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
export interface FleetErrorOptions extends ErrorOptions {
  /** The file that could not be made, where it is about one. */
  readonly file?: string | undefined;
}

/**
 * Every failure this package reports on purpose. Anything else is a bug.
 *
 * @example
 * ```ts
 * if (error instanceof FleetError && error.code === 'FLEET_FULL') console.error(`no room for ${error.file}`);
 * ```
 */
export class FleetError extends Error {
  override readonly name: string = 'FleetError';
  readonly code: FleetErrorCode;
  /** The file that could not be made, where it is about one. */
  readonly file: string | undefined;

  constructor(code: FleetErrorCode, message: string, options: FleetErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.file = options.file;
  }
}
