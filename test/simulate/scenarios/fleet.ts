// Processes store the images of a fleet in a folder, one after the other, while they are killed, the disk fails and the power is cut.
// Every image that was reported is there to the byte, even if an earlier run stored it; every named file is complete.

import { Random } from '../../support/random.ts';
import type { FaultKind } from '../faults.ts';
import { Machine, type SimulatedProcess } from '../machine.ts';
import type { Fleet } from '../products.ts';
import {
  checkEndings,
  isEnough,
  mannersOf,
  nameOf,
  type Product,
  type Run,
  requireThat,
  type Scenario,
  type Tally,
} from '../scenario.ts';

const BASE = '/srv/base/live.iso';
const FOLDER = '/srv/fleet';
const STRANGERS = [`${FOLDER}/notes.txt`, `${FOLDER}/.coreiso-fleet/notes.txt`];
const FAULTS: readonly FaultKind[] = ['kill', 'power cut', 'error', 'short', 'read-only', 'clock'];
/** The sink adds no code of its own to failures of the operating system. */
const CODES = /^(?:(?:ISO|OPENSHIFT)_[A-Z_]+|E[A-Z]+)$/;
const WHAT = 'a user wrote this';

export function fleetScenario(product: Product<Fleet>): Scenario {
  return { name: 'fleet', run: (run) => new FleetStory(product, run).tell() };
}

class FleetStory {
  readonly #product: Product<Fleet>;
  readonly #machine: Machine;
  readonly #random: Random;
  /** Complete images by name: every version that was ever stored. */
  readonly #versions = new Map<string, Set<string>>();
  /** The first bytes of the current image of a host. */
  #version = 1;
  /** Without it a loss of power may damage the files written last. */
  readonly #isDurable: boolean;

  constructor(product: Product<Fleet>, { seed, without, trace }: Run) {
    this.#product = product;
    const kinds = FAULTS.filter((_, index) => ((seed >> index) & 1) === 0);
    const manners = mannersOf(new Random(seed));
    this.#machine = new Machine({ seed, manners, faults: kinds.length > 0 ? kinds : FAULTS, without, trace });
    this.#random = this.#machine.random;
    this.#isDurable = this.#random.chance(0.5);
    this.#machine.disk.put(BASE, this.#random.bytes(this.#random.between(600, 4000)));
    for (const path of STRANGERS) this.#machine.disk.put(path, Buffer.from(WHAT));
  }

  async tell(): Promise<Tally> {
    const machine = this.#machine;
    do {
      const process = machine.start('store', (one) => this.#store(one));
      await machine.finish();
      checkEndings(machine, [process.ending], CODES);
      if (this.#random.chance(0.2)) machine.cutPower();
      if (this.#random.chance(0.3)) this.#version++;
      this.#check();
    } while (!isEnough(machine));
    await machine.quietly('next run', (process) => this.#store(process));
    // The first may have the id of a killed process.
    await machine.quietly('the run after', (process) => this.#store(process));
    this.#check();
    const litter = machine.disk.readdir(`${FOLDER}/.coreiso-fleet`).filter((name) => name.startsWith('staging-'));
    requireThat(litter.length === 0 || machine.disk.manners !== 'posix', `left behind: ${litter.join(', ')}`);
    return machine;
  }

  async #store(process: SimulatedProcess): Promise<void> {
    const { directorySink, fileSource, overlay } = this.#product(process);
    await using source = await fileSource(BASE);
    const hosts = ['a', 'b', 'c'].slice(0, 2 + (this.#version % 2));
    const version = this.#version;
    const images = {
      names: hosts,
      base: { source },
      async *[Symbol.asyncIterator]() {
        for (const host of hosts) {
          const bytes = Buffer.from(`${host} ${version} ${'x'.repeat(100)}`);
          yield { host, outputs: [{ name: `${host}.iso`, source: overlay(source, [{ offset: 16, bytes }]) }] };
        }
      },
    };
    for await (const { outputs } of images) {
      const [{ name, source: image } = { name: '', source }] = outputs;
      const known = this.#versions.get(name) ?? new Set();
      this.#versions.set(name, known.add(nameOf(await image.read(0, image.size))));
    }
    const sink = directorySink(FOLDER, { durable: this.#isDurable, parallel: process.random.between(1, 3) });
    for await (const { name, outcome } of sink.write(images as unknown as Parameters<typeof sink.write>[0])) {
      const bytes = Buffer.from(`${name[0]} ${version} `);
      const there = this.#machine.disk.contents(`${FOLDER}/${name}`);
      this.#machine.note(`stored ${name}: ${outcome}`);
      requireThat(
        there !== undefined && this.#versions.get(name)?.has(nameOf(there)) === true,
        `${name} is told to be ${outcome}, and is not whole`,
      );
      requireThat(
        bytes.every((byte, index) => there[16 + index] === byte),
        `${name} is told to be ${outcome}, and is an older one`,
      );
    }
  }

  #check(): void {
    const { disk, powerCuts } = this.#machine;
    for (const path of STRANGERS) {
      const note = disk.contents(path);
      requireThat(note !== undefined && Buffer.from(note).toString() === WHAT, `${path} of a user has changed`);
    }
    if (powerCuts > 0 && !this.#isDurable) return;
    for (const [name, versions] of this.#versions) {
      const there = disk.contents(`${FOLDER}/${name}`);
      requireThat(there === undefined || versions.has(nameOf(there)), `${name} is no whole image`);
    }
  }
}
