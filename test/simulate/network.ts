// A network as simulated processes see it through `fetch`: answers come late, out of order, truncated, wrong or never.
import type { Machine, SimulatedProcess } from './machine.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** A server: its answer at this moment, or none while it is down. */
export type Server = (request: {
  url: URL;
  method: string;
  headers: Headers;
}) => Answer | AsyncIterable<string> | 'unreachable';

export type NetworkFault =
  | 'refused'
  | 'silent'
  | 'lost answer'
  | 'cut off'
  | 'stalls'
  | 'status 500'
  | 'status 503'
  | 'status 429'
  | 'wrong body'
  | 'twice';

const FAULTS: readonly NetworkFault[] = [
  'refused',
  'silent',
  'lost answer',
  'cut off',
  'stalls',
  'status 500',
  'status 503',
  'status 429',
  'wrong body',
  'twice',
];

export class Network {
  readonly #machine: Machine;
  readonly #rate: number;
  readonly #kinds: readonly NetworkFault[];
  faults = 0;
  requests = 0;
  /** Set when faults have to stop. */
  isCalm = false;

  constructor(machine: Machine, kinds: readonly NetworkFault[] = FAULTS) {
    this.#machine = machine;
    this.#kinds = kinds;
    this.#rate = machine.random.pick([0.02, 0.1, 0.3]);
  }

  fetchOf(process: SimulatedProcess, server: Server): (url: string | URL, init?: RequestInit) => Promise<Response> {
    return (given, init = {}) =>
      new Promise((resolve, reject) => {
        const { random } = this.#machine;
        const { signal } = init;
        const url = new URL(given);
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason));
        const fault =
          !this.isCalm && random.chance(this.#rate) ? this.#machine.drawn(random.pick(this.#kinds)) : undefined;
        this.requests++;
        if (fault !== undefined) this.faults++;
        const method = init.method ?? 'GET';
        this.#machine.note(`${process.pid} ${method} ${url}${fault === undefined ? '' : ` !! ${fault}`}`);
        const late = (work: () => void): unknown => this.#machine.setTimer(process, random.next() * 200, work);
        if (fault === 'silent') return;
        if (fault === 'refused') return late(() => reject(unreachable('connect ECONNREFUSED')));
        late(() => {
          const request = { url, method, headers: new Headers(init.headers) };
          const answer = server(request);
          if (fault === 'twice') server(request);
          if (answer === 'unreachable') return reject(unreachable('connect ECONNREFUSED'));
          late(() => {
            if (signal?.aborted) return;
            if (fault === 'lost answer') return reject(unreachable('read ECONNRESET'));
            resolve(this.#response(process, answer, fault, signal ?? undefined));
          });
        });
      });
  }

  #response(
    process: SimulatedProcess,
    answer: Answer | AsyncIterable<string>,
    fault: NetworkFault | undefined,
    signal: AbortSignal | undefined,
  ): Response {
    if (fault?.startsWith('status')) {
      const status = Number(fault.slice(7));
      const headers = status === 429 ? { 'retry-after': '1' } : {};
      return new Response('<html>try again</html>', { status, headers: { 'content-type': 'text/html', ...headers } });
    }
    if (!('status' in answer)) return this.#flowing(process, answer, fault, signal);
    const { status, headers = {}, body = '' } = answer;
    const bytes = new Uint8Array(typeof body === 'string' ? new TextEncoder().encode(body) : body);
    if (fault === 'wrong body')
      return new Response(new Uint8Array(this.#machine.random.bytes(bytes.length)), { status, headers });
    const isBroken = fault === 'cut off' || fault === 'stalls';
    if (!isBroken) return new Response(status === 204 || status === 304 ? null : bytes.slice(), { status, headers });
    const half = bytes.slice(0, this.#machine.random.below(bytes.length + 1));
    return new Response(
      new ReadableStream({
        start: (controller) => {
          if (half.length > 0) controller.enqueue(half);
          if (fault === 'cut off') controller.error(unreachable('other side closed'));
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
      }),
      { status, headers },
    );
  }

  /** An answer that continues until the server ends it, such as a watch. */
  #flowing(
    process: SimulatedProcess,
    lines: AsyncIterable<string>,
    fault: NetworkFault | undefined,
    signal: AbortSignal | undefined,
  ): Response {
    const iterator = lines[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    let left = fault === 'cut off' || fault === 'stalls' ? this.#machine.random.below(4) : Number.POSITIVE_INFINITY;
    return new Response(
      new ReadableStream<Uint8Array>(
        {
          start(controller) {
            signal?.addEventListener('abort', () => {
              controller.error(signal.reason);
              void iterator.return?.();
            });
          },
          pull: async (controller) => {
            if (left-- <= 0) {
              if (fault === 'cut off') controller.error(unreachable('other side closed'));
              // Half open: no more bytes come.
              else await new Promise(() => undefined);
              return;
            }
            const next = await iterator.next();
            if (!process.isAlive) return;
            if (next.done === true) controller.close();
            else controller.enqueue(encoder.encode(fault === 'wrong body' ? '{"type":"ADD' : next.value));
          },
          cancel: () => void iterator.return?.(),
        },
        { highWaterMark: 0 },
      ),
      { status: 200, headers: { 'content-type': 'application/json' } },
    );
  }
}

function unreachable(message: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(message) });
}
