// Base images on disk, each under its digest. Several processes may use one folder: one process at a time fetches a
// file, the file appears when it is complete and verified, and the next process continues an interrupted download.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkArgument, checkOptions, WORK } from '@coreiso/peers/arguments';
import type { Release, ReleaseOptions } from '../base/release.ts';
import { toHex, type WorkOptions } from '../bytes/source.ts';
import { toReadableStream } from '../bytes/stream.ts';
import { IsoError } from '../errors.ts';
import type { HttpSourceOptions } from '../http/remote-options.ts';
import { type CachedBase, KeptBases } from './cache/kept-bases.ts';
import { Claim } from './claim.ts';
import { Download } from './download.ts';
import { nodeFileSystem } from './file-system.ts';
import { ioError, namesIn } from './io.ts';
import { nativeSha256 } from './native.ts';
import { removeAbandoned } from './recovery/temporary.ts';

/** A directory of base images. */
export interface BaseCache {
  /** Downloads a file, or finds it in the cache. Continues an interrupted download if the server still has the same file. */
  download(
    url: string,
    options?: Omit<HttpSourceOptions, 'whole'> & {
      /** The expected digest; without it the file cannot be verified. */
      readonly sha256?: string | undefined;
      /** Called before a download, but not if the file is cached; the size is in bytes, if known. */
      readonly onFetch?: ((about: { readonly size: number | undefined }) => void) | undefined;
    },
  ): Promise<CachedBase>;
  /**
   * Extracts the live image of a release, or finds it in the cache. If the release is named by digest, finding it needs
   * no network.
   */
  release(
    pullspec: string,
    options?: ReleaseOptions &
      Parameters<Release['liveIso']>[0] &
      WorkOptions & {
        /** As for `download`. */
        readonly onFetch?: ((about: { readonly size: number | undefined }) => void) | undefined;
      },
  ): Promise<CachedBase>;
  /** The image with a digest, if it is in the cache. */
  find(sha256: string): CachedBase | undefined;
  list(): CachedBase[];
}

const DIGEST = /^[0-9a-f]{64}$/;
/** The interval of checking another process, and the longest time without progress, in milliseconds. */
const LOOK = 250;
const PATIENCE = 120_000;

/**
 * A cache of base images in `directory`, which is created if it is missing.
 *
 * @example
 * ```ts
 * const cache = baseCache('/var/cache/coreiso');
 * const { location, sha256 } = pickStreamFile(await fetchStream('stable'));
 * await using base = await fileSource((await cache.download(location, { sha256 })).path);
 * ```
 */
export function baseCache(
  directory: string,
  options: {
    /**
     * Whether to hash a base each time it is used. By default a base is hashed if its inode or times have changed since
     * the last hash, or if the folder is world-writable.
     */
    readonly verify?: boolean | undefined;
  } = {},
): BaseCache {
  checkArgument('directory', directory, 'text');
  checkOptions(options, { verify: 'flag' });
  const bases = new KeptBases(directory, options.verify ? 'always' : 'after a change');
  const cache = new Folder(directory, bases);
  return {
    find: (sha256) => bases.find(checkDigest(sha256)),
    list: () => bases.list(),
    async download(url, options = {}) {
      checkArgument('url', url, 'text');
      checkOptions(options, { sha256: 'text', onFetch: 'function', ...WORK });
      const { sha256, ...remote } = options;
      const wanted = sha256 === undefined ? undefined : checkDigest(sha256);
      const task: Task = {
        key: wanted ?? hashOf(url),
        origin: nameOf(url),
        signal: remote.signal,
        find: () => (wanted === undefined ? undefined : bases.find(wanted)),
        fetch: (download) => fetchInto(download, url, remote),
      };
      return cache.obtain(task, wanted);
    },
    async release(pullspec, options = {}) {
      checkArgument('pullspec', pullspec, 'text');
      checkOptions(options, { architecture: 'text', stream: 'text', onFetch: 'function', ...WORK });
      const { stream = '', onProgress, onFetch, ...rest } = options;
      const keyOf = (digest: string): string => hashOf(JSON.stringify([digest, rest.architecture ?? 'x86_64', stream]));
      const { parseReference } = await import('../base/reference.ts');
      const { digest } = parseReference(pullspec);
      const known = digest === undefined ? undefined : bases.recall(keyOf(digest));
      if (known !== undefined) return known;
      const { readRelease } = await import('../base/release.ts');
      const release = await readRelease(pullspec, { sha256: nativeSha256, ...rest });
      const key = keyOf(release.digest);
      const found = await cache.obtain({
        key,
        origin: pullspec,
        signal: rest.signal,
        find: () => bases.recall(key),
        async fetch(download) {
          const { SupersededFileError } = await import('../base/layers.ts');
          for (let isRead = false; !isRead; ) {
            const { size, bytes } = await release.liveIso({ stream: stream === '' ? undefined : stream });
            onFetch?.({ size });
            download.begin({ size });
            try {
              for await (const chunk of bytes) {
                download.write(chunk);
                onProgress?.({ done: download.done, total: size });
              }
              isRead = true;
            } catch (error) {
              // The next attempt reads the last entry, which counts.
              if (!(error instanceof SupersededFileError)) throw error;
            }
          }
        },
      });
      bases.remember(key, found);
      // The next call finds the release by its name, without a network.
      if (digest !== undefined) bases.remember(keyOf(digest), found);
      return found;
    },
  };
}

