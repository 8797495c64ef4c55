// Calls to a worker as messages: arguments and answers are cloned, signals and progress get their own messages.

/** A worker, a worker's own scope, or a message port. */
export interface Peer {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  readonly transfer?: Transferable[] | undefined;
}

/** The handlers of calls: each method gets the argument of the call. */
export type Methods = Readonly<
  Record<string, (argument: never, options: Required<Pick<CallOptions, 'signal' | 'onProgress'>>) => unknown>
>;

type Message =
  | { readonly call: number; readonly method: string; readonly argument: unknown }
  | { readonly abort: number }
  | { readonly progress: number; readonly done: number; readonly total: number }
  | { readonly answer: number; readonly value: unknown }
  | {
      readonly failure: number;
      readonly error: { readonly name: string; readonly message: string; readonly code: unknown };
    };

/** Errors arrive as the text from `reason`. */
export function serveCalls(peer: Peer, methods: Methods, reason?: (error: unknown) => string): void {
  const running = new Map<number, AbortController>();
  const post = (message: Message): void => peer.postMessage(message);
  peer.addEventListener('message', ({ data }) => {
    const message = data as Message;
    if ('abort' in message) running.get(message.abort)?.abort();
    if (!('call' in message)) return;
    const { call, method, argument } = message;
    const controller = new AbortController();
    running.set(call, controller);
    const onProgress: NonNullable<CallOptions['onProgress']> = ({ done, total }) =>
      post({ progress: call, done, total });
    Promise.resolve()
      .then(() => methods[method]?.(argument as never, { signal: controller.signal, onProgress }))
      .then(
        (value) => post({ answer: call, value }),
        (error: unknown) => post({ failure: call, error: plainError(error, reason) }),
      )
      .finally(() => running.delete(call));
  });
}

function plainError(
  error: unknown,
  reason: (error: unknown) => string = (one) => (one instanceof Error ? one.message : String(one)),
): { name: string; message: string; code: unknown } {
  const { name, code }: { name: string; code?: unknown } = error instanceof Error ? error : new Error();
  return { name, message: reason(error), code };
}

export type Call = (method: string, argument?: unknown, options?: CallOptions) => Promise<unknown>;

export function connectCalls(peer: Peer): Call {
  const waiting = new Map<
    number,
    { resolve(value: unknown): void; reject(error: unknown): void; onProgress: CallOptions['onProgress'] }
  >();
  let last = 0;
  peer.addEventListener('message', ({ data }) => {
    const message = data as Message;
    if ('progress' in message) waiting.get(message.progress)?.onProgress?.(message);
    if ('answer' in message) {
      waiting.get(message.answer)?.resolve(message.value);
      waiting.delete(message.answer);
    }
    if ('failure' in message) {
      const { name, message: text, code } = message.error;
      waiting.get(message.failure)?.reject(Object.assign(new Error(text), { name, code }));
      waiting.delete(message.failure);
    }
  });
  return (method, argument, { signal, onProgress, transfer = [] } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const call = ++last;
      const stop = (): void => {
        waiting.delete(call);
        peer.postMessage({ abort: call } satisfies Message);
        reject(signal?.reason);
      };
      const done =
        (settle: (value: unknown) => void) =>
        (value: unknown): void => {
          signal?.removeEventListener('abort', stop);
          settle(value);
        };
      signal?.addEventListener('abort', stop, { once: true });
      waiting.set(call, { resolve: done(resolve), reject: done(reject), onProgress });
      peer.postMessage({ call, method, argument } satisfies Message, transfer);
    });
}
