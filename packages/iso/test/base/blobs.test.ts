// Blobs that arrive in pieces, restart from the beginning, arrive slowly, or break off.
import { type Release, readRelease } from '@coreiso/iso/base';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { noise } from '../http/servers.ts';
import { FakeRegistry } from './fake-registry.ts';

const PATH = 'coreos/coreos-x86_64.iso';
const ISO = noise(300_000);

/** A registry with a live image in a plain layer. */
class Layered extends FakeRegistry {
  name = '';
  layer = new Uint8Array();
  /** The requested ranges of the layer. */
  readonly ranges: (string | null)[] = [];
  /** The answers to requests for the layer, in order; later requests are answered as usual. */
  readonly answers: ((start: number) => Response)[] = [];

  static async of(iso = ISO): Promise<Layered> {
    const registry = new Layered();
    const art = await registry.add([{ [PATH]: iso }], (tar) => tar);
    const [digest = '', layer = new Uint8Array()] = [...registry.blobs][0] ?? [];
    registry.layer = new Uint8Array(layer);
    registry.name = `quay.example/ocp/release@${await registry.addRelease(`quay.example/ocp/art@${art}`)}`;
    registry.instead = ({ pathname }, init) => {
      if (!pathname.endsWith(`/blobs/${digest}`)) return undefined;
      const range = new Headers(init.headers).get('range');
      registry.ranges.push(range);
      return registry.answers.shift()?.(Number(/\d+/.exec(range ?? '0')?.[0]));
    };
    return registry;
  }

  release(options: { timeout?: number; retries?: number } = {}): Promise<Release> {
    return readRelease(this.name, { fetch: this.fetch, retries: 1, ...options });
  }

  async iso(options: { retries?: number } = {}): Promise<AsyncIterable<Uint8Array>> {
    return (await (await this.release(options)).liveIso()).bytes;
  }
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

/** An answer that sends some pieces, and then ends or breaks. */
function pieces(status: number, parts: readonly Uint8Array[], then: 'ends' | 'breaks', length?: number): Response {
  const left = [...parts];
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const next = left.shift();
    if (next !== undefined) controller.enqueue(next);
    else if (then === 'ends') controller.close();
    else controller.error(new TypeError('terminated'));
  };
  const headers: HeadersInit = length === undefined ? {} : { 'content-length': String(length) };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status, headers });
}

