/** Stable identifiers: renaming or dropping one is a breaking change. */
export type NodesConfigErrorCode =
  /** A keyfile does not survive upstream's post-processing; the parsers report such a host, so only unchecked input gets here. */
  | 'NODES_UNREADABLE_KEYFILE'
  /** The cluster facts lack what the chosen way of joining needs. */
  | 'NODES_MISSING_FACTS'
  /** The chosen way of joining makes workers only, and a host is to be something else. */
  | 'NODES_ROLE_CANNOT_JOIN'
  /** The base image is for another architecture than the hosts. */
  | 'NODES_WRONG_ARCHITECTURE'
  /** The base image is not the one that its checksum was given for. */
  | 'NODES_WRONG_BASE'
  /** A form of image needs an address where its files will be found, and there is none. */
  | 'NODES_NO_BOOT_URL'
  /** A host's network can only be set up by interface names, which an image of its own does not learn. */
  | 'NODES_UNBINDABLE';

/** Every failure this package reports on purpose. Anything else is a bug. */
export class NodesConfigError extends Error {
  override readonly name: string = 'NodesConfigError';
  readonly code: NodesConfigErrorCode;

  constructor(code: NodesConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
