import type { Diagnostic } from '@coreiso/diagnostics';

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type IgnitionErrorCode =
  /** A config that must be valid is not; `diagnostics` says why. */
  | 'IGNITION_INVALID'
  /** A config whose version this package does not know in full cannot be merged or translated. */
  | 'IGNITION_UNKNOWN_VERSION'
  /** The version asked for cannot say what the config says; `diagnostics` names each such member. */
  | 'IGNITION_NOT_EXPRESSIBLE'
  /** `customizeOrThrow` refuses; the `fault` of its diagnostic says in parts what is wrong with an input. */
  | 'IGNITION_REFUSED'
  /** An input of `customize` could not be read; `cause` is what its `read` threw. */
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
