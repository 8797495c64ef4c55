// Messages between a page and its worker.
import { connectWorker, type LanguageService, type MessagePeer, serveWorker } from '@coreiso/language';
import { describe, expect, test } from 'vitest';

/** A port that keeps its messages, and receives those that the test sends. */
function aPeer(): MessagePeer & { readonly sent: unknown[]; started: number; receive(data: unknown): Promise<void> } {
  const listeners: ((event: { readonly data: unknown }) => void)[] = [];
  return {
    sent: [],
    started: 0,
    postMessage(message) {
      this.sent.push(structuredClone(message));
    },
    addEventListener(_, listener) {
      listeners.push(listener);
    },
    start() {
      this.started += 1;
    },
    async receive(data) {
      for (const listener of listeners) listener({ data });
      await settled();
    },
  };
}

/** Lets all settled promises continue. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

const serviceOf = (own: Partial<Record<keyof LanguageService, (...values: unknown[]) => unknown>>): LanguageService =>
  own as unknown as LanguageService;

describe('a worker', () => {
  test('answers calls by their number, and ignores other messages', async () => {
    const peer = aPeer();
    serveWorker(peer, serviceOf({ outline: async (uri) => [uri] }));
    expect(peer.started).toBe(1);
    const call = { coreiso: 'call', id: 7, method: 'outline', values: ['a'] };
    for (const other of [null, {}, 'call', { ...call, coreiso: 'called' }, { ...call, method: 'toString' }, { id: 7 }])
      await peer.receive(other);
    await peer.receive({ coreiso: 'abort' });
    await peer.receive({ coreiso: 'abort', id: 7 });
    expect(peer.sent).toEqual([]);
    await peer.receive(call);
    expect(peer.sent).toEqual([{ coreiso: 'answer', id: 7, value: ['a'] }]);
  });

  test.each([
    ['an error', () => Promise.reject(new RangeError('kind')), { name: 'RangeError', message: 'kind' }],
    ['what is thrown at once', () => thrown(new TypeError('uri')), { name: 'TypeError', message: 'uri' }],
    ['what is no error', () => Promise.reject('text'), { name: 'Error', message: 'text' }],
  ])('answers with %s', async (_, close, error) => {
    const peer = aPeer();
    serveWorker(peer, serviceOf({ close }));
    await peer.receive({ coreiso: 'call', id: 1, method: 'close', values: [] });
    expect(peer.sent).toEqual([{ coreiso: 'answer', id: 1, error }]);
  });

  test('passes a signal if the call had one, and aborts it on request', async () => {
    const peer = aPeer();
    const seen: unknown[][] = [];
    let end = (): void => {};
    const findings = (...values: unknown[]): Promise<void> => {
      seen.push(values);
      return new Promise((resolve) => {
        end = resolve;
      });
    };
    serveWorker(peer, serviceOf({ findings }));
    const call = { coreiso: 'call', id: 3, method: 'findings' };
    await peer.receive({ ...call, values: ['a', { depth: 'quick' }, null] });
    expect(seen[0]).toEqual(['a', { depth: 'quick' }, null]);
    end();
    await settled();
    await peer.receive({ ...call, values: ['a', { hasSignal: true }] });
    const options = seen[1]?.[1] as { signal?: AbortSignal } | undefined;
    const signal = options?.signal;
    await peer.receive({ coreiso: 'abort', id: 4 });
    expect(signal?.aborted).toBe(false);
    await peer.receive({ coreiso: 'abort', id: 3 });
    expect(signal?.aborted).toBe(true);
  });
});

describe('a page', () => {
  test('numbers its calls, and matches each answer to its call', async () => {
    const peer = aPeer();
    const service = connectWorker(peer);
    expect(peer.started).toBe(1);
    const [first, second] = [service.outline('a'), service.close('b')];
    expect(peer.sent).toEqual([
      { coreiso: 'call', id: 1, method: 'outline', values: ['a'] },
      { coreiso: 'call', id: 2, method: 'close', values: ['b'] },
    ]);
    for (const other of [
      null,
      {},
      { coreiso: 'answer' },
      { coreiso: 'answer', id: 9, value: 'x' },
      { id: 1, value: 'x' },
    ])
      await peer.receive(other);
    await peer.receive({ coreiso: 'answer', id: 2, error: { name: 'RangeError', message: 'late' } });
    await peer.receive({ coreiso: 'answer', id: 1, value: ['o'] });
    expect(await first).toEqual(['o']);
    await expect(second).rejects.toMatchObject({ name: 'RangeError', message: 'late' });
  });

  test('has all methods of the service', () => {
    expect(Object.keys(connectWorker(aPeer())).sort()).toEqual([
      ...['close', 'complete', 'definition', 'findings', 'fixes', 'hover', 'open', 'outline', 'related'],
    ]);
  });

  test('sends a flag in place of a signal, and a message when the signal aborts', async () => {
    const peer = aPeer();
    const service = connectWorker(peer);
    const controller = new AbortController();
    const asked = service.findings('a', { depth: 'quick', signal: controller.signal });
    expect(peer.sent).toEqual([
      { coreiso: 'call', id: 1, method: 'findings', values: ['a', { depth: 'quick', hasSignal: true }] },
    ]);
    controller.abort(new Error('typed on'));
    await expect(asked).rejects.toThrow('typed on');
    expect(peer.sent.slice(1)).toEqual([{ coreiso: 'abort', id: 1 }]);
    // The late answer.
    await peer.receive({ coreiso: 'answer', id: 1, value: [] });
  });

  test('sends no call with an aborted signal, and cancels no answered call', async () => {
    const peer = aPeer();
    const service = connectWorker(peer);
    await expect(service.findings('a', { signal: AbortSignal.abort(new Error('typed on')) })).rejects.toThrow(
      'typed on',
    );
    expect(peer.sent).toEqual([]);
    const controller = new AbortController();
    const asked = service.findings('a', { signal: controller.signal });
    await peer.receive({ coreiso: 'answer', id: 1, value: [] });
    expect(await asked).toEqual([]);
    controller.abort();
    expect(peer.sent).toHaveLength(1);
    const none = service.findings('a', { signal: undefined });
    await peer.receive({ coreiso: 'answer', id: 2, value: ['x'] });
    expect(await none).toEqual(['x']);
  });
});

function thrown(error: Error): never {
  throw error;
}
