import type { KubeObject } from '../objects.ts';

/**
 * Read access to a cluster's API. Paths are those of the API (`/api/v1/nodes`); failures are `ClusterError`.
 *
 * @example
 * const version = await cluster.get('/apis/config.openshift.io/v1/clusterversions/version');
 */
export interface ClusterReader {
  get(path: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<KubeObject>;
  list(
    path: string,
    options?: {
      readonly labelSelector?: string | undefined;
      readonly fieldSelector?: string | undefined;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<{
    readonly items: readonly KubeObject[];
    /** The version from which a watch continues the list. */
    readonly resourceVersion: string;
  }>;
  /** One watch connection, which ends when the server closes it. `follow` keeps a list current across connections. */
  watch(
    path: string,
    options: NonNullable<Parameters<ClusterReader['list']>[1]> & {
      /** The version at which a list or an earlier watch ended; the watch reports later events. */
      readonly resourceVersion: string;
    },
  ): AsyncIterable<{
    /** `ERROR` carries a Status object; a `BOOKMARK` only a newer version. */
    readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
    readonly object: KubeObject;
  }>;
}

export type ListOptions = NonNullable<Parameters<ClusterReader['list']>[1]>;
export type ReadOptions = Pick<ListOptions, 'signal'>;
export type WatchOptions = Parameters<ClusterReader['watch']>[1];
export type ObjectList = Awaited<ReturnType<ClusterReader['list']>>;
/** One line of a watch. */
export type WatchEvent = ReturnType<ClusterReader['watch']> extends AsyncIterable<infer Event> ? Event : never;

/** The only write access of this package. */
export interface RequestApprover {
  /** Adds the condition `Approved` to a certificate request; refuses if the request has changed since it was read. */
  approve(request: KubeObject, reason: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}
