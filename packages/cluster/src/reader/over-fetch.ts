// The API over HTTP. Knows Status objects, pages of lists and the lines of a watch; nothing of credentials but headers.
import { onAbort, TimeLimitError, within } from '../clock.ts';
import { ClusterError, type ClusterErrorCode, reasonOf } from '../errors.ts';
import { isObject, type KubeObject, memberOf, nameOf, objectsOf, textOf } from '../objects.ts';
import type {
  ClusterReader,
  ListOptions,
  ObjectList,
  ReadOptions,
  RequestApprover,
  WatchEvent,
  WatchOptions,
} from './port.ts';

/** The part of `fetch` that is used, so that any runtime's or a wrapped one fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface FetchClusterOptions {
  /** Address of the API server, e.g. `https://api.example.test:6443`. */
  readonly server: string;
  readonly fetch?: Fetch | undefined;
  /** Sent with each request; a function is asked each time, for tokens that change. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** How long an answer may take; 30 s where absent. A watch may be silent for longer. */
  readonly timeout?: number | undefined;
}

const ANSWER_TIMEOUT = 30_000;
/** How long a watch is asked to go on, before it is resumed. */
const WATCH_SECONDS = 120;
/** Objects per page: the size that kubectl uses. */
const PAGE = 500;

const CODES: Readonly<Record<number, ClusterErrorCode>> = {
  401: 'CLUSTER_UNAUTHORIZED',
  403: 'CLUSTER_FORBIDDEN',
  404: 'CLUSTER_NOT_FOUND',
  409: 'CLUSTER_CONFLICT',
  410: 'CLUSTER_EXPIRED',
};

/**
 * A cluster behind any `fetch`: a page with a token uses the browser's.
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
  return new FetchCluster(options);
}

class FetchCluster implements ClusterReader, RequestApprover {
  readonly #server: string;
  readonly #fetch: Fetch;
  readonly #headers: FetchClusterOptions['headers'];
  readonly #timeout: number;

  constructor({ server, fetch, headers, timeout = ANSWER_TIMEOUT }: FetchClusterOptions) {
    this.#server = server.replace(/\/+$/, '');
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#headers = headers;
    this.#timeout = timeout;
  }

  async get(path: string, { signal }: ReadOptions = {}): Promise<KubeObject> {
    return this.#read(path, {}, signal);
  }

  async list(path: string, { signal, ...selectors }: ListOptions = {}): Promise<ObjectList> {
    try {
      return await this.#pages(path, { ...selectors, limit: String(PAGE) }, signal);
    } catch (error) {
      // The pages of a long list are of one version, which the server may forget half-way: then all at once.
      if (!(error instanceof ClusterError) || error.code !== 'CLUSTER_EXPIRED') throw error;
      return this.#pages(path, selectors, signal);
    }
  }

  async #pages(path: string, query: Query, signal: AbortSignal | undefined): Promise<ObjectList> {
    const items: KubeObject[] = [];
    let next: string | undefined;
    for (;;) {
      const page = await this.#read(path, { ...query, continue: next }, signal);
      if (!Array.isArray(page['items'])) throw notAnApi(`${path} is not a list`);
      items.push(...objectsOf(page, 'items'));
      next = textOf(page, 'metadata', 'continue');
      if (next === '') return { items, resourceVersion: textOf(page, 'metadata', 'resourceVersion') };
    }
  }

  async *watch(path: string, { signal, ...query }: WatchOptions): AsyncGenerator<WatchEvent> {
    const asked = { ...query, watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: String(WATCH_SECONDS) };
    const connection = new Connection(signal);
    try {
      connection.limit(this.#timeout);
      const response = await this.#send(path, asked, {}, connection.signal);
      // The server ends a watch in its time. One that goes on longer has nobody at its other end.
      connection.limit(WATCH_SECONDS * 1000 + this.#timeout);
      if (!response.ok) throw await refusal(response, path);
      for await (const line of lines(response, path)) {
        const event = parseEvent(line, path);
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
    await this.#answer(path, {}, init, signal);
  }

  async #read(path: string, query: Query, signal: AbortSignal | undefined): Promise<KubeObject> {
    return await this.#answer(path, query, {}, signal);
  }

  /** A whole answer, in its time: connections may break between its first byte and its last. */
  async #answer(path: string, query: Query, init: RequestInit, signal: AbortSignal | undefined): Promise<KubeObject> {
    try {
      return await within(this.#timeout, signal, async (stop) => {
        const response = await this.#send(path, query, init, stop);
        if (!response.ok) throw await refusal(response, path);
        const text = await bodyText(response, path);
        const value = parseObject(text);
        if (value === undefined) throw notAnApi(describeBody(text, response, path));
        return value;
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
    return await this.#fetch(`${this.#server}${path}${queryText(query)}`, { ...init, headers, signal });
  }

  #failure(error: unknown): ClusterError {
    if (error instanceof ClusterError) return error;
    if (!(error instanceof TimeLimitError)) return unreachable(this.#server, error);
    const message = `${this.#server} did not answer in ${this.#timeout / 1000} s`;
    return new ClusterError('CLUSTER_TIMEOUT', message, { cause: error });
  }
}

