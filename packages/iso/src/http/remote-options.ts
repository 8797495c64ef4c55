/** The used part of `fetch`, so that any runtime's own or a wrapped one fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Retries and timeouts of requests to a server. */
export interface RemoteOptions {
  readonly fetch?: Fetch | undefined;
  /** How often a request is repeated after a transient failure (default: 5). */
  readonly retries?: number | undefined;
  /** Timeout of a silent server in milliseconds (default: 30,000). */
  readonly timeout?: number | undefined;
  /** Minimum rate of an answer in bytes per second, over one minute (default: 1,000). */
  readonly minRate?: number | undefined;
  /** Called before a request is repeated, with the reason and the number of the next attempt. */
  readonly onRetry?:
    | ((retry: {
        readonly address: string;
        readonly reason: string;
        readonly attempt: number;
        readonly attempts: number;
      }) => void)
    | undefined;
  /** Aborts opening and all reads. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of reading a file on a server. */
export interface HttpSourceOptions extends RemoteOptions {
  /** Number of parallel requests (default: 4). */
  readonly parallel?: number | undefined;
  /**
   * Sent with each request; pass a function for tokens that change. Headers are sent only to the origin of the address,
   * not to another origin after a redirect.
   */
  readonly headers?: (HeadersInit | (() => HeadersInit | Promise<HeadersInit>)) | undefined;
  /** Whether a file may be fetched into memory if the server does not support ranges; otherwise it is refused. */
  readonly whole?: boolean | undefined;
  /** Called while a whole file is fetched. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}
