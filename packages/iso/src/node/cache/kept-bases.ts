// The files of a cache folder: `DIGEST.iso` with a note `DIGEST.json`, and `KEY.note` under the key of a release.
// Anyone with write access to the folder can change them, so a base counts only if its contents match the digest in its
// name.
import { closeSync, lstatSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { toHex } from '../../bytes/source.ts';
import { Download } from '../download.ts';
import { nativeSha256 } from '../native.ts';
import { openRegular, readSmall, thisUser } from './own-file.ts';

/** A complete and verified base image on disk. */
export interface CachedBase {
  readonly path: string;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly size: number;
  /** The address that it came from, without credentials. */
  readonly origin: string;
}

/** When to hash a cached base again. */
export type VerifyWhen = 'after a change' | 'always';

interface Note {
  readonly sha256: string;
  readonly size: number;
  readonly origin: string;
  /** The mark of the file when it last had the right digest. */
  readonly verified: string | undefined;
}

const DIGEST = /^[0-9a-f]{64}$/;
const BLOCK = 1024 * 1024;
/** A note has a few hundred bytes. */
const LONGEST_NOTE = 64 * 1024;
/** The mode bit of world-writable folders. */
const WORLD_WRITABLE = 0o002;

export class KeptBases {
  readonly #folder: string;
  readonly #verifying: VerifyWhen;
  /** Marks of files with a wrong digest. */
  readonly #wrong = new Set<string>();

  constructor(folder: string, verifying: VerifyWhen) {
    this.#folder = folder;
    this.#verifying = verifying;
  }

  /** The base of a digest, if it is in the cache and its contents match. */
  find(sha256: string): CachedBase | undefined {
    const note = this.#note(`${sha256}.json`);
    if (note === undefined || note.sha256 !== sha256) return undefined;
    const base = this.#base(note);
    const found = markOf(base.path, note.size);
    if (found === undefined || this.#wrong.has(found)) return undefined;
    if (found === note.verified && this.#verifying !== 'always' && !this.#isShared()) return base;
    const verified = hashed(base.path) === sha256 ? markOf(base.path, note.size) : undefined;
    // A file that changed during hashing does not count as verified.
    if (verified !== found) {
      this.#wrong.add(found);
      return undefined;
    }
    if (verified !== note.verified) this.#remark(base, verified);
    return base;
  }

  /** All bases in the cache; usually they are verified only when used. */
  list(): CachedBase[] {
    return this.#names().flatMap((name) => {
      const note = /^[0-9a-f]{64}\.json$/.test(name) ? this.#note(name) : undefined;
      if (this.#verifying === 'always') return this.find(note?.sha256 ?? '') ?? [];
      const base = note === undefined ? undefined : this.#base(note);
      return base === undefined || markOf(base.path, base.size) === undefined ? [] : [base];
    });
  }

  /** The note under a key that is not the digest of a file. */
  recall(key: string): CachedBase | undefined {
    const note = this.#note(`${key}.note`);
    const found = note === undefined ? undefined : this.find(note.sha256);
    return found === undefined || note === undefined ? undefined : { ...found, origin: note.origin };
  }

  remember(key: string, base: CachedBase): void {
    Download.writeSmall(join(this.#folder, `${key}.note`), JSON.stringify(base));
  }

  /** Moves a finished download to its final name. */
  keep(download: Download, sha256: string, origin: string): CachedBase {
    const base = this.#base({ sha256, size: download.done, origin });
    download.moveTo(base.path);
    this.#write(base, markOf(base.path, base.size));
    return base;
  }

  #base({ sha256, size, origin }: Pick<Note, 'sha256' | 'size' | 'origin'>): CachedBase {
    return { path: join(this.#folder, `${sha256}.iso`), sha256, size, origin };
  }

  #write({ path: _, ...base }: CachedBase, verified: string | undefined): void {
    Download.writeSmall(join(this.#folder, `${base.sha256}.json`), JSON.stringify({ ...base, verified }));
  }

  #remark(base: CachedBase, verified: string): void {
    try {
      this.#write(base, verified);
    } catch {
      // The folder is read-only: the next process has to hash the file again.
    }
  }

  /** The contents of a note, if its writer is trusted. */
  #note(name: string): Note | undefined {
    const text = readSmall(join(this.#folder, name), LONGEST_NOTE, (stat) => this.#isTrusted(stat));
    try {
      const { sha256, size, origin, verified } = JSON.parse(text ?? 'null');
      if (typeof sha256 !== 'string' || !DIGEST.test(sha256) || !Number.isSafeInteger(size)) return undefined;
      return { sha256, size, origin: String(origin), verified };
    } catch {
      return undefined;
    }
  }

  /** In a world-writable folder, trusts only files of this user, of root and of the folder's owner. */
  #isTrusted({ uid }: Stats): boolean {
    return !this.#isShared() || [0, thisUser(), statSync(this.#folder).uid].includes(uid);
  }

  #isShared(): boolean {
    return process.platform !== 'win32' && (statSync(this.#folder).mode & WORLD_WRITABLE) !== 0;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder).sort();
    } catch {
      return [];
    }
  }
}

/**
 * A mark that identifies a file of this size and changes when the file changes; `undefined` if there is no such file.
 */
function markOf(path: string, size: number): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true });
    return stat.isFile() && stat.size === BigInt(size) ? `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}` : undefined;
  } catch {
    return undefined;
  }
}

function hashed(path: string): string | undefined {
  const fd = openRegular(path);
  if (fd === undefined) return undefined;
  try {
    const hash = nativeSha256();
    const block = new Uint8Array(BLOCK);
    for (let count = readSync(fd, block); count > 0; count = readSync(fd, block)) hash.update(block.subarray(0, count));
    return toHex(hash.digest());
  } finally {
    closeSync(fd);
  }
}
