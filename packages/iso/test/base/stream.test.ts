import { fetchStream, parseStream, pickStreamFile } from '@coreiso/iso/base';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

const digest = (letter: string): string => letter.repeat(64);

/** Both forms have this shape: `release` and `formats` per artifact, and files under the names of their parts. */
const METADATA = {
  stream: 'stable',
  metadata: { 'last-modified': '2026-01-01T00:00:00Z' },
  architectures: {
    x86_64: {
      artifacts: {
        metal: {
          release: '42.1',
          formats: {
            iso: { disk: { location: 'https://files.example/x.iso', signature: 's', sha256: digest('a') } },
            pxe: {
              kernel: { location: 'https://files.example/kernel', sha256: digest('b') },
              rootfs: { location: 'https://files.example/rootfs', sha256: digest('c') },
            },
          },
        },
        qemu: {
          release: '42.1',
          formats: { 'qcow2.xz': { disk: { location: 'https://files.example/q', sha256: digest('d') } } },
        },
      },
      images: { aws: { regions: {} } },
    },
    aarch64: {
      artifacts: {
        metal: {
          release: '42.2',
          formats: { iso: { disk: { location: 'http://files.example/a.iso', sha256: digest('E') } } },
        },
      },
    },
  },
};

const CONFIG_MAP = {
  kind: 'ConfigMap',
  metadata: { name: 'coreos-bootimages' },
  data: { releaseVersion: '4.20.3', stream: JSON.stringify({ ...METADATA, stream: 'rhcos-4.20' }) },
};

test.each([
  ['the JSON of a stream', JSON.stringify(METADATA), 'stable'],
  ['the same as an object', METADATA, 'stable'],
  ['the ConfigMap of a cluster', CONFIG_MAP, 'rhcos-4.20'],
  ['the ConfigMap as JSON', JSON.stringify(CONFIG_MAP), 'rhcos-4.20'],
])('%s is read', (_, input, name) => {
  const stream = parseStream(input);
  expect(stream.name).toBe(name);
  expect(stream.files).toHaveLength(5);
  expect(pickStreamFile(stream)).toEqual({
    architecture: 'x86_64',
    artifact: 'metal',
    format: 'iso',
    part: 'disk',
    release: '42.1',
    location: 'https://files.example/x.iso',
    sha256: digest('a'),
  });
  expect(pickStreamFile(stream, { architecture: 'aarch64' }).sha256).toBe(digest('e'));
  expect(pickStreamFile(stream, { format: 'pxe', part: 'rootfs' }).location).toBe('https://files.example/rootfs');
});

test.each([
  [{ architecture: 's390x' }, 'stream stable has no architecture s390x, but x86_64, aarch64'],
  [{ artifact: 'azure' }, 'stream stable has no artifact azure, but metal, qemu'],
  [{ format: 'raw' }, 'stream stable has no format raw, but iso, pxe'],
  [{ format: 'pxe' }, 'stream stable has no part disk, but kernel, rootfs'],
])('names the available files if a stream lacks one: %j', (choice, message) => {
  expect(() => pickStreamFile(parseStream(METADATA), choice)).toThrow(
    expect.objectContaining({ code: 'ISO_NOT_FOUND', message }),
  );
});

test('accepts an empty stream, and a file without the name of its release', () => {
  const empty = parseStream({ stream: 'x', architectures: {} });
  expect(() => pickStreamFile(empty)).toThrow('stream x has no architecture x86_64, but nothing');
  const disk = { location: 'https://a/', sha256: digest('a') };
  const architectures = { x86_64: { artifacts: { metal: { formats: { iso: { disk } } } } } };
  expect(pickStreamFile(parseStream({ stream: 'x', architectures })).release).toBe('');
});

