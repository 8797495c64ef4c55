import { createHash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** A served file in versions that never have equal four bytes at one offset; every client knows all versions. */
export class ServedImage {
  readonly path: string;
  readonly size: number;
  readonly versions: Buffer[] = [];

  constructor(path: string, size: number) {
    this.path = path;
    this.size = size;
    this.replace();
  }

  /** Replaces the file with a new version, in one step. */
  replace(): void {
    writeFileSync(`${this.path}.new`, this.#next());
    renameSync(`${this.path}.new`, this.path);
  }

  /** Overwrites the file with a new version in place. */
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
    // A few are enough: a slow reader may still have an earlier one.
    if (this.versions.length >= 8) this.versions.shift();
    this.versions.push(bytes);
    return bytes;
  }

  /** Whether bytes from `offset` on are those of one version. */
  isWhole(bytes: Buffer, offset: number): boolean {
    return this.versions.some((version) => version.subarray(offset, offset + bytes.length).equals(bytes));
  }
}
