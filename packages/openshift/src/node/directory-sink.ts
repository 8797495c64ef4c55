import type { BigIntStats } from 'node:fs';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCopy } from '@coreiso/iso/node';
import { OpenshiftError } from '../errors.ts';
import type { BuiltImage, NamedOutput } from '../images/changes.ts';
import { digestOf } from '../sinks/digest.ts';
import {
  checkImages,
  checkParallel,
  drain,
  type ImageSink,
  PARALLEL,
  type Stored,
  type StoreImage,
} from '../sinks/sink.ts';
import { makeStaging, removeStaging, thisBoot } from './staging.ts';
import { syncNames } from './sync-names.ts';

/** Options of a fleet in a directory. */
export interface DirectorySinkOptions {
  /** Number of images to write at the same time (default: 4). */
  readonly parallel?: number | undefined;
  /** `flat`, the default: all files in one directory. `folders`: one directory per host, with links to shared files. */
  readonly layout?: 'flat' | 'folders' | undefined;
  /** Which files may be replaced: those of an earlier fleet (default), or all. */
  readonly replace?: 'own' | 'any' | undefined;
  /** Whether to sync files to disk, so that they survive a power loss. */
  readonly durable?: boolean | undefined;
}

/** The record of a written file: it shows whether the file is still there and unchanged, and what it was made from. */
interface Note {
  readonly digest: string;
  readonly size: number;
  readonly ino: string;
  readonly mtimeNs: string;
  /** When it was written, unless it was synced: a power loss may have damaged it since. */
  readonly boot?: string;
}

/** Directory beside the files: a record for each, and files that are being written. */
const STATE = '.coreiso-fleet';
/** The record of links to shared files, by host. */
const LINKS = 'links';
/** Images hold secrets. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Stores a fleet in a directory. On btrfs and xfs images share the blocks of their base if that is a `fileSource`; otherwise they
 * are copies. The files of a host appear once all of them are complete.
 *
 * @example
 * ```ts
 * const sink = directorySink('/srv/images');
 * for await (const { location, sent } of sink.write(await openImages(base, plan, { perHost: true }))) console.log(location, sent);
 * ```
 */
export function directorySink(directory: string, options: DirectorySinkOptions = {}): ImageSink {
  if (typeof directory !== 'string' || directory === '') throw new TypeError('directory must be a path');
  const { parallel = PARALLEL, layout = 'flat' } = options;
  checkParallel(parallel);
  return {
    async *write(images, work = {}) {
      checkImages(images);
      await mkdir(join(directory, STATE), { recursive: true, mode: PRIVATE_FOLDER });
      await removeStaging(join(directory, STATE));
      const writer = new ImageWriter(directory, options);
      let shared: readonly NamedOutput[] = [];
      const store: StoreImage = (image, signal) => {
        if (image.host === undefined) shared = image.outputs;
        return writer.write(image, layout === 'folders' ? shared : [], signal);
      };
      yield* drain(images, parallel, store, work);
    },
  };
}

/** Writes and records the files of one host, or the shared files. */
class ImageWriter {
  readonly #directory: string;
  readonly #options: DirectorySinkOptions;

