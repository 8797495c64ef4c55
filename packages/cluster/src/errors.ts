import type { Diagnostic } from '@coreiso/diagnostics';
import { hideUsers } from '@coreiso/peers/hidden';

/** Stable identifiers: to rename or drop one is a breaking change. */
export type ClusterErrorCode =
  /** The address does not answer: refused, no route, unknown name, a broken connection. */
  | 'CLUSTER_UNREACHABLE'
  /** The kubeconfig does not trust the server's certificate. */
  | 'CLUSTER_UNTRUSTED'
  /** An answer did not come in time. */
  | 'CLUSTER_TIMEOUT'
  /** The credentials are missing, wrong or expired (401). */
  | 'CLUSTER_UNAUTHORIZED'
  /** The credentials are valid but insufficient (403). */
  | 'CLUSTER_FORBIDDEN'
  /** The object, or its kind, does not exist (404). */
  | 'CLUSTER_NOT_FOUND'
  /** The requested version is no longer kept (410); a new list is needed. */
  | 'CLUSTER_EXPIRED'
  /** Another client changed the object first, or it exists (409). */
  | 'CLUSTER_CONFLICT'
  /** The API answered with any other failure. */
  | 'CLUSTER_API'
  /** The answer is not from a Kubernetes API: a proxy's page, or a truncated or malformed answer. */
  | 'CLUSTER_NOT_AN_API'
  /** The server redirects requests to another address, where no credentials are sent. */
  | 'CLUSTER_REDIRECTED'
  /** An answer, a list or a line of a watch exceeds its limit. */
  | 'CLUSTER_TOO_LARGE'
  /** The kubeconfig is invalid; `diagnostics` has the findings, if any. */
  | 'CLUSTER_KUBECONFIG'
  /** A credential plugin failed; the message contains its output. */
  | 'CLUSTER_CREDENTIALS'
  /** The cluster is a Kubernetes without OpenShift. */
  | 'CLUSTER_NOT_OPENSHIFT'
  /** The cluster lacks an object that is needed to watch its nodes. */
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
      /** Status of the HTTP answer, if there was one. */
      readonly status?: number | undefined;
      /** Findings about a kubeconfig. */
      readonly diagnostics?: readonly Diagnostic[] | undefined;
    } = {},
  ) {
    // The address of a server or a proxy may contain a password.
    super(hideUsers(message), options);
    this.code = code;
    this.diagnostics = options.diagnostics ?? [];
    this.status = options.status;
  }
}

/** The message of a failure, whatever value was thrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message;
}
