import { createHash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file that is served, in versions that share no four bytes at a place; every client knows all of them. */
export class ServedImage {
  readonly path: string;
  readonly size: number;
  readonly versions: Buffer[] = [];

  constructor(path: string, size: number) {
    this.path = path;
    this.size = size;
    this.replace();
  }

  /** Puts a new version in its place, in one step. */
  replace(): void {
    writeFileSync(`${this.path}.new`, this.#next());
    renameSync(`${this.path}.new`, this.path);
  }

  /** Writes a new version over the old one, into the same file. */
  overwrite(): void {
    writeFileSync(this.path, this.#next(), { flag: 'r+' });
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  #next(): Buffer {
    const bytes = Buffer.alloc(this.size);
    const block = createHash('sha512').update(`version ${this.versions.length}`).digest();
    for (let offset = 0, index = 0; offset < this.size; offset += block.length, index++) {
      block.copy(bytes, offset);
      bytes.writeUInt32BE(index, offset);
    }
    // A few are enough: who reads slowly may still be at the one before.
    if (this.versions.length >= 8) this.versions.shift();
    this.versions.push(bytes);
    return bytes;
  }

  /** Whether bytes from `offset` on are those of one version. */
  isWhole(bytes: Buffer, offset: number): boolean {
    return this.versions.some((version) => version.subarray(offset, offset + bytes.length).equals(bytes));
  }
}
