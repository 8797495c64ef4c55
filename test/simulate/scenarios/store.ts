// Runs store a fleet in an object store, one after the other, while requests are refused, lost, answered but lost, repeated or never
// answered, and runs are killed. Every object of the fleet is complete; every reported object is stored; objects and uploads of others
// stay.
import { FakeStore } from '../../../packages/openshift/test/s3/fake-store.ts';
import { Random } from '../../support/random.ts';
import { Machine, type SimulatedProcess } from '../machine.ts';
import type { Store } from '../products.ts';
import {
  checkEndings,
  isEnough,
  nameOf,
  type Product,
  type Run,
  requireThat,
  type Scenario,
  type Tally,
} from '../scenario.ts';

const PREFIX = 'site-a/';
const CODES = /^OPENSHIFT_[A-Z_]+$/;
const FAULTS = ['refused', 'busy', 'failed', 'silent', 'lost answer', 'twice', 'killed', 'killed after'] as const;
const NOTE = `${PREFIX}notes.txt`;
/** One image in several parts, most of them copied, and one that is sent whole. */
const BASES = [12 * 1024 * 1024, 40_000].map((size, index) => {
  const block = new Random(index + 1).bytes(8192);
  return Uint8Array.from({ length: size }, (_, at) => (block[at % 8192] ?? 0) ^ (at >> 13));
});

export function storeScenario(product: Product<Store>): Scenario {
  return { name: 'store', run: (run) => new StoreStory(product, run).tell() };
}

class StoreStory {
  readonly #product: Product<Store>;
  readonly #machine: Machine;
  readonly #store = new FakeStore();
  readonly #base: Uint8Array;
  readonly #rate: number;
  readonly #versions = new Map<string, Set<string>>();
  readonly #stranger: string;
  #version = 1;
  #isCalm = false;
  #calls = 0;
  #faults = 0;

  constructor(product: Product<Store>, { seed, without, trace }: Run) {
    this.#product = product;
    this.#machine = new Machine({ seed, faults: [], without, trace });
    const { random } = this.#machine;
    this.#base = (random.chance(0.05) ? BASES[0] : BASES[1]) ?? new Uint8Array();
    this.#rate = random.pick([0.02, 0.05, 0.15]);
    this.#store.put(NOTE, 'a user wrote this');
    this.#stranger = this.#store.begin(`${PREFIX}a.iso`);
  }

  async tell(): Promise<Tally> {
    const machine = this.#machine;
    do {
      const process = machine.start('run', (one) => this.#run(one));
      await machine.finish();
      checkEndings(machine, [process.ending], CODES);
      if (machine.random.chance(0.3)) this.#version++;
      this.#check();
    } while (!isEnough({ calls: this.#calls, faults: this.#faults }));
    this.#isCalm = true;
    await machine.quietly('next run', (process) => this.#run(process));
    this.#check();
    // A lost answer to the beginning of an upload leaves an unknown upload without parts.
    // `pruneFleet` removes the images of a host that has left the fleet.
    const hosts = ['a', 'b', 'c'].slice(0, 2 + (this.#version % 2)).map((host) => `${PREFIX}${host}.iso`);
    const left = this.#store.uploads.filter(
      ({ id, key, parts }) => id !== this.#stranger && parts.size > 0 && hosts.includes(key),
    );
    requireThat(left.length === 0, `uploads were left: ${left.map(({ key }) => key).join(', ')}`);
    return { calls: this.#calls, faults: this.#faults };
  }

  async #run(process: SimulatedProcess): Promise<void> {
    const { s3Sink, overlay, bytesSource, identified } = this.#product(process);
    const source = identified(bytesSource(this.#base), async () => 'sha256:base');
    const version = this.#version;
    const built = ['a', 'b', 'c'].slice(0, 2 + (version % 2)).map((host) => {
      const bytes = Buffer.from(`${host} ${version} ${'x'.repeat(50)}`);
      return { host, outputs: [{ name: `${host}.iso`, source: overlay(source, [{ offset: 4096, bytes }]) }] };
    });
    for (const { outputs } of built)
      for (const { name, source: image } of outputs) {
        const known = this.#versions.get(`${PREFIX}${name}`) ?? new Set();
        this.#versions.set(`${PREFIX}${name}`, known.add(nameOf(await image.read(0, image.size))));
      }
    const images = {
      names: built.map(({ host }) => host),
      base: { source },
      async *[Symbol.asyncIterator]() {
        yield* built;
      },
    };
    const client = {
      send: (command: object, given?: { abortSignal?: AbortSignal }) =>
        this.#send(process, command, given?.abortSignal),
    };
    const sink = s3Sink(client as unknown as Parameters<typeof s3Sink>[0], { bucket: 'images', prefix: PREFIX });
    for await (const { name, host, outcome } of sink.write(images as unknown as Parameters<typeof sink.write>[0])) {
      if (host === undefined) continue;
      const there = this.#store.objects.get(`${PREFIX}${name}`)?.bytes;
      const mark = Buffer.from(`${host} ${version} `);
      this.#machine.note(`stored ${name}: ${outcome}`);
      requireThat(
        there !== undefined && mark.every((byte, at) => there[4096 + at] === byte),
        `${name} is told to be ${outcome}, and is not`,
      );
    }
  }

  #send(process: SimulatedProcess, command: object, signal: AbortSignal | undefined): Promise<unknown> {
    const { random } = this.#machine;
    const fault = !this.#isCalm && random.chance(this.#rate) ? this.#machine.drawn(random.pick(FAULTS)) : undefined;
    this.#calls++;
    if (fault !== undefined) this.#faults++;
    const name = command.constructor.name;
    this.#machine.note(`${process.pid} ${name}${fault === undefined ? '' : ` !! ${fault}`}`);
    const ask = (): Promise<unknown> => this.#store.client.send(command as never);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' })));
      if (fault === 'silent') return;
      this.#machine.setTimer(process, random.next() * 100, async () => {
        if (fault === 'killed') return this.#machine.kill(process);
        if (fault === 'refused')
          return reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
        if (fault === 'busy') return reject(refusal(503, 'SlowDown'));
        if (fault === 'failed') return reject(refusal(500, 'InternalError'));
        try {
          const answer = await ask();
          if (fault === 'twice') await ask().catch(() => undefined);
          if (fault === 'killed after') return this.#machine.kill(process);
          if (fault === 'lost answer')
            return reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
          this.#machine.setTimer(process, random.next() * 100, () => resolve(answer));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #check(): void {
    const { objects, uploads } = this.#store;
    requireThat(
      Buffer.from(objects.get(NOTE)?.bytes ?? []).toString() === 'a user wrote this',
      'the object of a user has changed',
    );
    requireThat(
      uploads.some(({ id }) => id === this.#stranger),
      'the upload of another program is gone',
    );
    for (const [key, versions] of this.#versions) {
      const there = objects.get(key)?.bytes;
      requireThat(there === undefined || versions.has(nameOnce(there)), `${key} is no whole image`);
    }
  }
}

const names = new WeakMap<Uint8Array, string>();

/** Caches the names of large contents. */
function nameOnce(bytes: Uint8Array): string {
  const name = names.get(bytes) ?? nameOf(bytes);
  names.set(bytes, name);
  return name;
}

function refusal(status: number, code: string): Error {
  return Object.assign(new Error(code), { name: code, Code: code, $metadata: { httpStatusCode: status } });
}