/** What ends a connection that has no end of its own: its time, or the caller. */
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

/** The error for a failed answer, in the API's own words where it is the API that answered. */
async function refusal(response: Response, path: string): Promise<ClusterError> {
  const text = await bodyText(response, path).catch(() => '');
  const status = parseObject(text);
  if (status !== undefined && textOf(status, 'kind') === 'Status') return statusError(status);
  const { status: code } = response;
  const known = CODES[code];
  if (known === undefined || text.trimStart().startsWith('<'))
    return notAnApi(describeBody(text, response, path), code);
  return new ClusterError(known, `${path}: HTTP status ${code}`, { status: code });
}

/** A Status object as an error. */
export function statusError(status: KubeObject): ClusterError {
  const code = memberOf(status, 'code');
  const number = typeof code === 'number' ? code : 0;
  const message = textOf(status, 'message') || textOf(status, 'reason') || `status ${number}`;
  return new ClusterError(CODES[number] ?? 'CLUSTER_API', message, { status: number });
}

function notAnApi(message: string, status?: number): ClusterError {
  return new ClusterError('CLUSTER_NOT_AN_API', message, status === undefined ? {} : { status });
}

function describeBody(text: string, response: Response, path: string): string {
  const kind = response.headers.get('content-type') ?? 'no type';
  const what = text.trimStart().startsWith('<') ? 'a web page' : kind;
  return `${path}: ${what} instead of JSON (HTTP status ${response.status}); is there a proxy or a login page before the API server?`;
}

const UNTRUSTED = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME/;

function unreachable(server: string, error: unknown): ClusterError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = textOf(cause, 'code');
  const words = reasonOf(cause) || code;
  if (UNTRUSTED.test(code)) {
    return new ClusterError('CLUSTER_UNTRUSTED', `${server}: the server's certificate is not trusted: ${words}`, {
      cause: error,
    });
  }
  return new ClusterError('CLUSTER_UNREACHABLE', `${server} cannot be reached: ${words}`, { cause: error });
}

async function bodyText(response: Response, path: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new ClusterError('CLUSTER_UNREACHABLE', `${path}: the answer broke off`, { cause: error });
  }
}

function parseObject(text: string): KubeObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A line of a watch may be as long as an object; a longer one is not the API's. */
const LONGEST_LINE = 64 * 1024 * 1024;

async function* lines(response: Response, path: string): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw notAnApi(`${path}: a line of the watch does not end`);
      yield* parts;
    }
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new ClusterError('CLUSTER_UNREACHABLE', `${path}: the watch broke off`, { cause: error });
  }
}

const TYPES: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

function parseEvent(line: string, path: string): WatchEvent {
  const value = parseObject(line);
  const object = memberOf(value, 'object');
  const type = textOf(value, 'type');
  if (!isObject(object) || !TYPES.has(type)) throw notAnApi(`${path}: a line of the watch is no event`);
  return { type: type as WatchEvent['type'], object };
}
