/** Stable identifiers: renaming or dropping one is a breaking change. */
export type IsoErrorCode =
  /** A source ended, or answered with fewer bytes than were asked for. */
  | 'ISO_SHORT_READ'
  /** Reading or writing failed in the operating system; `cause` is its error. */
  | 'ISO_IO';

export interface IsoErrorOptions extends ErrorOptions {
  /** Byte position in the image, when there is one to point at. */
  readonly offset?: number;
}

/** Every failure this package reports on purpose. Anything else is a bug. */
export class IsoError extends Error {
  override readonly name: string = 'IsoError';
  readonly code: IsoErrorCode;
  /** Byte position in the image, when there is one to point at. */
  readonly offset: number | undefined;

  constructor(code: IsoErrorCode, message: string, options: IsoErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.offset = options.offset;
  }
}
