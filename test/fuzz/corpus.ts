import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The totals of all runs of a target. */
export interface Totals {
  readonly executions: number;
  readonly seconds: number;
  readonly branches: number;
  readonly features: number;
  /** The second, of all seconds, in which something new was last reached. */
  readonly lastNews: number;
  readonly findings: number;
}

export const NO_TOTALS: Totals = { executions: 0, seconds: 0, branches: 0, features: 0, lastNews: 0, findings: 0 };

/** Inputs in one compressed file, each after its length in four bytes, little-endian. */
export function readCorpus(file: string): Uint8Array[] {
  if (!existsSync(file)) return [];
  const packed = gunzipSync(readFileSync(file));
  const inputs: Uint8Array[] = [];
  for (let offset = 0; offset < packed.length; ) {
    const length = packed.readUInt32LE(offset);
    inputs.push(Uint8Array.from(packed.subarray(offset + 4, offset + 4 + length)));
    offset += 4 + length;
  }
  return inputs;
}

/** The most bytes that the repository keeps for one target. */
const MOST_COMMITTED = 8 * 1024;

/** The first inputs, up to the limit of the repository. */
export function fewEnough(inputs: readonly Uint8Array[]): readonly Uint8Array[] {
  let kept = inputs;
  while (packCorpus(kept).length > MOST_COMMITTED) kept = kept.slice(0, Math.floor(kept.length * 0.9));
  return kept;
}

function packCorpus(inputs: readonly Uint8Array[]): Uint8Array {
  const parts = inputs.flatMap((input) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(input.length);
    return [length, input];
  });
  return gzipSync(Buffer.concat(parts), { level: 9 });
}

export function writeCorpus(file: string, inputs: readonly Uint8Array[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, packCorpus(inputs));
  renameSync(`${file}.new`, file);
}

/** The committed corpus of a target. */
export function committedCorpus(target: string): string {
  return join('test/fuzz/corpus', `${target.replace('/', '-')}.gz`);
}

/** Corpus, totals and findings of a target in a folder outside the repository. */
export class State {
  readonly #folder: string;

  constructor(folder: string, target: string) {
    this.#folder = join(folder, target.replace('/', '-'));
  }

  get corpus(): Uint8Array[] {
    return readCorpus(join(this.#folder, 'corpus.gz'));
  }

  get totals(): Totals {
    const file = join(this.#folder, 'totals.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : NO_TOTALS;
  }

  keep(corpus: readonly Uint8Array[], totals: Totals): void {
    writeCorpus(join(this.#folder, 'corpus.gz'), corpus);
    writeFileSync(join(this.#folder, 'totals.json'), `${JSON.stringify(totals, null, 2)}\n`);
  }

  /** Returns the file of the input. */
  keepFinding(input: Uint8Array, signature: string, message: string): string {
    mkdirSync(this.#folder, { recursive: true });
    const name = signature.replace(/[^\w]+/g, '-').slice(0, 80);
    writeFileSync(join(this.#folder, `${name}.txt`), `${signature}\n${message}\n`);
    const file = join(this.#folder, `${name}.input`);
    writeFileSync(file, input);
    return file;
  }
}
