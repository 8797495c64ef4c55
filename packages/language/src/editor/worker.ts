// The service in a worker: calls go there as messages, so a page stays responsive during long checks.
import { checkArgument } from '@coreiso/peers/arguments';
import type { LanguageService } from './service.ts';

/** A worker, or a worker's own global scope, or a message port. */
export interface MessagePeer {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  start?(): void;
}

const METHODS = [
  'open',
  'close',
  'related',
  'findings',
  'fixes',
  'complete',
  'hover',
  'outline',
  'definition',
] as const;

interface Call {
  readonly coreiso: 'call';
  readonly id: number;
  readonly method: (typeof METHODS)[number];
  readonly values: readonly unknown[];
}

interface Answer {
  readonly coreiso: 'answer';
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/**
 * Answers the calls of `connectWorker` on the other side.
 *
 * @example serveWorker(self, new Workspace())
 */
export function serveWorker(peer: MessagePeer, service: LanguageService): void {
  checkArgument('peer', peer, 'object');
  checkArgument('service', service, 'object');
  const running = new Map<number, AbortController>();
  peer.addEventListener('message', ({ data }) => {
    const message = data as Partial<Call> | { readonly coreiso: 'abort'; readonly id: number } | null;
    if (message?.coreiso === 'abort' && message.id !== undefined) running.get(message.id)?.abort();
    if (message?.coreiso !== 'call' || !METHODS.some((name) => name === message.method)) return;
    const { id, method, values } = message as Call;
    const controller = new AbortController();
    running.set(id, controller);
    const { signal } = controller;
    const given = values.map((value) => (isOptions(value) ? { ...value, signal } : value));
    const call = service[method] as (...values: unknown[]) => Promise<unknown>;
    Promise.resolve()
      .then(() => call.apply(service, given))
      .then(
        (value) => peer.postMessage({ coreiso: 'answer', id, value } satisfies Answer),
        (error: unknown) => {
          const { name, message: text } = error instanceof Error ? error : new Error(String(error));
          peer.postMessage({ coreiso: 'answer', id, error: { name, message: text } } satisfies Answer);
        },
      )
      .finally(() => running.delete(id));
  });
  peer.start?.();
}

/**
 * The language service of a worker. Signals are passed on, and late answers are dropped.
 *
 * @example const service = connectWorker(new Worker(new URL('worker.js', import.meta.url), { type: 'module' }))
 */
export function connectWorker(peer: MessagePeer): LanguageService {
  checkArgument('peer', peer, 'object');
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let last = 0;
  peer.addEventListener('message', ({ data }) => {
    const answer = data as Partial<Answer> | null;
    if (answer?.coreiso !== 'answer' || answer.id === undefined) return;
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) asked?.resolve(answer.value);
    else asked?.reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }));
  });
  peer.start?.();
  const call = (method: Call['method'], values: readonly unknown[], signal?: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const id = ++last;
      const stop = (): void => {
        waiting.delete(id);
        peer.postMessage({ coreiso: 'abort', id });
        reject(signal?.reason);
      };
      const done =
        (settle: (value: unknown) => void) =>
        (value: unknown): void => {
          signal?.removeEventListener('abort', stop);
          settle(value);
        };
      signal?.addEventListener('abort', stop, { once: true });
      waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      // A signal cannot be sent as a message.
      peer.postMessage({ coreiso: 'call', id, method, values: values.map(withoutSignal) } satisfies Call);
    });
  const methods = METHODS.map((method) => [method, (...values: unknown[]) => call(method, values, signalOf(values))]);
  return Object.fromEntries(methods) as unknown as LanguageService;
}

/** Whether a value is an options object that had a signal on the other side. */
function isOptions(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'hasSignal' in value;
}

function withoutSignal(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('signal' in value)) return value;
  const { signal: _, ...rest } = value;
  return { ...rest, hasSignal: true };
}

function signalOf(values: readonly unknown[]): AbortSignal | undefined {
  const last = values.at(-1);
  return typeof last === 'object' && last !== null && 'signal' in last
    ? (last.signal as AbortSignal | undefined)
    : undefined;
}