/** A download, made once for all processes that need it. */
interface Task {
  /** Equal in all processes. */
  readonly key: string;
  /** The address without secrets. */
  readonly origin: string;
  readonly signal: AbortSignal | undefined;
  /** Returns the base if it is in the cache by now. */
  find(): CachedBase | undefined;
  fetch(download: Download): Promise<void>;
}

async function fetchInto(
  download: Download,
  url: string,
  { onFetch, ...options }: NonNullable<Parameters<BaseCache['download']>[1]>,
): Promise<void> {
  const { onProgress, signal } = options;
  const { fetchWhole, httpSource } = await import('../http/http-source.ts');
  try {
    const source = await httpSource(url, options);
    const { etag, lastModified, size } = source;
    onFetch?.({ size });
    download.begin({ size, etag, lastModified: lastModified?.toUTCString() });
    const start = download.done;
    const bytes = toReadableStream(source, { start, signal });
    for await (const chunk of bytes) {
      download.write(chunk);
      onProgress?.({ done: download.done, total: size });
    }
  } catch (error) {
    if (!(error instanceof IsoError && error.code === 'ISO_NO_RANGES' && download.done === 0)) throw error;
    onFetch?.({ size: undefined });
    // Keeps disk errors from counting as broken connections: a retry would fetch the whole file for nothing.
    const kept = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        throw ioError(`cannot keep ${nameOf(url)} in ${dirname(download.path)}`, error);
      }
    };
    await fetchWhole(url, options, {
      restart: () => kept(() => download.begin({ size: undefined })),
      write: (chunk) => kept(() => download.write(chunk)),
    });
  }
}

/** A continued download has a wrong digest. */
class SpoiltPart extends IsoError {}

class Folder {
  readonly #path: string;
  readonly #bases: KeptBases;

  constructor(path: string, bases: KeptBases) {
    this.#path = path;
    this.#bases = bases;
  }

  async obtain(task: Task, sha256?: string): Promise<CachedBase> {
    try {
      mkdirSync(this.#path, { recursive: true });
      await removeAbandoned(nodeFileSystem, this.#path, await namesIn(nodeFileSystem, this.#path));
      const claim = await this.#claim(task);
      if (!(claim instanceof Claim)) return claim;
      try {
        const there = task.find();
        if (there !== undefined) return there;
        return await this.#fetch(task, sha256).catch((error) => {
          // The part of an earlier run may have been damaged. It is removed by now, so a second attempt may succeed.
          if (!(error instanceof SpoiltPart)) throw error;
          return this.#fetch(task, sha256);
        });
      } finally {
        await claim.end();
      }
    } catch (error) {
      throw ioError(`cannot keep ${task.origin} in ${this.#path}`, error);
    }
  }

  async #fetch(task: Task, sha256: string | undefined): Promise<CachedBase> {
    const download = new Download(this.#part(task));
    try {
      await task.fetch(download);
      return this.#bases.keep(download, download.finish(sha256, task.origin), task.origin);
    } catch (error) {
      download.abandon();
      throw download.wasContinued && error instanceof IsoError && error.code === 'ISO_WRONG_DIGEST'
        ? new SpoiltPart(error.code, error.message)
        : error;
    } finally {
      download.close();
    }
  }

  #part({ key }: Task): string {
    return join(this.#path, `${key}.part`);
  }

  /** Claims the download, or returns the base that another process has fetched in the meantime. */
  async #claim(task: Task): Promise<Claim | CachedBase> {
    const part = this.#part(task);
    for (let since = Date.now(), before = ''; ; ) {
      task.signal?.throwIfAborted();
      const there = task.find();
      if (there !== undefined) return there;
      try {
        return await Claim.take(nodeFileSystem, part, task.key, `fetching ${task.origin} to`);
      } catch (error) {
        if (!(error instanceof IsoError && error.code === 'ISO_BUSY')) throw error;
        const now = stateOf(part);
        if (now !== before) [since, before] = [Date.now(), now];
        if (Date.now() - since > PATIENCE) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }
}

/** The state of a partial file, which changes while another process makes progress. */
function stateOf(path: string): string {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

function hashOf(text: string): string {
  const hash = nativeSha256();
  hash.update(new TextEncoder().encode(text));
  return toHex(hash.digest());
}

function checkDigest(sha256: string): string {
  const digits = sha256.toLowerCase();
  if (!DIGEST.test(digits)) throw new RangeError('sha256 must be 64 hexadecimal digits');
  return digits;
}

/** The name of an address, without signatures and passwords. */
function nameOf(url: string): string {
  if (!URL.canParse(url)) return 'the file';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
