import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { toHex } from '../bytes/source.ts';
import type { Hash } from '../checksums/sha256.ts';
import { IsoError } from '../errors.ts';
import { isOwn, openOwn, readSmall } from './cache/own-file.ts';
import { nativeSha256 } from './native.ts';
import { temporaryBeside } from './recovery/temporary.ts';

/** The version of the downloaded file: a part of another version is useless. */
export interface DownloadIdentity {
  /** `undefined` if the download cannot be continued. */
  readonly size: number | undefined;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

const BLOCK = 1024 * 1024;
/** Limit of the note about a download, which has a few hundred bytes. */
const LONGEST_NOTE = 64 * 1024;

/** A file that arrives in pieces, is hashed on arrival, and can be continued after an interruption. */
export class Download {
  readonly path: string;
  #fd: number | undefined;
  #hash: Hash = nativeSha256();
  #done = 0;
  #canContinue = false;
  /** Whether a part of it comes from an earlier run. */
  wasContinued = false;

  constructor(path: string) {
    this.path = path;
  }

  /** Number of bytes that have arrived. */
  get done(): number {
    return this.#done;
  }

  /** Continues the existing part if it is of the same version; otherwise starts again. */
  begin(identity: DownloadIdentity): void {
    const now = JSON.stringify(identity);
    this.#canContinue = (identity.etag ?? identity.lastModified) !== undefined;
    const isSame = this.#canContinue && readSmall(this.#notePath, LONGEST_NOTE, isOwn) === now;
    this.#fd ??= openOwn(this.path);
    if (!isSame) ftruncateSync(this.#fd, 0);
    Download.writeSmall(this.#notePath, now);
    this.#hash = nativeSha256();
    this.#done = 0;
    if (isSame) this.#readBack(this.#fd, identity.size ?? 0);
    this.wasContinued = this.#done > 0;
  }

  write(chunk: Uint8Array): void {
    if (this.#fd === undefined) throw new TypeError('begin must be called before write');
    this.#hash.update(chunk);
    for (let done = 0; done < chunk.length; ) done += writeSync(this.#fd, chunk, done);
    this.#done += chunk.length;
  }

  /** Returns the digest of the file; removes the file and fails if it should have another one. */
  finish(sha256: string | undefined, origin: string): string {
    const found = toHex(this.#hash.digest());
    if (sha256 !== undefined && found !== sha256) {
      this.#remove();
      const message = `the file from ${origin} has the SHA-256 digest ${found}, but should have ${sha256}`;
      throw new IsoError('ISO_WRONG_DIGEST', message);
    }
    if (this.#fd !== undefined) fsyncSync(this.#fd);
    return found;
  }

  /** Moves the file to its final path, read-only. */
  moveTo(path: string): void {
    if (this.#fd === undefined) throw new TypeError('begin must be called before moveTo');
    fchmodSync(this.#fd, 0o444);
    const { dev, ino } = fstatSync(this.#fd, { bigint: true });
    // Windows cannot rename an open file.
    this.close();
    renameSync(this.path, path);
    rmSync(this.#notePath, { force: true });
    const there = lstatSync(path, { bigint: true });
    if (there.dev === dev && there.ino === ino) return;
    rmSync(path, { force: true });
    throw new IsoError('ISO_CHANGED', `${this.path} was replaced while it was being written`);
  }

  /** Removes the part, unless a later download can continue it. */
  abandon(): void {
    if (!this.#canContinue && this.#fd !== undefined) this.#remove();
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  /** Replaces a small file atomically. */
  static writeSmall(path: string, text: string): void {
    const temporary = temporaryBeside(path);
    writeFileSync(temporary, text, { mode: 0o644, flag: 'wx' });
    renameSync(temporary, path);
  }

  get #notePath(): string {
    return `${this.path}.json`;
  }

  /** Hashes the existing part; drops it if it is longer than the file. */
  #readBack(fd: number, size: number): void {
    const block = new Uint8Array(BLOCK);
    for (let count = -1; count !== 0; this.#done += count) {
      count = readSync(fd, block, 0, BLOCK, this.#done);
      this.#hash.update(block.subarray(0, count));
    }
    if (this.#done <= size) return;
    ftruncateSync(fd, 0);
    this.#hash = nativeSha256();
    this.#done = 0;
  }

  #remove(): void {
    this.close();
    rmSync(this.path, { force: true });
    rmSync(this.#notePath, { force: true });
  }
}
