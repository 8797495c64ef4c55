/** Stable identifiers: renaming or dropping one is a breaking change. */
export type AgentInstallErrorCode =
  /** The install config says of `pki` what cannot be followed. */
  | 'AGENT_UNKNOWN_PKI'
  /** A form of image needs an address where its root file system will be found, and there is none. */
  | 'AGENT_NO_ROOTFS_URL';

/**
 * Every failure of an operation that this package reports on purpose; those of making images come as `NodesConfigError` and
 * `IsoError`. Anything else is a bug.
 *
 * @example if (error instanceof AgentInstallError && error.code === 'AGENT_NO_ROOTFS_URL') askForAddress()
 */
export class AgentInstallError extends Error {
  override readonly name: string = 'AgentInstallError';
  readonly code: AgentInstallErrorCode;

  constructor(code: AgentInstallErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}
