// Six operations that people wait for, measured by their work: bytes read, requests, steps and allocations, and their
// growth. The numbers hold on any machine: an algorithm with n² steps fails here on a fast machine, too.

import { edit, inspect, isOverlay, type LiveImage, openLiveImage, overlay } from '@coreiso/iso';
import { type Fetch, httpSource, rangeResponse } from '@coreiso/iso/http';
import { sampleIso } from '@coreiso/iso/sample';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { openImages, planNodes } from '@coreiso/openshift';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodesConfig, TYPICAL } from '../bench/src/hosts.ts';
import { countingSource } from '../packages/iso/test/support/counting-source.ts';
import { workOf } from './support/work.ts';

const KIB = 1024;
const GIB = 1024 ** 3;

/** The ratios of steps and of allocations of `more` to those of `less`. */
async function growth(less: () => unknown, more: () => unknown): Promise<{ steps: number; allocated: number }> {
  // The first run fills caches.
  await less();
  const [before, after] = [await workOf(less), await workOf(more)];
  expect(before.steps).toBeGreaterThan(1000);
  return { steps: after.steps / before.steps, allocated: after.allocated / before.allocated };
}

function hostsWithoutNetwork(hosts: number): string {
  const text = Array.from({ length: hosts }, (_, n) => {
    const tail = [n >> 8, n & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
    return `- { hostname: worker-${n}, interfaces: [{ name: eno1, macAddress: "52:54:00:00:${tail}" }] }\n`;
  });
  return `hosts:\n${text.join('')}`;
}

/** For four times the input; samples of allocations are less exact than counts. */
function expectLinear({ steps, allocated }: { steps: number; allocated: number }): void {
  expect(steps).toBeLessThan(4.1);
  expect(allocated).toBeLessThan(5.5);
}

describe.each([1, 36])('embedding a config into an image of %d GiB', (gib) => {
  test('reads its beginning, its area and a few sectors, and writes what the archive takes', async () => {
    const source = countingSource(await sampleIso({ size: gib * GIB }));
    const { overlay: edited, summary } = await edit(await openLiveImage(source), {
      ignition: '{"ignition":{"version":"3.4.0"}}',
    });
    expect(source.reads.length).toBeLessThanOrEqual(8);
    expect(source.bytesRead).toBeLessThan((64 + 256 + 8) * KIB);
    expect(edited.patches.map(({ bytes }) => (bytes instanceof Uint8Array ? bytes.length : bytes.size))).toEqual([
      summary.initrd.used,
    ]);
  });
});

describe('a nodes-config of many hosts', () => {
  const read = (hosts: number, network?: string) => {
    const text = nodesConfig(hosts, network);
    return () => parseNodesConfigOrThrow(text);
  };
  // The first hosts fill caches that all others use.
  beforeAll(() => void planNodes(read(2, TYPICAL)()));

  test('with bonds and VLANs is validated in steps proportional to the number of hosts', async () => {
    expectLinear(await growth(read(40, TYPICAL), read(160, TYPICAL)));
  });

  // Without networks, because their work would hide a search through all hosts.
  test('without networks is validated in steps proportional to the number of hosts', async () => {
    const [less, more] = [hostsWithoutNetwork(200), hostsWithoutNetwork(800)];
    expectLinear(
      await growth(
        () => parseNodesConfigOrThrow(less),
        () => parseNodesConfigOrThrow(more),
      ),
    );
  });

  test('is planned in steps proportional to the number of hosts', async () => {
    const [less, more] = [read(200)(), read(800)()];
    expectLinear(
      await growth(
        () => planNodes(less),
        () => planNodes(more),
      ),
    );
  });
});

test('opens and inspects a remote image of 36 GiB with a few small requests', async () => {
  const image = await sampleIso({ size: 36 * GIB });
  const counted = { requests: 0, bytes: 0 };
  const fetch: Fetch = async (url, init) => {
    const response = await rangeResponse(new Request(url, init), image, { etag: '"v1"' });
    counted.requests++;
    counted.bytes += Number(response.headers.get('content-length'));
    return response;
  };
  const source = await httpSource('http://mirror.test/live.iso', { fetch });
  await openLiveImage(source);
  expect(counted).toEqual({ requests: 3, bytes: 60 * KIB });
  await inspect(source);
  expect(counted.requests).toBe(5);
  expect(counted.bytes).toBeLessThan((60 + 256 + 16) * KIB);
});

describe('ranges of an edited image', () => {
  const RANGES = 100;
  const served = (patches: number) => {
    const base = countingSource({ size: GIB, read: async (_, length) => new Uint8Array(length) });
    const bytes = Uint8Array.of(1);
    const image = overlay(
      base,
      Array.from({ length: patches }, (_, index) => ({ offset: index * 128 * KIB, bytes })),
    );
    const serve = async () => {
      for (let index = 0; index < RANGES; index++) {
        const start = (index * 7_368_787) % (GIB - 64 * KIB);
        const headers = { range: `bytes=${start}-${start + 64 * KIB - 1}` };
        await (
          await rangeResponse(new Request('http://site.test/live.iso', { headers }), image, { etag: '"v1"' })
        ).arrayBuffer();
      }
    };
    return { base, serve };
  };

  test('read from the base only the bytes that they send', async () => {
    const { base, serve } = served(10);
    await serve();
    expect(base.bytesRead).toBeLessThanOrEqual(RANGES * 64 * KIB);
    expect(base.bytesRead).toBeGreaterThan(RANGES * 63 * KIB);
  });

  test('take hardly more steps for an image with eight times the patches', async () => {
    const { steps } = await growth(served(100).serve, served(800).serve);
    expect(steps).toBeLessThan(2.2);
  });
});

describe('one image per host', () => {
  let base: LiveImage;
  const images = async (hosts: number) => {
    const plan = planNodes(parseNodesConfigOrThrow(hostsWithoutNetwork(hosts)));
    return async () => {
      const sizes: number[] = [];
      for await (const { outputs } of await openImages(base, plan, { perHost: true })) {
        const [output] = outputs;
        const patches = output !== undefined && isOverlay(output.source) ? output.source.patches : [];
        sizes.push(...patches.map(({ bytes }) => (bytes instanceof Uint8Array ? bytes.length : bytes.size)));
      }
      return sizes;
    };
  };
  beforeAll(async () => {
    base = await openLiveImage(await sampleIso({ size: GIB }));
    await (await images(2))();
  });

  test('is made in steps proportional to the number of hosts, with few bytes per image', async () => {
    expectLinear(await growth(await images(40), await images(160)));
    const sizes = await (await images(40))();
    expect(sizes).toHaveLength(40);
    expect(Math.max(...sizes)).toBeLessThan(16 * KIB);
  });

  test('reads nothing more of the base for more hosts', async () => {
    const counted = countingSource(await sampleIso({ size: GIB }));
    base = await openLiveImage(counted);
    await (await images(2))();
    const before = counted.bytesRead;
    await (await images(20))();
    expect(counted.bytesRead).toBe(before);
  });
});
