import { edit, inspect, openLiveImage } from '@coreiso/iso';
import { type Fetch, httpSource, rangeResponse } from '@coreiso/iso/http';
import { sampleIso } from '@coreiso/iso/sample';
import type { Bench, Limits } from '../frame.ts';
import { fullImage } from '../images.ts';
import { serveNginx, serveOurs } from '../servers.ts';
import { servingBenches } from '../serving.ts';

const GIB = 1024 ** 3;

/** The cost of work on a remote image of a size. */
async function cost(gib: number, work: (url: string, fetch: Fetch) => Promise<unknown>) {
  const image = await sampleIso({ size: gib * GIB });
  const counted = { requests: 0, bytes: 0 };
  const fetch: Fetch = async (url, init) => {
    const response = await rangeResponse(new Request(url, init), image, { etag: '"v1"' });
    counted.requests++;
    counted.bytes += Number(response.headers.get('content-length'));
    return response;
  };
  await work('http://mirror.example/live.iso', fetch);
  return counted;
}

const open = async (url: string, fetch: Fetch) => openLiveImage(await httpSource(url, { fetch }));

const look = async (url: string, fetch: Fetch) => inspect(await httpSource(url, { fetch }));

/** Opens, inspects and edits: reads the area in addition to opening. */
async function customize(url: string, fetch: Fetch): Promise<void> {
  const source = await httpSource(url, { fetch });
  await inspect(source);
  const image = await openLiveImage(source);
  const ignition = new TextEncoder().encode('{"ignition":{"version":"3.4.0"}}');
  await edit(image, { ignition, kargs: { append: ['console=ttyS0'] } });
}

function remote(
  name: string,
  about: string,
  unit: Bench['unit'],
  limit: number,
  measure: (gib: number) => Promise<number>,
): Bench {
  return {
    name,
    about: `${about} of 36 GiB, against one of 1 GiB`,
    unit,
    limits: { ratio: 1, ours: limit },
    setUp: async () => ({ ours: () => measure(36), peer: () => measure(1) }),
  };
}

const remotes = [
  remote(
    'remote-requests',
    'requests to open a remote image',
    'requests',
    2,
    async (gib) => (await cost(gib, open)).requests,
  ),
  remote(
    'remote-open',
    'what is fetched to open a remote image',
    'KB',
    65.6,
    async (gib) => (await cost(gib, open)).bytes / 1000,
  ),
  remote(
    'remote-inspect-requests',
    'requests to inspect a remote image, its area with it,',
    'requests',
    5,
    async (gib) => (await cost(gib, look)).requests,
  ),
  remote('remote-inspect', 'what is fetched to inspect one, its area with it,', 'KB', 330, async (gib) => {
    return (await cost(gib, look)).bytes / 1000;
  }),
  remote('remote-edit', 'what is fetched to open, inspect and customise one', 'KB', 393.2, async (gib) => {
    return (await cost(gib, customize)).bytes / 1000;
  }),
];

/** The target for our server, with answers from the page cache. */
const LIMITS: Readonly<Record<string, Limits>> = {
  'serve-full': { ratio: 1 / 0.9 },
  'serve-100': { ratio: 2 },
  'serve-100-p99': { ours: 20 },
  'serve-1000': { ratio: 2 },
  'serve-1000-rss': { ours: 120 },
};

const serving = servingBenches('serve', 'nginx', async (workspace) => {
  const image = await fullImage(workspace);
  return { ours: await serveOurs(image), peer: await serveNginx(image) };
}).map((bench) => ({
  ...bench,
  limits: LIMITS[bench.name] ?? {},
  needs: [...(bench.needs ?? []), 'nginx'],
}));

/** Reading from servers, and serving. */
export const httpBenches: readonly Bench[] = [...remotes, ...serving];
