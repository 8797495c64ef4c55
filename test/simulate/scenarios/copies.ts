// Several processes write copies of an image to a few names, with and without replacement, while they are killed, calls
// fail, the folder vanishes and the power is cut. Every named file is a complete copy; a durable copy that was reported done
// stays.

import { Random } from '../../support/random.ts';
import type { FaultKind } from '../faults.ts';
import { Machine, type SimulatedProcess } from '../machine.ts';
import type { Files } from '../products.ts';
import {
  checkEndings,
  codeOf,
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
const FOLDER = '/srv/copies';
const NAMES = ['a.iso', 'b.iso'];
const FAULTS: readonly FaultKind[] = ['kill', 'power cut', 'error', 'short', 'read-only', 'clock', 'vanish'];
const CODES = /^ISO_(?:EXISTS|IO|NO_SPACE|NEEDS_ROLLBACK)$/;
const NOTE = `${FOLDER}/notes.txt`;

interface Copy {
  readonly contents: string;
  readonly path: string;
  readonly durable: boolean;
  outcome: 'running' | 'done' | 'failed';
  /** The number of power cuts when it was reported done, and when it began. */
  doneIn: number;
  /** The positions of its beginning and its end in the order of all: a copy that began before this end may have replaced it. */
  begun: number;
  ended: number;
}

export function copiesScenario(product: Product<Files>): Scenario {
  return { name: 'copies', run: (run) => new CopiesStory(product, run).tell() };
}

class CopiesStory {
  readonly #product: Product<Files>;
  readonly #machine: Machine;
  readonly #random: Random;
  readonly #copies: Copy[] = [];
  readonly #base: Uint8Array;
  #moment = 0;
  #vanished = 0;

  constructor(product: Product<Files>, { seed, without, trace }: Run) {
    this.#product = product;
    const kinds = FAULTS.filter((_, index) => ((seed >> index) & 1) === 0);
    const manners = mannersOf(new Random(seed));
    this.#machine = new Machine({ seed, manners, faults: kinds.length > 0 ? kinds : FAULTS, without, trace });
    this.#random = this.#machine.random;
    this.#base = this.#random.bytes(this.#random.between(500, 5000));
    this.#machine.disk.put(BASE, this.#base);
    this.#prepare();
    this.#machine.onVanish = () => {
      const { disk } = this.#machine;
      const { isReadOnly } = disk;
      disk.isReadOnly = false;
      for (const path of disk.below(FOLDER).reverse())
        if (disk.lookup(path)?.opened === 0 || disk.manners !== 'windows') disk.unlink(path);
      disk.isReadOnly = isReadOnly;
      this.#vanished = ++this.#moment;
    };
  }

  #prepare(): void {
    const { disk } = this.#machine;
    disk.isReadOnly = false;
    if (disk.lookup(NOTE) === undefined) disk.put(NOTE, Buffer.from('a user wrote this'));
  }

  async tell(): Promise<Tally> {
    do {
      this.#prepare();
      const processes = Array.from({ length: this.#random.between(1, 3) }, (_, index) =>
        this.#machine.start(`copier ${index}`, (process) => this.#work(process)),
      );
      await this.#machine.finish();
      const endings = processes.map(({ ending }) => ending);
      checkEndings(this.#machine, endings, CODES);
      for (const copy of this.#copies) if (copy.outcome === 'running') copy.outcome = 'failed';
      if (this.#random.chance(0.2)) this.#machine.cutPower();
      this.#check();
    } while (!isEnough(this.#machine));
    await this.#machine.quietly('next user', async (process) => {
      await this.#copy(process, this.#product(process), 'last.iso');
    });
    this.#check();
    this.#checkLitter();
    return this.#machine;
  }

  async #work(process: SimulatedProcess): Promise<void> {
    const product = this.#product(process);
    for (let count = process.random.between(1, 2); count > 0; count--) {
      try {
        await this.#copy(process, product, process.random.pick(NAMES));
      } catch (error) {
        if (codeOf(error) !== 'ISO_EXISTS') throw error;
      }
    }
  }

  async #copy({ random }: SimulatedProcess, product: Files, name: string): Promise<void> {
    const [durable, replace] = [random.chance(0.5), random.chance(0.5)];
    await using file = await product.fileSource(BASE);
    const patch = { offset: random.below(400), bytes: random.bytes(random.between(8, 100)) };
    const tail = random.chance(0.3) ? [random.bytes(random.between(1, 2000))] : [];
    const image = product.overlay(file, [patch], { tail });
    const contents = nameOf(await image.read(0, image.size));
    const path = `${FOLDER}/${name}`;
    const copy: Copy = { contents, path, durable, outcome: 'running', doneIn: -1, begun: ++this.#moment, ended: 0 };
    this.#copies.push(copy);
    this.#machine.note(`copy ${contents} to ${path}${durable ? ', durable' : ''}${replace ? ', replacing' : ''}`);
    try {
      await product.writeCopy(image, path, { durable, replace });
      copy.outcome = 'done';
      copy.doneIn = this.#machine.powerCuts;
      copy.ended = ++this.#moment;
    } catch (error) {
      copy.outcome = 'failed';
      throw error;
    }
  }

  #check(): void {
    const { disk, powerCuts } = this.#machine;
    requireThat(nameOf(disk.contents(BASE) ?? new Uint8Array()) === nameOf(this.#base), 'the base has changed');
    const note = disk.contents(NOTE);
    requireThat(
      note === undefined ? this.#vanished > 0 : Buffer.from(note).toString() === 'a user wrote this',
      'the note of a user has changed',
    );
    for (const path of [...NAMES, 'last.iso'].map((name) => `${FOLDER}/${name}`)) {
      const copies = this.#copies.filter((copy) => copy.path === path);
      const bytes = disk.contents(path);
      const wasCut = powerCuts > 0 && copies.some(({ durable }) => !durable);
      // After a power cut a copy without `durable` depends on the file system.
      if (wasCut) continue;
      const found = bytes && nameOf(bytes);
      const made = copies.find(({ contents }) => contents === found);
      requireThat(found === undefined || made !== undefined, `${path} is no whole copy: ${found}`);
      const last = copies.filter(({ outcome, begun }) => outcome === 'done' && begun > this.#vanished).at(-1);
      if (last === undefined) continue;
      requireThat(made !== undefined, `a copy was reported done and is gone: ${last.contents}`);
      // Only a copy that ran at the same time can have replaced it.
      const isLater =
        made.contents === last.contents || made.ended === 0 || made.ended > last.begun || made.begun > last.begun;
      requireThat(isLater, `${path} is an older copy than the one reported done`);
    }
  }

  /** Every file with a part of an image is readable only by its owner, and the last run has removed leftovers. */
  #checkLitter(): void {
    const { disk } = this.#machine;
    for (const path of disk.below(FOLDER)) {
      const mode = disk.lookup(path)?.mode ?? 0;
      requireThat(
        path === NOTE || disk.lookup(path)?.kind === 'directory' || (mode & 0o077) === 0,
        `${path} is open to others`,
      );
    }
    const known = [...NAMES, 'last.iso', 'notes.txt'];
    const litter = disk.readdir(FOLDER).filter((name) => !known.includes(name) && !/journal$|claim-\d+$/.test(name));
    requireThat(litter.length === 0 || disk.manners !== 'posix', `left behind: ${litter.join(', ')}`);
  }
}
