// The API over HTTP. It handles Status objects, pages of lists and the lines of a watch; of credentials it knows only headers.
import { checkWhole } from '@coreiso/peers/arguments';
import { onAbort, TimeLimitError, within } from '../clock.ts';
import { ClusterError } from '../errors.ts';
import { isObject, type KubeObject, memberOf, nameOf, objectsOf, textOf } from '../objects.ts';
import { type Fetch, TooLongError, textUpTo } from './answer.ts';
import type {
  ClusterReader,
  ListOptions,
  ObjectList,
  ReadOptions,
  RequestApprover,
  WatchEvent,
  WatchOptions,
} from './port.ts';
import { describeBody, notAnApi, parseObject, refusal, refuseRedirect, tooLarge, unreachable } from './refusals.ts';
import { watchEvents } from './watch-events.ts';

/** Address, headers and limits of the API server. */
export interface FetchClusterOptions {
  /** Address of the API server, e.g. `https://api.example.test:6443`. */
  readonly server: string;
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Sent with each request; pass a function for tokens that change. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** Timeout of an answer (default: 30 s). A watch may be silent for longer. */
  readonly timeout?: number | undefined;
  /** Maximum bytes of an answer after decompression (default: 64 MiB); a list of several pages may have four times as many. */
  readonly maxAnswerBytes?: number | undefined;
}

const ANSWER_TIMEOUT = 30_000;
/** Requested duration of a watch, before it is resumed. */
const WATCH_SECONDS = 120;
/** Objects per page: the size that kubectl uses. */
const PAGE = 500;

/** Limit of one answer. A page of 500 nodes has about 15 MiB, one of 500 network states of large machines about 50. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** A list may have this many times the bytes of an answer: 5000 nodes, Kubernetes' maximum, have about 150 MiB. */
const LIST_ANSWERS = 4;
/** Half a million objects. Kubernetes supports 150,000 pods, its most numerous kind. */
const MAX_PAGES = 1000;
/** A list may take this many times as long as an answer: servers forget its version after five minutes anyway. */
const LIST_TIMES = 10;

/**
 * A cluster read through any `fetch`, such as that of a browser.
 *
 * @example
 * const cluster = clusterOverFetch({
 *   server: 'https://api.example.test:6443',
 *   headers: { authorization: `Bearer ${token}` },
 * });
 * const { items } = await cluster.list('/api/v1/nodes');
 */
export function clusterOverFetch(options: FetchClusterOptions): ClusterReader & RequestApprover {
  if (typeof options?.server !== 'string' || !URL.canParse(options.server)) {
    throw new TypeError('options.server must be the address of an API server, such as https://api.example.test:6443');
  }
  const { username, password } = new URL(options.server);
  if (username !== '' || password !== '') {
    throw new TypeError('options.server must not hold a user; put credentials into options.headers');
  }
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  checkWhole('options.maxAnswerBytes', maxAnswerBytes, 1);
  return new FetchCluster(options);
}

class FetchCluster implements ClusterReader, RequestApprover {
  readonly #server: string;
  readonly #fetch: Fetch;
  readonly #headers: FetchClusterOptions['headers'];
  readonly #timeout: number;
  readonly #maxBytes: number;

