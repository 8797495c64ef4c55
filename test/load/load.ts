// `coreiso serve` with many different clients at once, while its file disappears and changes.
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientTotals, MANNERS } from './clients.ts';
import { ServedImage } from './image.ts';
import { LoadedServer, type Sample } from './server.ts';

export interface LoadOptions {
  readonly path: string;
  readonly clients: number;
  readonly seconds: number;
  /** Bytes of the file. */
  readonly size: number;
  readonly idleSeconds: number;
}

export interface LoadReport {
  readonly seen: ClientTotals;
  readonly p50: number;
  readonly p99: number;
  readonly before: Sample;
  /** The state after all clients have left. */
  readonly after: Sample;
  readonly mostDescriptors: number;
  /** The peak memory in the second and in the last third. */
  readonly memory: readonly [middle: number, end: number];
  readonly recovered: boolean;
  readonly exit: number | string | null;
}

export async function load({ path, clients, seconds, size, idleSeconds }: LoadOptions): Promise<LoadReport> {
  const image = new ServedImage(path, size);
  const server = await LoadedServer.start(path, idleSeconds);
  const seen: ClientTotals = { right: 0, bytes: 0, wrong: [], broken: 0, statuses: new Map(), times: [] };
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  await fetchWhole(server, image);
  const before = server.sample(0);
  const running = Array.from({ length: clients }, (_, index) =>
    new Client(MANNERS[index % MANNERS.length] ?? 'plain', server.port, image, seen, stop.signal).run(),
  );
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1000;
  const samples: Sample[] = [];
  for (let second = 1; elapsed() < seconds; second++) {
    await sleep(1000);
    if (!server.isRunning) throw new Error('the server has ended');
    samples.push(server.sample(elapsed()));
    disturb(image, second);
  }
  stop.abort();
  await Promise.all(running);
  const after = await settled(server, before, idleSeconds);
  image.replace();
  const recovered = await fetchWhole(server, image);
  const exit = await server.stop();
  const times = seen.times.toSorted((a, b) => a - b);
  const share = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
  const third = Math.ceil(samples.length / 3);
  const most = (part: readonly Sample[]): number => Math.max(...part.map(({ mebibytes }) => mebibytes));
  return {
    seen,
    p50: share(0.5),
    p99: share(0.99),
    before,
    after,
    mostDescriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
    memory: [most(samples.slice(third, 2 * third)), most(samples.slice(2 * third))],
    recovered,
    exit,
  };
}

/** The file is removed, restored, replaced and overwritten, over and over. */
function disturb(image: ServedImage, second: number): void {
  switch (second % 10) {
    case 3:
      image.replace();
      break;
    case 6:
      image.remove();
      break;
    case 7:
      image.replace();
      break;
    case 9:
      image.overwrite();
  }
}

async function fetchWhole({ port }: LoadedServer, image: ServedImage): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/live.iso`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.status === 200 && bytes.length === image.size && image.isWhole(bytes, 0);
}

/** The state of the server after half-open connections have been closed. */
async function settled(server: LoadedServer, before: Sample, idleSeconds: number): Promise<Sample> {
  for (let second = 0; ; second++) {
    const sample = server.sample(second);
    if (sample.descriptors <= before.descriptors || second > 3 * idleSeconds + 30) return sample;
    await sleep(1000);
  }
}
