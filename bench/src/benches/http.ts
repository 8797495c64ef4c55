import { edit, inspect, openLiveImage } from '@coreiso/iso';
import { type Fetch, httpSource, rangeResponse } from '@coreiso/iso/http';
import { sampleIso } from '@coreiso/iso/sample';
import type { Bench, Measure, Workspace } from '../frame.ts';
import { fullImage } from '../images.ts';
import { output, time } from '../programs.ts';
import { load, type Served, serveNginx, serveOurs } from '../servers.ts';

const GIB = 1024 ** 3;

/** What work on a remote image of a size costs. */
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

/** Opened, looked into and edited: the area's own length more than opening. */
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
    8,
    async (gib) => (await cost(gib, open)).requests,
  ),
  remote(
    'remote-open',
    'what is fetched to open a remote image',
    'KB',
    131.1,
    async (gib) => (await cost(gib, open)).bytes / 1000,
  ),
  remote('remote-edit', 'what is fetched to open, inspect and customise one', 'KB', 393.2, async (gib) => {
    return (await cost(gib, customize)).bytes / 1000;
  }),
];

/** Measures both servers with an image of the usual size, which both have read before. */
function serving(
  { name, about, unit, limits }: Omit<Bench, 'setUp'>,
  measure: (served: Served, size: number, workspace: Workspace) => Promise<number>,
): Bench {
  return {
    name,
    about: `${about}, against nginx`,
    unit,
    limits,
    async setUp(workspace) {
      const image = await fullImage(workspace);
      const size = workspace.imageMiB * 1024 * 1024;
      const [ours, peer] = [await serveOurs(image), await serveNginx(image)];
      const of =
        (served: Served): Measure =>
        () =>
          measure(served, size, workspace);
      return {
        ours: of(ours),
        peer: of(peer),
        end: async () => {
          await ours.stop();
          await peer.stop();
        },
      };
    },
  };
}

const full = serving(
  { name: 'serve-full', about: 'a whole edited image to curl', unit: 'ms', limits: { ratio: 1 / 0.9 } },
  ({ url }) => time(() => output('curl', ['-sf', '-o', '/dev/null', url])),
);

const ranges = serving(
  { name: 'serve-100', about: '1,000 random ranges of 64 KiB by 100 clients', unit: 'ms', limits: { ratio: 1 / 0.4 } },
  async (served, size, { directory }) => 1e6 / (await load(served, 100, size, directory)).perSecond,
);

const latency = serving(
  { name: 'serve-100-p99', about: 'the slowest percent of them', unit: 'ms', limits: { ours: 50 } },
  async (served, size, { directory }) => (await load(served, 100, size, directory)).p99,
);

const many = serving(
  {
    name: 'serve-1000',
    about: '1,000 random ranges of 64 KiB by 1,000 clients',
    unit: 'ms',
    limits: { ratio: 1 / 0.4 },
  },
  async (served, size, { directory }) => 1e6 / (await load(served, 1000, size, directory)).perSecond,
);

const memory = serving(
  { name: 'serve-1000-rss', about: 'memory with 1,000 clients, none of whom fails', unit: 'MB', limits: { ours: 300 } },
  async (served, size, { directory }) => {
    await load(served, 1000, size, directory);
    return served.memory();
  },
);

/** Reading from servers, and being one. */
export const httpBenches: readonly Bench[] = [...remotes, full, ranges, latency, many, memory];
