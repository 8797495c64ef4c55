import type { Diagnostic } from '@coreiso/diagnostics';
import { hideUsers } from '@coreiso/peers/hidden';

/** Stable identifiers: renaming or dropping one is a breaking change. */
export type ClusterErrorCode =
  /** No one answers at the address: refused, no route, no such name, a broken connection. */
  | 'CLUSTER_UNREACHABLE'
  /** The server's certificate is not one that the kubeconfig trusts. */
  | 'CLUSTER_UNTRUSTED'
  /** An answer did not come in time. */
  | 'CLUSTER_TIMEOUT'
  /** The credentials are missing, wrong or expired (401). */
  | 'CLUSTER_UNAUTHORIZED'
  /** The credentials are good and do not suffice (403). */
  | 'CLUSTER_FORBIDDEN'
  /** There is no such object, or no such kind of object (404). */
  | 'CLUSTER_NOT_FOUND'
  /** The version asked for is no longer kept (410); a new list is needed. */
  | 'CLUSTER_EXPIRED'
  /** Another writer was faster, or the object exists (409). */
  | 'CLUSTER_CONFLICT'
  /** The API answered with any other failure. */
  | 'CLUSTER_API'
  /** The answer is not from a Kubernetes API: a proxy's page, or a truncated or malformed answer. */
  | 'CLUSTER_NOT_AN_API'
  /** The server sends requests to another address, where no credentials go. */
  | 'CLUSTER_REDIRECTED'
  /** An answer, a list or a line of a watch is longer than it may be. */
  | 'CLUSTER_TOO_LARGE'
  /** The kubeconfig cannot be used; `diagnostics` has the findings where there are any. */
  | 'CLUSTER_KUBECONFIG'
  /** A program that should give credentials failed; its own words are in the message. */
  | 'CLUSTER_CREDENTIALS'
  /** The cluster is a Kubernetes without OpenShift. */
  | 'CLUSTER_NOT_OPENSHIFT'
  /** The cluster does not have what watching its nodes needs. */
  | 'CLUSTER_NOT_PREPARED';

/**
 * An expected failure of this package; any other error is a bug.
 *
 * @example
 * if (error instanceof ClusterError && error.code === 'CLUSTER_FORBIDDEN') console.error(error.message);
 */
export class ClusterError extends Error {
  override readonly name: string = 'ClusterError';
  readonly code: ClusterErrorCode;
  /** Findings about the user's text, if they are the cause; otherwise empty. */
  readonly diagnostics: readonly Diagnostic[];
  readonly status: number | undefined;

  constructor(
    code: ClusterErrorCode,
    message: string,
    options: ErrorOptions & {
      /** Of the HTTP answer, where there was one. */
      readonly status?: number | undefined;
      /** Findings about a kubeconfig. */
      readonly diagnostics?: readonly Diagnostic[] | undefined;
    } = {},
  ) {
    // The address of a server or a proxy may have come with a password.
    super(hideUsers(message), options);
    this.code = code;
    this.diagnostics = options.diagnostics ?? [];
    this.status = options.status;
  }
}

/** The words of a failure, whatever was thrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message;
}