let registry: Layered;
beforeEach(async () => {
  registry = await Layered.of();
  // No pause before the next attempt.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

describe('a blob that breaks off', () => {
  const cut = 100_000;
  const beginning = (then: 'ends' | 'breaks', length?: number): Response =>
    pieces(200, [registry.layer.subarray(0, cut)], then, length);

  test.each<[string, (() => Response)[]]>([
    ['in the middle', [() => beginning('breaks')]],
    ['before the length that it was to have', [() => beginning('ends', registry.layer.length)]],
    [
      'at a server that begins anew',
      [
        () => beginning('breaks'),
        () => {
          const parts = [0, 40_000, 99_999, 130_000].map((at, index, all) =>
            registry.layer.subarray(at, all[index + 1]),
          );
          return pieces(200, parts, 'ends', registry.layer.length);
        },
      ],
    ],
  ])('%s is continued', async (_, answers) => {
    registry.answers.push(...answers);
    expect(Buffer.compare(await bytesOf(await registry.iso()), ISO)).toBe(0);
    expect(registry.ranges).toEqual([null, `bytes=${cut}-`]);
  });

  test('after its last byte is complete, also according to the server', async () => {
    registry.answers.push(
      () => pieces(200, [registry.layer], 'breaks'),
      () => new Response(null, { status: 416 }),
    );
    expect(Buffer.compare(await bytesOf(await registry.iso()), ISO)).toBe(0);
    expect(registry.ranges).toEqual([null, `bytes=${registry.layer.length}-`]);
  });

  test('repeatedly is retried as long as it makes progress', async () => {
    const step = 20_000;
    for (let count = 0; count < 10; count++) {
      registry.answers.push((start) =>
        pieces(count === 0 ? 200 : 206, [registry.layer.subarray(start, start + step)], 'breaks'),
      );
    }
    expect(Buffer.compare(await bytesOf(await registry.iso({ retries: 1 })), ISO)).toBe(0);
    expect(registry.ranges).toEqual([
      null,
      ...Array.from({ length: 10 }, (_, index) => `bytes=${(index + 1) * step}-`),
    ]);
  });

  test('before its first byte is requested from the beginning', async () => {
    registry.answers.push(() => pieces(200, [], 'breaks'));
    expect(Buffer.compare(await bytesOf(await registry.iso()), ISO)).toBe(0);
    expect(registry.ranges).toEqual([null, null]);
  });
});

test('a registry that refuses a range from the start of a blob does not have the blob', async () => {
  registry.answers.push(() => new Response(null, { status: 416 }));
  await expect(registry.iso()).rejects.toMatchObject({
    code: 'ISO_REMOTE',
    message: expect.stringMatching(/\(416\)$/),
  });
});

test('a blob may come without its length', async () => {
  registry.answers.push(() => pieces(200, [registry.layer], 'ends'));
  expect(Buffer.compare(await bytesOf(await registry.iso({ retries: 0 })), ISO)).toBe(0);
});

test('a blob may come slowly, but must not stand still', async () => {
  const release = await registry.release({ timeout: 30_000, retries: 0 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const parts = Array.from({ length: 8 }, (_, index) => registry.layer.subarray(index * 40_000, (index + 1) * 40_000));
  const slowly = (count: number): Response => {
    let given = 0;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      const next = parts[given++];
      if (next === undefined) controller.close();
      else if (given <= count) controller.enqueue(next);
      else await new Promise(() => undefined);
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  };
  registry.answers.push(() => slowly(8));
  const read = async (): Promise<Uint8Array> => bytesOf((await release.liveIso()).bytes);
  const whole = read();
  await vi.advanceTimersByTimeAsync(9 * 20_000);
  expect(Buffer.compare(await whole, ISO)).toBe(0);
  registry.answers.push(() => slowly(3));
  const failure = expect(read()).rejects.toMatchObject({
    code: 'ISO_REMOTE',
    message: expect.stringMatching(/nothing came for 30 s$/),
  });
  await vi.advanceTimersByTimeAsync(3 * 20_000 + 30_000);
  await failure;
});

test.each(['gives more', 'stands still'])(
  'a reader that leaves frees the connection to a server that %s',
  async (what) => {
    const left = vi.fn();
    let position = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void | Promise<void> => {
      if (position === 200_000 && what === 'stands still') return new Promise(() => undefined);
      controller.enqueue(registry.layer.subarray(position, position + 50_000));
      position += 50_000;
    };
    registry.answers.push(() => new Response(new ReadableStream({ pull, cancel: left }, { highWaterMark: 0 })));
    for await (const _ of await registry.iso()) break;
    await vi.waitFor(() => expect(left).toHaveBeenCalled(), 60_000);
    expect(position).toBeLessThanOrEqual(250_000);
    expect(registry.ranges).toEqual([null]);
  },
);

test('a failure is reported only to the reader', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const wrong = registry.layer.slice();
  wrong.set([(wrong[200_000] ?? 0) ^ 1], 200_000);
  registry.answers.push(() => new Response(wrong));
  await expect(registry.iso().then(bytesOf)).rejects.toMatchObject({ code: 'ISO_WRONG_DIGEST' });
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
});

describe('a blob with a size other than in its manifest', () => {
  test('is read only up to the size in the manifest', async () => {
    const more = noise(4 << 20);
    let sent = 0;
    registry.answers.push(() => {
      const parts = [
        registry.layer,
        ...Array.from({ length: 64 }, (_, index) => more.subarray(index << 16, (index + 1) << 16)),
      ];
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        const next = parts.shift();
        sent += next?.length ?? 0;
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status: 200 });
    });
    await expect(registry.iso({ retries: 0 }).then(bytesOf)).rejects.toMatchObject({
      code: 'ISO_WRONG_DIGEST',
      message: expect.stringContaining(`sends more than the ${registry.layer.length} bytes that the manifest says`),
    });
    expect(sent).toBeLessThanOrEqual(registry.layer.length + (2 << 16));
  });

  test.each([
    ['says how long it is', 100_000, []],
    ['says so when it is asked for the rest', undefined, [(): Response => new Response(null, { status: 416 })]],
    ['gives nothing more', undefined, [(): Response => pieces(206, [], 'ends', 0)]],
  ])('is refused if it ends too early: the registry %s', async (_, length, answers) => {
    registry.answers.push(() => pieces(200, [registry.layer.subarray(0, 100_000)], 'ends', length), ...answers);
    await expect(registry.iso({ retries: 1 }).then(bytesOf)).rejects.toMatchObject({
      code: 'ISO_WRONG_DIGEST',
      message: expect.stringContaining('has 100000 of the'),
    });
  });
});
