import type { Diagnostic } from '@coreiso/diagnostics';

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type IgnitionErrorCode =
  /** A config has to be valid but is not; `diagnostics` has the reasons. */
  | 'IGNITION_INVALID'
  /** A config cannot be merged or translated because this package does not fully support its version. */
  | 'IGNITION_UNKNOWN_VERSION'
  /** The requested version does not support everything in the config; `diagnostics` names each unsupported member. */
  | 'IGNITION_NOT_EXPRESSIBLE'
  /** `customizeOrThrow` refuses the options; the `fault` of its diagnostic has the parts of the message about an input. */
  | 'IGNITION_REFUSED'
  /** An input of `customize` could not be read; `cause` is the error of its `read`. */
  | 'IGNITION_UNREADABLE_INPUT';

/**
 * An expected failure of this package, with findings about the config if they are the cause.
 *
 * @example if (error instanceof IgnitionError && error.code === 'IGNITION_UNKNOWN_VERSION') askForAnother()
 */
export class IgnitionError extends Error {
  override readonly name: string = 'IgnitionError';
  readonly code: IgnitionErrorCode;
  /** Findings about the user's text, if they are the cause; otherwise empty. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    code: IgnitionErrorCode,
    message: string,
    options: ErrorOptions & {
      readonly diagnostics?: readonly Diagnostic[] | undefined;
    } = {},
  ) {
    super(message, options);
    this.code = code;
    this.diagnostics = options.diagnostics ?? [];
  }
}
