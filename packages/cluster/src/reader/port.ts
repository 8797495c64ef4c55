import type { KubeObject } from '../objects.ts';

/** What every request to a cluster takes. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Which objects a list should hold. */
export interface ListOptions extends ReadOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Where a watch begins, and of which objects. */
export interface WatchOptions extends ListOptions {
  /** Where a list or an earlier watch ended; events after it are told. */
  readonly resourceVersion: string;
}

/** What a list holds, and the version from which a watch continues it. */
export interface ObjectList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

/** One line of a watch. `ERROR` carries a Status object; a `BOOKMARK` only a newer version. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

/**
 * A cluster's API, as far as it is read: paths are the API's own (`/api/v1/nodes`), failures are `ClusterError`.
 *
 * @example
 * const version = await cluster.get('/apis/config.openshift.io/v1/clusterversions/version');
 */
export interface ClusterReader {
  get(path: string, options?: ReadOptions): Promise<KubeObject>;
  list(path: string, options?: ListOptions): Promise<ObjectList>;
  /** One connection; it ends when the server closes it. `follow` keeps a list current across connections. */
  watch(path: string, options: WatchOptions): AsyncIterable<WatchEvent>;
}

/** The single write that this package makes. */
export interface RequestApprover {
  /** Adds the condition `Approved` to the certificate request as it was read; a request changed since is refused. */
  approve(request: KubeObject, reason: string, options?: ReadOptions): Promise<void>;
}
