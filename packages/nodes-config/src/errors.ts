/** Stable identifiers: renaming or dropping one is a breaking change. */
export type NodesConfigErrorCode =
  /** A keyfile does not survive upstream's post-processing; the parsers report such a host, so only unchecked input gets here. */
  | 'NODES_UNREADABLE_KEYFILE'
  /** The cluster facts lack what the chosen way of joining needs. */
  | 'NODES_MISSING_FACTS';

/** Every failure this package reports on purpose. Anything else is a bug. */
export class NodesConfigError extends Error {
  override readonly name: string = 'NodesConfigError';
  readonly code: NodesConfigErrorCode;

  constructor(code: NodesConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