  constructor(options: FetchClusterOptions) {
    const { server, fetch, headers, timeout = ANSWER_TIMEOUT, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
    this.#server = server.replace(/\/+$/, '');
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#headers = headers;
    this.#timeout = timeout;
    this.#maxBytes = maxAnswerBytes;
  }

  async get(path: string, { signal }: ReadOptions = {}): Promise<KubeObject> {
    return (await this.#answer(path, {}, {}, { signal })).object;
  }

  async list(path: string, { signal, ...selectors }: ListOptions = {}): Promise<ObjectList> {
    const limit = LIST_TIMES * this.#timeout;
    try {
      return await within(limit, signal, (stop) => this.#list(path, selectors, stop));
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      const message = `${path}: the pages of the list did not end in ${limit / 1000} s`;
      throw new ClusterError('CLUSTER_TIMEOUT', message, { cause: error });
    }
  }

  async #list(path: string, selectors: Query, signal: AbortSignal): Promise<ObjectList> {
    try {
      return await this.#pages(path, { ...selectors, limit: String(PAGE) }, this.#maxBytes, signal);
    } catch (error) {
      // The pages of a long list are of one version, which the server may forget halfway: then read it all at once.
      if (!(error instanceof ClusterError) || error.code !== 'CLUSTER_EXPIRED') throw error;
      return this.#pages(path, selectors, LIST_ANSWERS * this.#maxBytes, signal);
    }
  }

  async #pages(path: string, query: Query, maxBytes: number, signal: AbortSignal): Promise<ObjectList> {
    const items: KubeObject[] = [];
    const asked = new Set<string>();
    let next = '';
    let size = 0;
    for (;;) {
      const page = await this.#answer(path, { ...query, continue: next }, {}, { maxBytes, signal });
      const { object } = page;
      if (!Array.isArray(object['items'])) throw notAnApi(`${path} is not a list`);
      for (const item of objectsOf(object, 'items')) items.push(item);
      next = textOf(object, 'metadata', 'continue');
      if (next === '') return { items, resourceVersion: textOf(object, 'metadata', 'resourceVersion') };
      if (asked.has(next)) throw notAnApi(`${path}: the list does not end: the server gave a continue token twice`);
      asked.add(next);
      size += page.size;
      const most = LIST_ANSWERS * this.#maxBytes;
      if (size > most) throw tooLarge(path, 'the list', most);
      if (asked.size >= MAX_PAGES) throw endlessList(path);
    }
  }

  async *watch(path: string, { signal, ...query }: WatchOptions): AsyncGenerator<WatchEvent> {
    const asked = { ...query, watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(WATCH_SECONDS) };
    const connection = new Connection(signal);
    try {
      connection.limit(this.#timeout);
      const response = await this.#send(path, asked, {}, connection.signal);
      // The server ends a watch in time. A longer one has lost its peer.
      connection.limit(WATCH_SECONDS * 1000 + this.#timeout);
      if (!response.ok) throw await refusal(response, path);
      for await (const event of watchEvents(response, path, LIST_ANSWERS * this.#maxBytes)) {
        yield event;
        if (event.type === 'ERROR') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#failure(connection.signal.aborted ? connection.signal.reason : error);
    } finally {
      connection.close();
    }
  }

  async approve(request: KubeObject, reason: string, { signal }: ReadOptions = {}): Promise<void> {
    const path = `/apis/certificates.k8s.io/v1/certificatesigningrequests/${encodeURIComponent(nameOf(request))}/approval`;
    const condition = { type: 'Approved', status: 'True', reason: 'NodePlanned', message: reason };
    const status = memberOf(request, 'status');
    const body = {
      ...request,
      status: { ...(isObject(status) ? status : {}), conditions: [...objectsOf(status, 'conditions'), condition] },
    };
    const init = { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    await this.#answer(path, {}, init, { signal });
  }

  /** A complete answer within the time limit: connections may break between its first byte and its last. */
  async #answer(
    path: string,
    query: Query,
    init: RequestInit,
    { signal, maxBytes = this.#maxBytes }: { readonly signal: AbortSignal | undefined; readonly maxBytes?: number },
  ): Promise<{ readonly object: KubeObject; readonly size: number }> {
    try {
      return await within(this.#timeout, signal, async (stop) => {
        const response = await this.#send(path, query, init, stop);
        if (!response.ok) throw await refusal(response, path);
        const { text, size } = await body(response, path, maxBytes);
        const object = parseObject(text);
        if (object === undefined) throw notAnApi(describeBody(text, response, path));
        return { object, size };
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#failure(error);
    }
  }

  async #send(path: string, query: Query, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const own = typeof this.#headers === 'function' ? await this.#headers() : this.#headers;
    const headers = new Headers(own);
    headers.set('accept', 'application/json');
    for (const [name, value] of Object.entries(init.headers ?? {})) headers.set(name, value);
    const url = `${this.#server}${path}${queryText(query)}`;
    const response = await this.#fetch(url, { ...init, headers, redirect: 'manual', signal });
    await refuseRedirect(response, url, path);
    return response;
  }

  #failure(error: unknown): ClusterError {
    if (error instanceof ClusterError) return error;
    if (!(error instanceof TimeLimitError)) return unreachable(this.#server, error);
    const message = `${this.#server} did not answer in ${this.#timeout / 1000} s`;
    return new ClusterError('CLUSTER_TIMEOUT', message, { cause: error });
  }
}

/** Ends a connection that would not end by itself, at the timeout or by the caller's signal. */
class Connection {
  readonly #controller = new AbortController();
  readonly #release: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(caller: AbortSignal | undefined) {
    caller?.throwIfAborted();
    this.#release = caller && onAbort(caller, () => this.#controller.abort(caller.reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  limit(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(new TimeLimitError(milliseconds)), milliseconds);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#release?.();
    this.#controller.abort();
  }
}

type Query = Readonly<Record<string, string | undefined>>;

function queryText(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function body(response: Response, path: string, limit: number): ReturnType<typeof textUpTo> {
  try {
    return await textUpTo(response, limit);
  } catch (error) {
    if (error instanceof TooLongError) throw tooLarge(path, 'the answer', limit);
    throw new ClusterError('CLUSTER_UNREACHABLE', `${path}: the answer broke off`, { cause: error });
  }
}

function endlessList(path: string): ClusterError {
  const message = `${path}: the list has more than ${MAX_PAGES} pages; narrow it with a selector`;
  return new ClusterError('CLUSTER_TOO_LARGE', message);
}
