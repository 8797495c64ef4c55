// The service that runs on a node booted from the cluster's own add-nodes image, or on the rendezvous host of a new cluster.
import { requireObject, requireText } from '@coreiso/diagnostics/arguments';
import { within } from '../clock.ts';
import { isObject, type KubeObject, memberOf, objectsOf, textOf } from '../objects.ts';
import type { Fetch } from '../reader/over-fetch.ts';

/** Where the service of a host listens. */
const SERVICE_PORT = 8090;

/** An answer of the service, or what was wrong with it. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly status?: number };

/** What one look at the service showed. Lists that were not asked for are absent. */
export interface ServiceObservation {
  /** Whether the service is there and takes the token: the list of infra-envs, or why there is none. */
  readonly infraEnvs: Answer<readonly string[]>;
  readonly clusters?: Answer<readonly string[]>;
  readonly cluster?: Answer<KubeObject>;
  readonly events?: Answer<readonly KubeObject[]>;
}

/** Which objects of the service are known by their id; upstream asks until there is exactly one and then keeps it. */
export interface ServiceIdentity {
  readonly clusterId?: string;
  readonly infraEnvId?: string;
}

export interface ServiceOptions {
  readonly fetch?: Fetch | undefined;
  /** The watcher token; sent in a header of its own. Secret. */
  readonly token: string;
  /** Milliseconds for each answer; 10 s where absent. */
  readonly timeout?: number | undefined;
}

const ANSWER_TIMEOUT = 10_000;
/** Logs are packed on the host before the first byte comes. */
const LOGS_TIMEOUT = 10 * 60_000;

/**
 * The four read-only calls that the watcher token opens.
 *
 * @example
 * const service = new ServiceClient('192.0.2.10', { token });
 * const { events } = await service.observe({});
 */
export class ServiceClient {
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly #token: string;
  readonly #timeout: number;

  constructor(address: string, options: ServiceOptions) {
    requireText('address', address);
    requireObject('options', options);
    requireText('options.token', options.token);
    const { fetch, token, timeout = ANSWER_TIMEOUT } = options;
    this.#base = `http://${authority(address)}/api/assisted-install`;
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#token = token;
    this.#timeout = timeout;
  }

  /** Looks at everything once; never throws but for the signal. */
  async observe(known: ServiceIdentity, signal?: AbortSignal): Promise<ServiceObservation> {
    const infraEnvs = mapAnswer(await this.#get('/v2/infra-envs', '/v2/infra-envs', signal), ids);
    if (!infraEnvs.ok) return { infraEnvs };
    const clusters =
      known.clusterId === undefined
        ? mapAnswer(await this.#get('/v2/clusters?with_hosts=false', '/v2/clusters', signal), ids)
        : undefined;
    const clusterId = known.clusterId ?? only(clusters);
    const infraEnvId = known.infraEnvId ?? only(infraEnvs);
    if (clusterId === undefined) return { infraEnvs, ...(clusters && { clusters }) };
    const cluster = mapAnswer(
      await this.#get(`/v2/clusters/${encodeURIComponent(clusterId)}`, '/v2/clusters/{cluster_id}', signal),
      (value) => (isObject(value) ? value : {}),
    );
    const filter = infraEnvId === undefined ? '' : `?infra_env_id=${encodeURIComponent(infraEnvId)}`;
    const events = mapAnswer(await this.#get(`/v2/events${filter}`, '/v2/events', signal), (value) =>
      objectsOf({ value }, 'value'),
    );
    return { infraEnvs, ...(clusters && { clusters }), cluster, events };
  }

  /**
   * The logs of all hosts as one archive (tar). The watcher token does not open them; the user token of the image does, which goes
   * into a header of its own. Secret.
   */
  async logs(clusterId: string, userToken: string, signal?: AbortSignal): Promise<Answer<Uint8Array>> {
    const path = `/v2/clusters/${encodeURIComponent(clusterId)}/logs`;
    const init = { headers: { authorization: userToken }, pattern: '/v2/clusters/{cluster_id}/logs' };
    return await this.#ask(path, { ...init, timeout: LOGS_TIMEOUT, signal }, async (response) => {
      return new Uint8Array(await response.arrayBuffer());
    });
  }

  #get(path: string, pattern: string, signal: AbortSignal | undefined): Promise<Answer<unknown>> {
    const headers: Record<string, string> = this.#token === '' ? {} : { 'watcher-authorization': this.#token };
    return this.#ask(path, { headers, pattern, timeout: this.#timeout, signal }, async (response) =>
      JSON.parse(await response.text()),
    );
  }

  async #ask<T>(
    path: string,
    { headers, pattern, timeout, signal }: Question,
    read: (response: Response) => Promise<T>,
  ): Promise<Answer<T>> {
    try {
      return await within(timeout, signal, async (stop) => {
        const response = await this.#fetch(`${this.#base}${path}`, { headers, signal: stop });
        const { status } = response;
        if (response.ok) return { ok: true, value: await read(response) };
        return { ok: false, status, reason: `[GET ${pattern}][${status}] ${reasonIn(await response.text())}` };
      });
    } catch (error) {
      signal?.throwIfAborted();
      return { ok: false, reason: networkReason(error) };
    }
  }
}

interface Question {
  readonly headers: Record<string, string>;
  /** The path as messages call it. */
  readonly pattern: string;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** What `fetch` hides behind its own words. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** An address with its port, as a URL has it; a port that is given stays. */
export function authority(address: string, port: number = SERVICE_PORT): string {
  if (/^\[.*\]:\d+$/.test(address) || /^[^:]+:\d+$/.test(address)) return address;
  return address.includes(':') ? `[${address.replace(/^\[|\]$/g, '')}]:${port}` : `${address}:${port}`;
}

/** The only one of a list, if it is the only one. */
export function only(answer: Answer<readonly string[]> | undefined): string | undefined {
  return answer?.ok && answer.value.length === 1 ? answer.value[0] : undefined;
}

function ids(value: unknown): readonly string[] {
  return objectsOf({ value }, 'value').map((object) => textOf(object, 'id'));
}

function mapAnswer<T, U>(answer: Answer<T>, map: (value: T) => U): Answer<U> {
  return answer.ok ? { ok: true, value: map(answer.value) } : answer;
}

function reasonIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const reason = memberOf(body, 'reason') ?? memberOf(body, 'message');
    return typeof reason === 'string' ? reason : 'failed';
  } catch {
    return 'failed';
  }
}