test.each([
  ['without an address', { sha256: digest('a') }, 'it has no address'],
  ['elsewhere', { location: 'file:///etc/passwd', sha256: digest('a') }, 'it has no address'],
  ['without a digest', { location: 'https://a/', sha256: 'abc' }, 'it has no SHA-256 digest'],
  ['of nothing', null, 'it is not an object'],
])('refuses only the affected file of a stream: a file %s', (_, disk, reason) => {
  const live = { location: 'https://files.example/kernel', sha256: digest('b') };
  const formats = { iso: { disk }, pxe: { kernel: live } };
  const stream = parseStream({ stream: 'x', architectures: { x86_64: { artifacts: { metal: { formats } } } } });
  expect(stream.unusable).toEqual({ 'x86_64.metal.iso.disk': reason });
  expect(pickStreamFile(stream, { format: 'pxe', part: 'kernel' })).toMatchObject(live);
  const message = `x86_64.metal.iso.disk of stream x cannot be used: ${reason}`;
  expect(() => pickStreamFile(stream)).toThrow(expect.objectContaining({ code: 'ISO_BAD_STREAM', message }));
});

test("gives the address of a file's signature, if it is valid", () => {
  const disk = { location: 'https://a/x.iso', sha256: digest('a'), signature: 'https://a/x.iso.sig' };
  const architectures = { x86_64: { artifacts: { metal: { formats: { iso: { disk } } } } } };
  expect(pickStreamFile(parseStream({ stream: 'x', architectures })).signature).toBe('https://a/x.iso.sig');
});

describe('several streams in a cluster since OpenShift 4.22:', () => {
  const stream = (name: string, letter: string): object => {
    const disk = { location: `https://files.example/${name}.iso`, sha256: digest(letter) };
    return { stream: name, architectures: { x86_64: { artifacts: { metal: { formats: { iso: { disk } } } } } } };
  };
  const [nine, ten] = [stream('rhel-9.8', 'a'), stream('rhel-10.2', 'b')];
  const both = JSON.stringify({ 'rhel-10': ten, 'rhel-9': nine });
  const configMap = {
    kind: 'ConfigMap',
    data: { releaseVersion: '4.22.1', stream: JSON.stringify(nine), streams: both },
  };

  test.each([
    [undefined, 'rhel-9.8', 'a'],
    ['rhel-9', 'rhel-9.8', 'a'],
    ['rhel-10', 'rhel-10.2', 'b'],
  ])('%s selects one', (osStream, name, letter) => {
    const found = parseStream(configMap, { osStream });
    expect(found).toMatchObject({ name, osStreams: ['rhel-10', 'rhel-9'] });
    expect(pickStreamFile(found).sha256).toBe(digest(letter));
  });

  test('an unknown one is reported with the available ones', () => {
    expect(() => parseStream(configMap, { osStream: 'rhel-11' })).toThrow(
      expect.objectContaining({
        code: 'ISO_NOT_FOUND',
        message: 'the ConfigMap has no OS stream rhel-11, but rhel-10, rhel-9',
      }),
    );
  });

  test('an older ConfigMap and a file have only one', () => {
    const older = { data: { stream: JSON.stringify(nine) } };
    for (const metadata of [older, nine]) {
      expect(parseStream(metadata, { osStream: 'rhel-9' })).toMatchObject({ name: 'rhel-9.8', osStreams: [] });
      expect(() => parseStream(metadata, { osStream: 'rhel-10' })).toThrow(
        expect.objectContaining({
          code: 'ISO_BAD_STREAM',
          message: 'this is the metadata of stream rhel-9.8, not of rhel-10: take the one of rhel-10',
        }),
      );
    }
    // Older streams are named after the product.
    expect(parseStream({ stream: 'rhcos-4.18', architectures: {} }, { osStream: 'rhel-9' }).name).toBe('rhcos-4.18');
  });
});

describe('is refused:', () => {
  test.each<[string, string | object, RegExp]>([
    ['no JSON', '<html>', /not a JSON object/],
    ['a list', '[]', /not a JSON object/],
    ['nothing', 'null', /not a JSON object/],
    ['another object', { kind: 'Pod' }, /no members stream and architectures/],
    ['an empty ConfigMap', { data: {} }, /no text data\.stream/],
    ['a ConfigMap in a ConfigMap', { data: { stream: '{"data":{}}' } }, /is not stream metadata/],
    ['a list where an object should be', { stream: 'x', architectures: { x86_64: { artifacts: [] } } }, /is not one/],
    ['a ConfigMap of streams that are none', { data: { stream: '{}', streams: '[]' } }, /not a JSON object/],
  ])('%s', (_, input, message) => {
    expect(() => parseStream(input)).toThrow(
      expect.objectContaining({ code: 'ISO_BAD_STREAM', message: expect.stringMatching(message) }),
    );
  });
});

