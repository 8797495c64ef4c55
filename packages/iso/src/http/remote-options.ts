/** The part of `fetch` that is used, so that any runtime's or a wrapped one fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How a server is asked, and how long to bear with it. */
export interface RemoteOptions {
  readonly fetch?: Fetch | undefined;
  /** How often a request is repeated that failed in a way that may pass; 5 by default. */
  readonly retries?: number | undefined;
  /** How many milliseconds the server may be silent; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** The lowest rate of an answer in bytes per second, over a minute of waiting for it; 1,000 by default. */
  readonly minRate?: number | undefined;
  /** Told before a request is repeated: why, and which attempt out of how many comes next. */
  readonly onRetry?:
    | ((retry: {
        readonly address: string;
        readonly reason: string;
        readonly attempt: number;
        readonly attempts: number;
      }) => void)
    | undefined;
  /** Ends opening and all reads. */
  readonly signal?: AbortSignal | undefined;
}

/** How a file on a server is read. */
export interface HttpSourceOptions extends RemoteOptions {
  /** Requests at the same time; 4 by default. */
  readonly parallel?: number | undefined;
  /**
   * Sent with each request; a function is asked each time, for tokens that change. They go to the origin of the address
   * alone: where that redirects to another one, they stay behind.
   */
  readonly headers?: (HeadersInit | (() => HeadersInit | Promise<HeadersInit>)) | undefined;
  /**
   * Whether a file that cannot be read by ranges may be fetched whole into memory; otherwise it is refused. Of files that
   * can be read by ranges only those are fetched.
   */
  readonly whole?: boolean | undefined;
  /** Told while a whole file is fetched. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}
