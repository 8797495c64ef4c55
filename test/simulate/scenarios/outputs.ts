// One process after the other writes a few files into a folder, as commands do: several images, or the state and the documents
// of an installation. An existing file stays complete, old or new; a command that reports a failure has changed nothing.

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

const FOLDER = '/srv/site';
const BASE = '/srv/base/live.iso';
const NOTE = `${FOLDER}/notes.txt`;
const FAULTS: readonly FaultKind[] = ['kill', 'power cut', 'error', 'short', 'read-only', 'clock'];
const CODES = /^(?:(?:ISO|OPENSHIFT)_[A-Z_]+|E[A-Z]+)$/;
const WHAT = 'a user wrote this';
const DOCUMENTS = ['.coreiso-agent-state.json', 'openshift/a.yaml', 'openshift/b.yaml'];
const IMAGES = ['node.x86_64.iso', 'boot-artifacts/rootfs.img'];

export function outputsScenario(product: Product<Fleet>): Scenario {
  return { name: 'outputs', run: (run) => new OutputsStory(product, run).tell() };
}

class OutputsStory {
  readonly #product: Product<Fleet>;
  readonly #machine: Machine;
  readonly #random: Random;
  readonly #versions = new Map<string, Set<string>>();
  /** Files that must exist, because they existed before. */
  readonly #present = new Set<string>();
  #serial = 0;

  constructor(product: Product<Fleet>, { seed, without, trace }: Run) {
    this.#product = product;
    const kinds = FAULTS.filter((_, index) => ((seed >> index) & 1) === 0);
    const manners = mannersOf(new Random(seed));
    this.#machine = new Machine({ seed, manners, faults: kinds.length > 0 ? kinds : FAULTS, without, trace });
    this.#random = this.#machine.random;
    this.#machine.disk.put(BASE, this.#random.bytes(2000));
    this.#machine.disk.put(NOTE, Buffer.from(WHAT));
  }

  async tell(): Promise<Tally> {
    const machine = this.#machine;
    do {
      const before = this.#now();
      const process = machine.start('command', (one) => this.#command(one));
      await machine.finish();
      checkEndings(machine, [process.ending], CODES);
      if (process.ending?.kind === 'done') for (const name of process.ending.value as string[]) this.#present.add(name);
      if (process.ending?.kind === 'failed' && !this.#failedUndoing) this.#checkUnchanged(before);
      if (this.#random.chance(0.2)) machine.cutPower();
      this.#check();
    } while (!isEnough(machine));
    await machine.quietly('next run', (one) => this.#command(one));
    // The first may have the id of a killed process.
    await machine.quietly('the run after', (one) => this.#command(one));
    const litter = machine.disk.readdir(FOLDER).filter((name) => /^\.coreiso-(?!agent-state)/.test(name));
    requireThat(litter.length === 0 || machine.disk.manners !== 'posix', `left behind: ${litter.join(', ')}`);
    return machine;
  }

  /** Undoing needs a working disk: after repeated failures it cannot be guaranteed. */
  get #failedUndoing(): boolean {
    const { faults, readOnlyTimes } = this.#machine;
    return faults > this.#faultsBefore + 1 || readOnlyTimes > 0;
  }
  #faultsBefore = 0;

  async #command(process: SimulatedProcess): Promise<string[]> {
    const product = this.#product(process);
    const { random } = process;
    this.#faultsBefore = this.#machine.faults;
    if (random.chance(0.5)) {
      const files = Object.fromEntries(
        DOCUMENTS.filter(() => random.chance(0.8)).map((name) => [name, this.#text(name, random)]),
      );
      product.writeDirectory(FOLDER, files, process.machine.disk.manners === 'windows' ? 'win32' : 'linux');
      return Object.keys(files);
    }
    const base = await product.fileSource(BASE);
    try {
      const outputs = IMAGES.map((name) => {
        const source = product.overlay(base, [{ offset: 0, bytes: Buffer.from(`${++this.#serial} `.padEnd(40, 'y')) }]);
        return { name, source };
      });
      for (const { name, source } of outputs) this.#know(name, await source.read(0, source.size));
      await product.writeOutputs({ outputs }, FOLDER, { replace: true, durable: true });
      return [...IMAGES];
    } finally {
      // A failed close is not a failure of the command.
      await base.close().catch(() => undefined);
    }
  }

  #text(name: string, random: Random): string {
    const text = `${++this.#serial} ${'z'.repeat(random.between(10, 2000))}`;
    this.#know(name, Buffer.from(text));
    return text;
  }

  #know(name: string, bytes: Uint8Array): void {
    const known = this.#versions.get(name) ?? new Set();
    this.#versions.set(name, known.add(nameOf(bytes)));
  }

  #now(): Map<string, string | undefined> {
    const { disk } = this.#machine;
    return new Map(
      [...DOCUMENTS, ...IMAGES].map((name) => {
        const bytes = disk.contents(`${FOLDER}/${name}`);
        return [name, bytes && nameOf(bytes)];
      }),
    );
  }

  #checkUnchanged(before: ReadonlyMap<string, string | undefined>): void {
    const now = this.#now();
    for (const [name, contents] of before)
      requireThat(now.get(name) === contents, `a command that failed has changed ${name}`);
  }

  #check(): void {
    const { disk } = this.#machine;
    requireThat(Buffer.from(disk.contents(NOTE) ?? []).toString() === WHAT, 'the note of a user has changed');
    for (const [name, contents] of this.#now()) {
      requireThat(
        contents === undefined || this.#versions.get(name)?.has(contents) === true,
        `${name} is no whole file`,
      );
      requireThat(contents !== undefined || !this.#present.has(name), `${name} was there and is gone`);
    }
  }
}
