// Recorded stories as ports: a clock that jumps, an API and services that answer by the current state.

import { canonicalAddress } from '@coreiso/peers/ip';
import type { Clock } from '../../src/clock.ts';
import { ClusterError } from '../../src/errors.ts';
import type { KubeObject } from '../../src/objects.ts';
import type { ClusterReader, ObjectList, WatchEvent } from '../../src/reader/port.ts';

export interface Story {
  readonly about: string;
  readonly command: readonly string[];
  readonly reverseDns?: Readonly<Record<string, readonly string[]>>;
  readonly timeline: readonly State[];
  /** None if the program ends before it prints anything. */
  readonly lines?: readonly RecordedLine[];
  readonly result: {
    readonly outcome: string;
    readonly exitCode?: number;
    readonly seconds?: number;
    readonly text?: string;
  };
  readonly debugLinesOmitted?: boolean;
}

interface RecordedLine {
  readonly at: number;
  readonly node?: string;
  readonly level: string;
  readonly message: string;
  readonly queuedAs?: string;
}

export interface State {
  readonly at: number;
  readonly kube: KubeState;
  readonly hosts: Readonly<Record<string, HostState>>;
}

interface ApiFailure {
  /** None if there is no answer. */
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

interface KubeState {
  readonly up?: boolean;
  readonly nodes?: readonly KubeObject[];
  readonly nodesError?: ApiFailure;
  readonly csrs?: readonly KubeObject[];
  readonly csrsError?: ApiFailure;
  readonly authSecret?: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

interface HostState {
  readonly service?: ServiceState | null;
  readonly kubelet?: string;
  readonly ssh?: string;
}

interface ServiceState {
  readonly infraEnvs?: readonly KubeObject[];
  readonly clusters?: readonly KubeObject[];
  readonly cluster?: KubeObject;
  readonly events?: readonly KubeObject[];
  readonly acceptsToken?: string;
  readonly fail?: Readonly<Record<string, { readonly code: number; readonly body: unknown }>>;
}

/** Messages of Go's network code, decoders and clients are not worth copying: only the beginning of such lines counts. */
const OPEN_ENDED = [
  /^(Node \S+: )?kubelet http (err: |status code: )/,
  /^(Node \S+: )?Error getting node list /,
  /^(Node \S+: )?Error calling listCSRs\(\): /,
  /^.*unable to verify validations: /,
  /^.*Unable to retrieve .* from (the )?Agent Rest API: (?!no clusterID known)/,
  /^.*listing ClusterOperator objects: /,
  /^Failed to connect to the Rendezvous Host on port 22: /,
];

/** The part of a line that counts. */
export function contractOf(message: string): string {
  return OPEN_ENDED.map((pattern) => pattern.exec(message)?.[0]).find((match) => match !== undefined) ?? message;
}

/** Time that advances only during sleeps. */
export class StoryClock implements Clock {
  #now: number;

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#now += milliseconds;
  }
}

/** The state at a time. */
export function stateAt(timeline: readonly State[], seconds: number): State {
  const state = timeline.filter(({ at }) => at <= seconds).at(-1) ?? timeline[0];
  if (state === undefined) throw new Error('the story has no state');
  // Members that a state leaves out are empty.
  return { ...state, kube: state.kube ?? {}, hosts: state.hosts ?? {} };
}

/** The state of a host, in any spelling of its address. */
export function hostAt({ hosts }: State, address: string): HostState | undefined {
  const canonical = canonicalAddress(address);
  return hosts[address] ?? Object.entries(hosts).find(([written]) => canonicalAddress(written) === canonical)?.[1];
}

const CODES = { 401: 'CLUSTER_UNAUTHORIZED', 403: 'CLUSTER_FORBIDDEN', 404: 'CLUSTER_NOT_FOUND' } as const;

export function apiError(failure: ApiFailure): ClusterError {
  const { code, message = '' } = failure;
  if (code === undefined) return new ClusterError('CLUSTER_UNREACHABLE', message);
  return new ClusterError(CODES[code as keyof typeof CODES] ?? 'CLUSTER_API', message, { status: code });
}

/** An API without objects; stories answer some of its paths. */
export abstract class StoryReader implements ClusterReader {
  abstract answer(path: string): KubeObject | readonly KubeObject[] | undefined;

  async get(path: string): Promise<KubeObject> {
    const found = this.answer(path);
    if (found === undefined || Array.isArray(found)) throw notFound(path);
    return found as KubeObject;
  }

  async list(path: string): Promise<ObjectList> {
    const found = this.answer(path);
    if (!Array.isArray(found)) throw notFound(path);
    return { items: found, resourceVersion: '1' };
  }

  // biome-ignore lint/correctness/useYield: no story of this kind watches.
  async *watch(): AsyncGenerator<WatchEvent> {
    throw new Error('this story has no watch');
  }
}

/** In the API's words: the plural with its group, and the name in quotes. */
function notFound(path: string): ClusterError {
  const parts = path.split('/').filter((part) => part !== '');
  const group = parts[0] === 'apis' ? `.${parts[1]}` : '';
  const resource = parts.slice(parts[0] === 'apis' ? 3 : 2);
  const [plural = '', name = ''] = resource[0] === 'namespaces' && resource.length > 2 ? resource.slice(2) : resource;
  return new ClusterError('CLUSTER_NOT_FOUND', `${plural}${group} "${name}" not found`, { status: 404 });
}

/** The service of each host over a `fetch` of our own. */
export function storyFetch(state: () => State): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const { hostname, pathname, searchParams } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    const { service } = hostAt(state(), host) ?? {};
    if (service === null || service === undefined)
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const path = pathname.replace(/^\/api\/assisted-install/, '');
    const token = new Headers(init.headers).get('watcher-authorization') ?? '';
    if (service.acceptsToken !== undefined && service.acceptsToken !== token) {
      return Response.json({ code: 401, message: 'the token has expired' }, { status: 401 });
    }
    const failure = Object.entries(service.fail ?? {}).find(([failing]) => path === failing)?.[1];
    if (failure !== undefined) {
      const { code, body } = failure;
      return typeof body === 'string'
        ? new Response(body, { status: code, headers: { 'content-type': 'text/html' } })
        : Response.json(body, { status: code });
    }
    if (path === '/v2/infra-envs') return Response.json(service.infraEnvs ?? []);
    if (path === '/v2/clusters') return Response.json(service.clusters ?? []);
    if (path === '/v2/events') return Response.json(filtered(service.events ?? [], searchParams.get('infra_env_id')));
    if (service.cluster !== undefined && path === `/v2/clusters/${service.cluster['id']}`)
      return Response.json(service.cluster);
    return Response.json({ code: '404', reason: `${path} not found` }, { status: 404 });
  };
}

function filtered(events: readonly KubeObject[], infraEnv: string | null): readonly KubeObject[] {
  return events.filter(
    (event) => infraEnv === null || event['infra_env_id'] === undefined || event['infra_env_id'] === infraEnv,
  );
}
