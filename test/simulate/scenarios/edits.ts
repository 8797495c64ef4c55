// Several processes edit one image in place, restore it and read it, while they are killed, calls fail and the power is cut.
// The image is always the result of a chain of edits; the chain has every edit that was reported done, and none that was
// reported undone.
import type { ByteSource } from '../../../packages/iso/src/bytes/source.ts';
import type { FileSource } from '../../../packages/iso/src/node/file-source.ts';
import { Random } from '../../support/random.ts';
import type { FaultKind } from '../faults.ts';
import { InvariantViolation, Machine, type SimulatedProcess } from '../machine.ts';
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

const FOLDER = '/srv/images';
const IMAGE = `${FOLDER}/live.iso`;
const FAULTS: readonly FaultKind[] = ['kill', 'power cut', 'error', 'short', 'read-only', 'clock'];
/** Each is one of the package's codes. */
const CODES = /^ISO_(?:BUSY|CHANGED|NEEDS_ROLLBACK|IO|NO_SPACE|NO_JOURNAL|NOT_DURABLE)$/;

/** Files of other programs beside an image, with names like ours. */
const STRANGERS: Readonly<Record<string, string>> = {
  'notes.txt': 'a user wrote this',
  '.coreiso-notes.tmp': 'and this',
  '.coreiso-abc-12-34-0-0-0.tmp': 'a process of another machine writes this',
  '.live.iso.bak': 'and this',
  'other.iso': 'another image',
};

interface Attempt {
  readonly before: string;
  readonly after: string;
  outcome: 'running' | 'done' | 'undone' | 'unknown';
}

export function editsScenario(product: Product<Files>): Scenario {
  return { name: 'edits', run: (run) => new EditsStory(product, run).tell() };
}

class EditsStory {
  readonly #product: Product<Files>;
  readonly #machine: Machine;
  readonly #random: Random;
  readonly #attempts: Attempt[] = [];
  readonly #first: string;
  #serial = 0;

  constructor(product: Product<Files>, { seed, without, trace }: Run) {
    this.#product = product;
    const kinds = FAULTS.filter((_, index) => ((seed >> index) & 1) === 0);
    const manners = mannersOf(new Random(seed));
    this.#machine = new Machine({ seed, manners, faults: kinds.length > 0 ? kinds : FAULTS, without, trace });
    this.#random = this.#machine.random;
    const contents = this.#random.bytes(this.#random.between(1000, 9000));
    this.#machine.disk.put(IMAGE, contents);
    this.#first = nameOf(contents);
    for (const [name, text] of Object.entries(STRANGERS))
      this.#machine.disk.put(`${FOLDER}/${name}`, Buffer.from(text));
  }

