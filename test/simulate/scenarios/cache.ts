// Several processes fetch bases into one cache folder from a server that fails, while they are killed and the disk fails. A file
// named after a digest has that digest, and in the end the base is there.
import { createHash } from 'node:crypto';
import { Random } from '../../support/random.ts';
import type { FaultKind } from '../faults.ts';
import { Machine, type SimulatedProcess } from '../machine.ts';
import { Network, type Server } from '../network.ts';
import type { Files } from '../products.ts';
import {
  checkEndings,
  isEnough,
  mannersOf,
  type Product,
  type Run,
  requireThat,
  type Scenario,
  type Tally,
} from '../scenario.ts';

const FOLDER = '/var/cache/coreiso';
const FAULTS: readonly FaultKind[] = ['kill', 'power cut', 'error', 'short', 'read-only', 'clock'];
/** Failures of servers and disks; the digest detects a wrong body. */
const CODES = /^ISO_(?:IO|NO_SPACE|BUSY|CHANGED|REMOTE|TOO_SLOW|BAD_ANSWER|NO_RANGES|WRONG_DIGEST|SHORT_READ)$/;
const STRANGER = `${FOLDER}/notes.txt`;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function cacheScenario(product: Product<Files>): Scenario {
  return { name: 'cache', run: (run) => new CacheStory(product, run).tell() };
}

class CacheStory {
  readonly #product: Product<Files>;
  readonly #machine: Machine;
  readonly #network: Network;
  readonly #bases: ReadonlyMap<string, Uint8Array>;

  constructor(product: Product<Files>, { seed, without, trace }: Run) {
    this.#product = product;
    const kinds = FAULTS.filter((_, index) => ((seed >> index) & 1) === 0);
    const manners = mannersOf(new Random(seed));
    this.#machine = new Machine({ seed, manners, faults: kinds.length > 0 ? kinds : FAULTS, without, trace });
    const { random, disk } = this.#machine;
    this.#network = new Network(this.#machine);
    const bases = [1, 2].map(() => random.bytes(random.pick([3000, 70_000])));
    this.#bases = new Map(bases.map((bytes, index) => [`/base-${index}.iso`, bytes]));
    disk.put(STRANGER, Buffer.from('a user wrote this'));
  }

  async tell(): Promise<Tally> {
    const machine = this.#machine;
    do {
      const processes = Array.from({ length: machine.random.between(1, 3) }, (_, index) =>
        machine.start(`fetcher ${index}`, (process) => this.#fetch(process)),
      );
      await machine.finish();
      const endings = processes.map(({ ending }) => ending);
      checkEndings(machine, endings, CODES);
      if (machine.random.chance(0.2)) machine.cutPower();
      this.#check();
    } while (!isEnough(machine));
    this.#network.isCalm = true;
    this.#removeEmptyLocks();
    // If a process cannot be distinguished from a later one with the same id, the next one gets another id.
    for (let left = machine.disk.manners === 'posix' ? 0 : 5; ; left--) {
      try {
        await machine.quietly('next user', (process) => this.#fetch(process));
        break;
      } catch (error) {
        if (left === 0) throw error;
      }
    }
    this.#check();
    for (const bytes of this.#bases.values())
      requireThat(
        machine.disk.lookup(`${FOLDER}/${sha256(bytes)}.iso`) !== undefined,
        'a base is not there in the end',
      );
    const litter = machine.disk.readdir(FOLDER).filter((name) => name.endsWith('.tmp'));
    requireThat(litter.length === 0 || machine.disk.manners !== 'posix', `left behind: ${litter.join(', ')}`);
    return machine;
  }

  #removeEmptyLocks(): void {
    const { disk } = this.#machine;
    disk.isReadOnly = false;
    for (const name of disk.readdir(FOLDER)) {
      const path = `${FOLDER}/${name}`;
      if (/claim-\d+$/.test(name) && disk.contents(path)?.length === 0) disk.unlink(path);
    }
  }

  async #fetch(process: SimulatedProcess): Promise<void> {
    const cache = this.#product(process).baseCache(FOLDER);
    const fetch = this.#network.fetchOf(process, this.#server);
    for (const [path, bytes] of this.#bases) {
      if (!this.#network.isCalm && process.random.chance(0.3)) continue;
      const found = await cache.download(`https://mirror.test${path}`, { sha256: sha256(bytes), fetch, retries: 2 });
      const there = this.#machine.disk.contents(found.path);
      requireThat(
        there !== undefined && sha256(there) === sha256(bytes),
        'a download was reported done and is not right',
      );
    }
  }

  readonly #server: Server = ({ url, method, headers }) => {
    const bytes = this.#bases.get(url.pathname);
    if (bytes === undefined) return { status: 404 };
    const tag = `"${sha256(bytes).slice(0, 8)}"`;
    const common = { etag: tag, 'accept-ranges': 'bytes' };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? [];
    if (method === 'HEAD') return { status: 200, headers: { ...common, 'content-length': String(bytes.length) } };
    if (from === undefined) return { status: 200, headers: common, body: bytes };
    if (Number(from) >= bytes.length)
      return { status: 416, headers: { ...common, 'content-range': `bytes */${bytes.length}` } };
    const end = Math.min(bytes.length, to === '' || to === undefined ? bytes.length : Number(to) + 1);
    const range = `bytes ${from}-${end - 1}/${bytes.length}`;
    const part = bytes.slice(Number(from), end);
    return {
      status: 206,
      headers: { ...common, 'content-range': range, 'content-length': String(part.length) },
      body: part,
    };
  };

  #check(): void {
    const { disk } = this.#machine;
    const note = disk.contents(STRANGER);
    requireThat(
      note !== undefined && Buffer.from(note).toString() === 'a user wrote this',
      'the note of a user has changed',
    );
    for (const name of disk.readdir(FOLDER)) {
      const [, digest] = /^([0-9a-f]{64})\.iso$/.exec(name) ?? [];
      if (digest === undefined) continue;
      requireThat(
        sha256(disk.contents(`${FOLDER}/${name}`) ?? new Uint8Array()) === digest,
        `${name} has other contents`,
      );
    }
  }
}
