// The service on a node that booted from the cluster's own add-nodes image, or on the rendezvous host of a new cluster.
import { checkArgument } from '@coreiso/peers/arguments';
import { within } from '../clock.ts';
import { isObject, type KubeObject, memberOf, textOf } from '../objects.ts';
import { bytesUpTo, type Fetch, fitsHeader, redirectTarget, TooLongError, textUpTo } from '../reader/answer.ts';

/** Port of the service on a host. */
const SERVICE_PORT = 8090;

/** An answer of the service, or the reason for its absence. */
export type Observation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly status?: number };

/** The result of one poll of the service. Lists that were not read are absent. */
export interface ServiceObservation {
  /** The list of infra-envs, or why it could not be read; shows whether the service runs and accepts the token. */
  readonly infraEnvs: Observation<readonly string[]>;
  readonly clusters?: Observation<readonly string[]>;
  readonly cluster?: Observation<KubeObject>;
  readonly events?: Observation<readonly KubeObject[]>;
}

/** Ids of the cluster and infra-env of the service, as soon as there is exactly one of each. */
export interface ServiceIdentity {
  readonly clusterId?: string;
  readonly infraEnvId?: string;
}

/** Address and token of the assisted service. */
export interface ServiceOptions {
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** The watcher token. Secret. */
  readonly token: string;
  /** Timeout of each answer in milliseconds (default: 10 s). */
  readonly timeout?: number | undefined;
  /** Maximum bytes of an answer after decompression (default: 16 MiB). Logs may be longer. */
  readonly maxAnswerBytes?: number | undefined;
}

const ANSWER_TIMEOUT = 10_000;
/** Logs are packed on the host before the first byte is sent. */
const LOGS_TIMEOUT = 10 * 60_000;
/** A cluster has about 100 KiB per host; all events of an installation have a few MiB. Many hosts are polled at once. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** A refusal has a sentence or two. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** The archive is kept in memory; each host adds about 10 MiB. */
const MAX_LOGS_BYTES = 512 * 1024 * 1024;

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
  readonly #maxBytes: number;

  constructor(address: string, options: ServiceOptions) {
    checkArgument('address', address, 'text');
    checkArgument('options', options, 'object');
    checkArgument('options.token', options.token, 'text');
    const { fetch, token, timeout = ANSWER_TIMEOUT, maxAnswerBytes = MAX_ANSWER_BYTES } = options;
    this.#base = `http://${authority(address)}/api/assisted-install`;
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#token = token;
    this.#timeout = timeout;
    this.#maxBytes = maxAnswerBytes;
  }

  /** Reads all resources once; throws only if the signal aborts. */
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
      objectIn,
    );
    const filter = infraEnvId === undefined ? '' : `?infra_env_id=${encodeURIComponent(infraEnvId)}`;
    const events = mapAnswer(await this.#get(`/v2/events${filter}`, '/v2/events', signal), objectsIn);
    return { infraEnvs, ...(clusters && { clusters }), cluster, events };
  }

  /** The logs of all hosts as one archive (tar). They need the user token of the image; the watcher token is not enough. Secret. */
  async logs(clusterId: string, userToken: string, signal?: AbortSignal): Promise<Observation<Uint8Array>> {
    const path = `/v2/clusters/${encodeURIComponent(clusterId)}/logs`;
    const init = { headers: { authorization: userToken }, pattern: '/v2/clusters/{cluster_id}/logs' };
    return await this.#ask(path, { ...init, timeout: LOGS_TIMEOUT, signal }, (response) =>
      bytesUpTo(response, MAX_LOGS_BYTES),
    );
  }

  #get(path: string, pattern: string, signal: AbortSignal | undefined): Promise<Observation<unknown>> {
    const headers: Record<string, string> = this.#token === '' ? {} : { 'watcher-authorization': this.#token };
    return this.#ask(path, { headers, pattern, timeout: this.#timeout, signal }, async (response) =>
      parseAnswer((await textUpTo(response, this.#maxBytes)).text),
    );
  }

  async #ask<T>(
    path: string,
    { headers, pattern, timeout, signal }: Question,
    read: (response: Response) => Promise<T>,
  ): Promise<Observation<T>> {
    if (!Object.values(headers).every(fitsHeader)) return { ok: false, reason: UNFIT_TOKEN };
    try {
      return await within(timeout, signal, async (stop) => {
        const url = `${this.#base}${path}`;
        const response = await this.#fetch(url, { headers, redirect: 'manual', signal: stop });
        const { status } = response;
        const target = redirectTarget(response, url);
        if (target !== undefined) {
          await response.body?.cancel();
          return { ok: false, status, reason: `[GET ${pattern}][${status}] ${redirected(target)}` };
        }
        if (response.ok) return { ok: true, value: await read(response) };
        return { ok: false, status, reason: `[GET ${pattern}][${status}] ${await reasonIn(response)}` };
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TooLongError) return { ok: false, reason: `[GET ${pattern}] ${tooLong(error)}` };
      return { ok: false, reason: networkReason(error) };
    }
  }
}

interface Question {
  readonly headers: Record<string, string>;
  /** The path as messages write it. */
  readonly pattern: string;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** Why a token cannot be sent at all; runtimes would quote it in their message. */
export const UNFIT_TOKEN = 'the token has characters that are invalid in a header';

/** Why an answer is not accepted: tokens go only to the host that they were made for. */
export function redirected(target: string): string {
  return `it redirects to ${target}, where the token is not sent`;
}

function tooLong({ message }: TooLongError): string {
  return `${message}; if the cluster is that large, set maxAnswerBytes (COREISO_MAX_ANSWER on the command line)`;
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('its answer is not JSON');
  }
}

/** The cause of an error of `fetch`. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** An address with its port, as a URL has it; an explicit port stays. */
export function authority(address: string, port: number = SERVICE_PORT): string {
  if (/^\[.*\]:\d+$/.test(address) || /^[^:]+:\d+$/.test(address)) return address;
  return address.includes(':') ? `[${address.replace(/^\[|\]$/g, '')}]:${port}` : `${address}:${port}`;
}

/** The only item of a list, if there is exactly one. */
export function only(answer: Observation<readonly string[]> | undefined): string | undefined {
  return answer?.ok && answer.value.length === 1 ? answer.value[0] : undefined;
}

function ids(value: unknown): readonly string[] | undefined {
  return objectsIn(value)?.map((object) => textOf(object, 'id'));
}

/** The objects of a list; the service's own clients treat no list as an empty one, and other values are invalid. */
function objectsIn(value: unknown): readonly KubeObject[] | undefined {
  if (value === null) return [];
  return Array.isArray(value) && value.every((one) => one === null || isObject(one))
    ? value.filter(isObject)
    : undefined;
}

function objectIn(value: unknown): KubeObject | undefined {
  if (value === null) return {};
  return isObject(value) ? value : undefined;
}

/** The value of an answer; a failure if it has an unexpected form. */
function mapAnswer<T>(answer: Observation<unknown>, map: (value: unknown) => T | undefined): Observation<T> {
  if (!answer.ok) return answer;
  const value = map(answer.value);
  return value === undefined ? { ok: false, reason: 'its answer has an unexpected form' } : { ok: true, value };
}

async function reasonIn(response: Response): Promise<string> {
  try {
    const body: unknown = JSON.parse((await textUpTo(response, MAX_REFUSAL_BYTES)).text);
    const reason = memberOf(body, 'reason') ?? memberOf(body, 'message');
    return typeof reason === 'string' ? reason : 'failed';
  } catch {
    return 'failed';
  }
}