  async tell(): Promise<Tally> {
    do {
      const processes = Array.from({ length: this.#random.between(1, 3) }, (_, index) =>
        this.#machine.start(`worker ${index}`, (process) => this.#work(process)),
      );
      await this.#machine.finish();
      checkEndings(
        this.#machine,
        processes.map(({ ending }) => ending),
        CODES,
      );
      for (const attempt of this.#attempts) if (attempt.outcome === 'running') attempt.outcome = 'unknown';
      if (this.#random.chance(0.2)) this.#machine.cutPower();
      if (this.#random.chance(0.5)) await this.#check();
    } while (!isEnough(this.#machine));
    await this.#check();
    return this.#machine;
  }

  async #work(process: SimulatedProcess): Promise<void> {
    const product = this.#product(process);
    for (let count = process.random.between(1, 3); count > 0; count--) {
      try {
        await this.#oneThing(process, product);
      } catch (error) {
        // Another process has the image: tries again.
        if (!/^ISO_(?:BUSY|CHANGED)$/.test(codeOf(error))) throw error;
      }
    }
  }

  async #oneThing({ random }: SimulatedProcess, product: Files): Promise<void> {
    if (random.chance(0.1)) {
      await product.recoverImage(IMAGE);
      return;
    }
    await using file = await product.fileSource(IMAGE, { writable: true });
    if (random.chance(0.1)) return;
    const overlay = this.#overlay(file, random, product);
    const [before, after] = [await file.read(0, file.size), await overlay.read(0, overlay.size)];
    const attempt: Attempt = { before: nameOf(before), after: nameOf(after), outcome: 'running' };
    if (attempt.before === attempt.after) return;
    this.#attempts.push(attempt);
    this.#machine.note(`attempt ${attempt.before} -> ${attempt.after}`);
    try {
      await product.patchInPlace(overlay, file);
      attempt.outcome = 'done';
    } catch (error) {
      attempt.outcome = /ROLLBACK|DURABLE/.test(codeOf(error)) ? 'unknown' : 'undone';
      throw error;
    }
  }

  /** An edit as users make them: embed, grow, cut, reset. Its bytes differ from those of every other edit. */
  #overlay(file: FileSource, random: Random, { overlay, bytesSource }: Files) {
    const mark = new Uint8Array(8);
    new DataView(mark.buffer).setUint32(0, ++this.#serial);
    const { size } = file;
    const kind = random.pick(['patches', 'grow', 'cut', 'replace tail'] as const);
    const patches: { offset: number; bytes: Uint8Array | ByteSource }[] = [];
    const keep = kind === 'cut' || kind === 'replace tail' ? random.between(Math.min(64, size), size) : size;
    if (keep >= 8) patches.push({ offset: 0, bytes: mark });
    for (let offset = 8; random.chance(0.7); ) {
      offset += random.below(2000);
      const length = random.between(1, 1500);
      if (offset + length > keep) break;
      const bytes = random.bytes(length);
      patches.push({ offset, bytes: random.chance(0.3) ? bytesSource(bytes) : bytes });
      offset += length;
    }
    if (kind === 'patches') return overlay(file, patches);
    if (kind === 'cut' && size > 500) return overlay(file, patches, { keep });
    return overlay(file, patches, { keep, tail: [random.bytes(random.between(1, 3000)), mark] });
  }

  /** Without links, a lock may be left empty. The error has help about that. */
  #removeEmptyLocks(): void {
    const { disk } = this.#machine;
    disk.isReadOnly = false;
    for (const name of disk.readdir(FOLDER)) {
      const path = `${FOLDER}/${name}`;
      if (/journal$|claim-\d+$/.test(name) && disk.contents(path)?.length === 0) disk.unlink(path);
    }
  }

  /** Opens the image as the next user would, and checks everything. */
  async #check(): Promise<void> {
    const machine = this.#machine;
    this.#removeEmptyLocks();
    const open = async (process: SimulatedProcess): Promise<string> => {
      await using file = await this.#product(process).fileSource(IMAGE);
      return nameOf(await file.read(0, file.size));
    };
    // macOS and Windows do not distinguish a process from a later one with the same id: the next one gets another id.
    const contents = await machine.quietly('check', open).catch((error) => {
      if (codeOf(error) !== 'ISO_BUSY' || machine.disk.manners === 'posix') throw error;
      return machine.quietly('check again', open);
    });
    this.#checkChain(contents);
    const expected = [...Object.keys(STRANGERS), 'live.iso'];
    const { disk } = machine;
    for (const [name, text] of Object.entries(STRANGERS)) {
      const there = disk.contents(`${FOLDER}/${name}`);
      requireThat(
        there !== undefined && Buffer.from(there).toString() === text,
        `${name} of another program has changed`,
      );
    }
    const litter = disk
      .readdir(FOLDER)
      .filter((name) => !expected.includes(name) && !/^\.coreiso-\w+\.claim-\d+$/.test(name));
    // If a process cannot be distinguished from a later one with the same id, its files stay as long as that one runs.
    requireThat(litter.length === 0 || disk.manners !== 'posix', `left behind: ${litter.join(', ')}`);
  }

  #checkChain(last: string): void {
    const chain: Attempt[] = [];
    for (let at = last; at !== this.#first; ) {
      const made = this.#attempts.find(({ after }) => after === at);
      if (made === undefined) throw new InvariantViolation(`the image ${at} is a mixture`);
      requireThat(made.outcome !== 'undone', `an edit was reported undone and is there: ${made.after}`);
      chain.push(made);
      at = made.before;
    }
    const lost = this.#attempts.find((attempt) => attempt.outcome === 'done' && !chain.includes(attempt));
    requireThat(lost === undefined, `an edit was reported done and is lost: ${lost?.after}`);
  }
}
