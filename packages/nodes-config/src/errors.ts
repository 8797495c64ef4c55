import type { Diagnostic } from '@coreiso/diagnostics';

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type NodesConfigErrorCode =
  /** A cluster fact cannot be written into the files of a node: it has a line end, for example. */
  | 'NODES_UNUSABLE_FACTS'
  /** The name of a host, an interface or a profile would put a file outside its folder, or add a line to a table. */
  | 'NODES_UNSAFE_NAME';

/**
 * An expected failure of this package; any other error is a bug.
 *
 * @example if (error instanceof NodesConfigError && error.code === 'NODES_UNSAFE_NAME') show(error.diagnostics)
 */
export class NodesConfigError extends Error {
  override readonly name: string = 'NodesConfigError';
  readonly code: NodesConfigErrorCode;
  /** Findings about the user's text, if they are the cause; otherwise empty. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    code: NodesConfigErrorCode,
    message: string,
    options: ErrorOptions & { readonly diagnostics?: readonly Diagnostic[] | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    this.diagnostics = options.diagnostics ?? [];
  }
}
