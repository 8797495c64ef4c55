import { dirname, join } from 'node:path';
import { IsoError } from '../errors.ts';
import { errnoOf, type FileSystem } from './file-system.ts';
import { readFully, removeIfThere, statIfThere, takeName, writeFully } from './io.ts';
import { temporaryBeside } from './recovery/temporary.ts';
import { giveUp, isWriter, newWriter, type Writer, writerStatus } from './writer.ts';

/** The text about a holder has a few hundred bytes. */
const LONGEST = 64 * 1024;

/**
 * The right to act on a journal, or to fetch something, held by one process at a time. A claim is a file that names its
 * holder. A process never removes the claim of another: if the holder dies, the next process makes the claim with the
 * next number, and the process that finishes removes them all.
 */
export class Claim {
  readonly #files: FileSystem;
  readonly #holder: Writer = newWriter();
  readonly #paths: string[] = [];

  private constructor(files: FileSystem) {
    this.#files = files;
  }

  /**
   * Fails with `ISO_BUSY` while another process holds it. `token` is the journal's unique token; `doing` describes the
   * work of holders on `image`.
   */
  static async take(files: FileSystem, image: string, token: string, doing = 'restoring'): Promise<Claim> {
    const claim = new Claim(files);
    try {
      for (let number = 1; ; number++) {
        const path = join(dirname(image), `.coreiso-${token}.claim-${number}`);
        claim.#paths.push(path);
        if (await claim.#make(path)) return claim;
        const holder = await readClaimOwner(files, path);
        // Its holder has just finished.
        if (holder === undefined) throw busyError(image, 'another program', doing);
        if (writerStatus(holder) !== 'gone') throw busyError(image, `process ${holder.pid} of ${holder.host}`, doing);
      }
    } catch (error) {
      giveUp(claim.#holder);
      throw error;
    }
  }

  /** Lets others try. */
  async release(): Promise<void> {
    giveUp(this.#holder);
    await this.#remove(this.#paths.slice(-1));
  }

  /** Removes all claims, after the journal is gone. */
  async end(): Promise<void> {
    giveUp(this.#holder);
    await this.#remove(this.#paths);
  }

  async #remove(paths: readonly string[]): Promise<void> {
    // A claim that cannot be removed does no harm: its holder counts as gone.
    for (const path of paths) await removeIfThere(this.#files, path).catch(() => undefined);
  }

  /** Makes a claim; false if it exists already. */
  async #make(path: string): Promise<boolean> {
    if ((await statIfThere(this.#files, path)) !== undefined) return false;
    const temporary = temporaryBeside(path);
    try {
      const file = await this.#files.open(temporary, 'wx+', 0o600);
      try {
        await writeFully(file, Buffer.from(JSON.stringify(this.#holder)), 0);
        // After a power loss, an empty claim would never be released.
        await file.sync();
      } finally {
        await file.close();
      }
      if ((await takeName(this.#files, temporary, path)) === 'linked') await this.#files.unlink(temporary);
      else await this.#files.rename(temporary, path);
      return true;
    } catch (error) {
      await removeIfThere(this.#files, temporary).catch(() => undefined);
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
  }
}

async function readClaimOwner(files: FileSystem, path: string): Promise<Writer | undefined> {
  try {
    // Opening a pipe would wait for a writer.
    if ((await files.lstat(path)).kind === 'other') throw unreadableClaimError(path);
    const file = await files.open(path, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(LONGEST, (await file.stat()).size));
      return parseHolder(bytes.toString('utf8', 0, await readFully(file, bytes, 0)), path);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Errors do not quote the text, because a link could lead to any file. */
function parseHolder(text: string, path: string): Writer {
  try {
    const holder: unknown = JSON.parse(text);
    if (isWriter(holder)) return holder;
  } catch {
    // Reported below.
  }
  throw unreadableClaimError(path);
}

function unreadableClaimError(path: string): IsoError {
  const help = 'if no other program is at work there, remove it';
  return new IsoError('ISO_BUSY', `${path} does not say which program holds it; ${help}`);
}

function busyError(image: string, who: string, doing: string): IsoError {
  return new IsoError('ISO_BUSY', `${who} is ${doing} ${image}`);
}