  constructor(directory: string, options: DirectorySinkOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  async write(
    { host, outputs }: BuiltImage,
    shared: readonly NamedOutput[],
    signal: AbortSignal | undefined,
  ): Promise<Stored[]> {
    const { layout = 'flat' } = this.#options;
    const folder = layout === 'folders' && host !== undefined ? join(this.#directory, host) : this.#directory;
    const places: Place[] = [];
    for (const { name, source } of outputs) {
      const digest = await digestOf({ name, source }, signal);
      places.push({
        name,
        source,
        digest,
        path: join(folder, name),
        note: join(this.#directory, STATE, `${name}.json`),
      });
    }
    const isPresent = await this.#arePresent(places);
    const sent = isPresent ? new Map<string, number>() : await this.#writeAll(folder, places, signal);
    if (host !== undefined && shared.length > 0) await this.#linkShared(folder, host, shared);
    return places.map(({ name, source, digest, path }) => ({
      name,
      host,
      location: path,
      size: source.size,
      digest,
      outcome: isPresent ? 'present' : 'written',
      sent: sent.get(name) ?? 0,
    }));
  }

  async #arePresent(places: readonly Place[]): Promise<boolean> {
    for (const place of places) {
      const [note, there] = [await readNote(place.note), await statusOf(place.path)];
      if (there === undefined) return false;
      if (note === undefined) this.#mayReplace(place);
      const isSame =
        note?.digest === place.digest &&
        note.size === place.source.size &&
        (note.boot === undefined || note.boot === thisBoot()) &&
        there.size === BigInt(note.size) &&
        String(there.ino) === note.ino &&
        String(there.mtimeNs) === note.mtimeNs;
      if (!isSame) return false;
    }
    return true;
  }

  /** A file without a record belongs to another user or program. */
  #mayReplace({ path, name }: Pick<Place, 'path' | 'name'>): void {
    if (this.#options.replace === 'any') return;
    throw new OpenshiftError('OPENSHIFT_OUTPUT_EXISTS', `${path} exists and belongs to no fleet`, { file: name });
  }

  /** Writes all files to a staging directory, then moves them into place; returns the number of bytes of each. */
  async #writeAll(
    folder: string,
    places: readonly Place[],
    signal: AbortSignal | undefined,
  ): Promise<Map<string, number>> {
    const { durable = false } = this.#options;
    const written = new Map<string, number>();
    const staging = await makeStaging(join(this.#directory, STATE));
    try {
      for (const { name, source } of places) {
        const { shared } = await writeCopy(source, join(staging, name), {
          mode: PRIVATE_FILE,
          durable,
          signal,
        });
        written.set(name, source.size - shared);
      }
      signal?.throwIfAborted();
      await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
      for (const { name, path, note, digest, source } of places) {
        const { ino, mtimeNs } = await stat(join(staging, name), { bigint: true });
        const contents: Note = {
          digest,
          size: source.size,
          ino: String(ino),
          mtimeNs: String(mtimeNs),
          ...(durable ? {} : { boot: thisBoot() }),
        };
        // The record comes first: after a crash it matches no file, and the next run writes again.
        await writeFile(join(staging, `${name}.json`), JSON.stringify(contents), { mode: PRIVATE_FILE });
        await rename(join(staging, `${name}.json`), note);
        await rename(join(staging, name), path);
      }
      if (durable) await syncNames(places.map(({ path }) => path));
      return written;
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async #linkShared(folder: string, host: string, shared: readonly NamedOutput[]): Promise<void> {
    const notes = join(this.#directory, STATE, LINKS, host);
    await mkdir(notes, { recursive: true, mode: PRIVATE_FOLDER });
    for (const { name } of shared) {
      const [from, to] = [join(this.#directory, name), join(folder, name)];
      const there = await statusOf(to);
      if (there !== undefined && there.ino === (await statusOf(from))?.ino) continue;
      const note = join(notes, name);
      if (there !== undefined && (await statusOf(note)) === undefined) this.#mayReplace({ path: to, name });
      const temporary = await makeStaging(join(this.#directory, STATE));
      try {
        await link(from, join(temporary, name));
        await writeFile(note, '', { mode: PRIVATE_FILE });
        await rename(join(temporary, name), to);
      } finally {
        await rm(temporary, { recursive: true, force: true });
      }
    }
  }
}

/** A file, its path, and the path of its record. */
interface Place extends NamedOutput {
  readonly digest: string;
  readonly path: string;
  readonly note: string;
}

async function readNote(path: string): Promise<Note | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    // A damaged record only proves that the file was our own.
    if (error instanceof SyntaxError) return { digest: '', size: 0, ino: '', mtimeNs: '' };
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function statusOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