describe('a stream on a server', () => {
  const answering = (...answers: Response[]) => {
    const asked: string[] = [];
    const accepted: (string | null)[] = [];
    const fetch = async (url: string, { headers }: RequestInit): Promise<Response> => {
      asked.push(url);
      accepted.push(new Headers(headers).get('accept'));
      return answers.shift() ?? new Response(null, { status: 404 });
    };
    return { asked, accepted, fetch };
  };

  test('is found by its name, with retries if the server is unavailable', async () => {
    const busy = new Response(null, { status: 503, headers: { 'retry-after': '0' } });
    const { asked, accepted, fetch } = answering(busy, Response.json(METADATA));
    expect((await fetchStream('stable', { fetch })).files).toHaveLength(5);
    expect(asked[1]).toBe('https://builds.coreos.fedoraproject.org/streams/stable.json');
    expect(accepted).toEqual(['application/json', 'application/json']);
  });

  test('is found at the given address', async () => {
    const { asked, fetch } = answering(Response.json({ ...METADATA, stream: 'next' }), Response.json(METADATA));
    await fetchStream('next', { fetch, baseUrl: 'https://mirror.example/streams' });
    await fetchStream('https://mirror.example/rhcos.json', { fetch });
    expect(asked).toEqual(['https://mirror.example/streams/next.json', 'https://mirror.example/rhcos.json']);
  });

  test('is refused if it has the metadata of another stream', async () => {
    const { fetch } = answering(Response.json(METADATA));
    await expect(fetchStream('testing', { fetch })).rejects.toMatchObject({
      code: 'ISO_BAD_STREAM',
      message: 'this is the metadata of stream stable, not of testing: to use it, give its address instead of its name',
    });
  });

  test('is reported with its address if it is missing', async () => {
    const cancel = vi.fn();
    const { fetch } = answering(new Response(new ReadableStream({ cancel }), { status: 404 }));
    await expect(fetchStream('nightly', { fetch })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: expect.stringMatching(/streams\/nightly\.json: the server answered 404/),
    });
    expect(cancel).toHaveBeenCalled();
  });

  test('is not read beyond the limit', async () => {
    const cancel = vi.fn();
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
      cancel,
    });
    const { fetch } = answering(new Response(endless));
    await expect(fetchStream('stable', { fetch })).rejects.toMatchObject({ code: 'ISO_LIMIT' });
    expect(cancel).toHaveBeenCalled();
  });

  test('may have 32 MiB', async () => {
    const text = (length: number): string => JSON.stringify(METADATA).padEnd(length);
    const { fetch } = answering(new Response(text(2 ** 25)), new Response(text(2 ** 25 + 1)));
    expect((await fetchStream('stable', { fetch })).files).toHaveLength(5);
    await expect(fetchStream('stable', { fetch })).rejects.toMatchObject({ code: 'ISO_LIMIT' });
  });

  test('is refused if it is empty', async () => {
    const { fetch } = answering(new Response(null));
    await expect(fetchStream('stable', { fetch })).rejects.toMatchObject({
      code: 'ISO_BAD_STREAM',
      cause: expect.any(SyntaxError),
    });
  });

  test('may arrive slowly', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const left = JSON.stringify(METADATA).match(/.{1,200}/g) ?? [];
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(next));
    };
    const { fetch } = answering(new Response(new ReadableStream({ pull }, { highWaterMark: 0 })));
    const time = 20_000 * (left.length + 1);
    const reading = fetchStream('stable', { fetch, retries: 0 });
    await vi.advanceTimersByTimeAsync(time);
    expect((await reading).files).toHaveLength(5);
  });

  test.each<[string, () => Promise<Response>]>([
    ['does not answer', () => new Promise(() => undefined)],
    ['stops in its answer', async () => new Response(new ReadableStream())],
  ])('that %s is aborted, even if the request continues', async (_, fetch) => {
    await expect(fetchStream('stable', { fetch, retries: 0, timeout: 50 })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
      message: expect.stringMatching(/nothing came for 0\.05 s/),
    });
  });

  test('is not requested by a path', async () => {
    await expect(fetchStream('../etc')).rejects.toThrow(RangeError);
  });
});
