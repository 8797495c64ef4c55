// Five hundred hosts in simulated time: they arrive in any order, requests to every source fail at random, and the clock is sometimes set.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ClusterError } from '../../src/errors.ts';
import type { ExpectedHost } from '../../src/monitor/hosts.ts';
import { monitorNodes } from '../../src/monitor/monitor.ts';
import type { KubeObject } from '../../src/objects.ts';
import type { ClusterReader } from '../../src/reader/port.ts';
import { requestObject } from '../csr/make-request.ts';

const LOOK = 5000;
const COUNT = 500;

/** The same numbers in every run. */
function lottery(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Times of a host's events, in polls. */
interface Life {
  readonly boots: number;
  readonly installs: number;
  readonly reboots: number;
  readonly asks: number;
  readonly joins: number;
  readonly ready: number;
}

class World implements ClusterReader {
  readonly hosts: readonly ExpectedHost[];
  readonly #lives = new Map<string, Life>();
  readonly #random = lottery(7);
  /** The data that the monitor was shown and has to report. */
  readonly shown = new Set<string>();
  look = 0;
  #offset = 0;

  constructor() {
    const steps = (most: number) => 1 + Math.floor(this.#random() * most);
    this.hosts = Array.from({ length: COUNT }, (_, at) => {
      const name = `w-${at}`;
      const boots = steps(80);
      const installs = boots + 3 + steps(40);
      const reboots = installs + 2 + steps(20);
      const asks = reboots + steps(20);
      const joins = asks + 2 + steps(40);
      this.#lives.set(name, { boots, installs, reboots, asks, joins, ready: joins + 2 + steps(100) });
      return { name, nodeName: name, addresses: [], reachedAt: `${name}.test:8090` };
    });
  }

  readonly clock = {
    now: () => this.look * LOOK + this.#offset,
    sleep: async () => {
      this.look++;
      // The clock is set, by up to a day and in either direction.
      if (this.#random() < 0.05) this.#offset += Math.floor((this.#random() - 0.5) * 2 * 86_400_000);
    },
  };

  /** The status port is polled instead of a service; a permission for nodes does not include networks. */
  readonly get = async (path: string) => {
    if (path.includes('/secrets/')) throw new Error('nobody asks for tokens');
    throw new ClusterError('CLUSTER_FORBIDDEN', 'forbidden');
  };
  readonly watch = () => {
    throw new Error('nobody watches');
  };

  async list(path: string) {
    if (this.#random() < 0.15) throw new ClusterError('CLUSTER_UNREACHABLE', 'down');
    const items = path.endsWith('/nodes') ? this.#nodes() : this.#requests();
    return { items, resourceVersion: '1' };
  }

  readonly fetch = async (url: string): Promise<Response> => {
    const name = new URL(url).hostname.replace(/\.test$/, '');
    const life = this.#lives.get(name);
    if (life === undefined || this.look < life.boots || this.look >= life.reboots || this.#random() < 0.05)
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    const isInstalling = this.look >= life.installs;
    // Fails for a while, each time with other figures.
    const clock = { check: 'clock', verdict: isInstalling ? 'pass' : 'fail', text: `${this.look} seconds off` };
    this.shown.add(`${name} answers`);
    if (isInstalling) this.shown.add(`${name} installs`);
    return Response.json({
      version: 1,
      stage: isInstalling ? 'installing' : 'waiting',
      progress: isInstalling ? Math.floor(((this.look - life.installs) / (life.reboots - life.installs)) * 100) : null,
      error: clock.text,
      checks: [clock],
    });
  };

  #nodes(): KubeObject[] {
    return [...this.#lives].flatMap(([name, { joins, ready }]) => {
      if (this.look < joins) return [];
      const isReady = this.look >= ready;
      this.shown.add(`${name} ${isReady ? 'ready' : 'joined'}`);
      const message = `PLEG is not healthy: last seen active ${this.look}s ago`;
      const condition = { type: 'Ready', status: isReady ? 'True' : 'False', message };
      return [{ metadata: { name }, status: { conditions: [condition] } }];
    });
  }

  /** A kubelet without an answer repeats its request every twenty polls. */
  #requests(): KubeObject[] {
    return [...this.#lives].flatMap(([name, { asks, joins, ready }]) => {
      if (this.look < asks || this.look >= ready) return [];
      const kind = this.look < joins ? 'first' : 'second';
      const request = `csr-${name}-${kind}-${Math.floor((this.look - asks) / 20)}`;
      this.shown.add(`${name} ${request}`);
      return [requestObject(request, kind, name)];
    });
  }
}

/** The subject of a line, in the words of the simulated world. */
function subject(message: string): string | undefined {
  if (message === 'the live system answers') return 'answers';
  if (message === 'the machine installs itself') return 'installs';
  if (message === 'the node joined') return 'joined';
  if (message === 'the node is ready') return 'ready';
  // If nodes could not be listed, a request cannot be judged yet: the first line about it says why.
  return /csr-\S+(?= waits)/.exec(message)?.[0] ?? /csr-\S+ must not/.exec(message)?.[0];
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}

test('loses no event of five hundred hosts, repeats none, and needs no more memory over time', async () => {
  const world = new World();
  const warnings: string[] = [];
  const warn = ({ message }: Error) => warnings.push(message);
  process.on('warning', warn);
  const { signal } = new AbortController();
  const monitor = monitorNodes(world, world.hosts, { ...world, signal, status: { port: 8090, token: 'token' } });
  const told = new Map<string, number>();
  const lines = new Map<string, number>();
  let last = 0;
  let early: number | undefined;
  for await (const { at, host, message } of monitor) {
    expect(at).toBeGreaterThanOrEqual(last);
    last = at;
    if (host === undefined) continue;
    lines.set(host, (lines.get(host) ?? 0) + 1);
    const what = subject(message);
    if (what !== undefined) told.set(`${host} ${what}`, (told.get(`${host} ${what}`) ?? 0) + 1);
    if (world.look > 100) early ??= heap();
  }
  const late = heap();
  process.off('warning', warn);
  expect(warnings).toEqual([]);
  // A live system may be missed twice in a row, and a node may be ready before it was seen to join.
  const missed = [...world.shown].filter(
    (key) => !told.has(key) && !told.has(`${key} must not`) && !/ (joined|installs)$/.test(key),
  );
  expect(missed).toEqual([]);
  expect([...told].filter(([key, times]) => times > 1 && !key.endsWith(' installs'))).toEqual([]);
  expect(monitor.summary().every(({ stage }) => stage === 'ready')).toBe(true);
  // A jump of the clock is not elapsed time.
  expect(Math.abs(last - world.look * LOOK)).toBeLessThan(world.look * LOOK * 0.15);
  expect(Math.max(...lines.values())).toBeLessThan(60);
  expect(late - (early ?? 0)).toBeLessThan(10);
});
