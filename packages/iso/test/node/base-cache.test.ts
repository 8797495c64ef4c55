import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { baseCache } from '@coreiso/iso/node';
import { describe, expect, test, vi } from 'vitest';
import { FakeRegistry } from '../base/fake-registry.ts';
import { noise, origin } from '../http/servers.ts';
import { temporaryDirectory } from './support/directory.ts';
import { compileTo } from './support/processes.ts';

const BYTES = noise(9_000_000);
/** The start of the request that opens a file. */
const OPENING = 32_768;
/** Damaged bytes of the same size. */
const SPOILT = BYTES.slice().fill(0, 0, 1000);
const OTHER = noise(500_000);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

function isWhole(path: string): boolean {
  return Buffer.compare(readFileSync(path), BYTES) === 0;
}

describe('a download', () => {
  test('is kept read-only under its digest, and not fetched again', async () => {
    let requests = 0;
    const url = await origin(BYTES, ({ answer }) => {
      requests++;
      answer();
    });
    const cache = baseCache(join(await temporaryDirectory(), 'not', 'there', 'yet'));
    const progress = vi.fn();
    const found = await cache.download(`${url}live.iso?sig=secret`, {
      sha256: SHA256.toUpperCase(),
      onProgress: progress,
    });
    expect(found).toMatchObject({ sha256: SHA256, size: BYTES.length, origin: `${url}live.iso` });
    expect(isWhole(found.path)).toBe(true);
    expect(statSync(found.path).mode & 0o777).toBe(0o444);
    expect(progress).toHaveBeenLastCalledWith({ done: BYTES.length, total: BYTES.length });
    const before = requests;
    expect(await cache.download(url, { sha256: SHA256 })).toEqual(found);
    expect(requests).toBe(before);
    expect([cache.find(SHA256), cache.list()]).toEqual([found, [found]]);
    expect(cache.find('0'.repeat(64))).toBeUndefined();
  });

  test('whose claim cannot be read fails at once, without waiting', async () => {
    const directory = await temporaryDirectory();
    mkdirSync(join(directory, `.coreiso-${SHA256}.claim-1`));
    const download = baseCache(directory).download('http://mirror.test/live.iso', { sha256: SHA256 });
    await expect(download).rejects.toMatchObject({ cause: { code: 'EISDIR' } });
  });

  test('that was interrupted is continued by the next one', async () => {
    const directory = await temporaryDirectory();
    let limit = 4_000_000;
    const starts: number[] = [];
    const url = await origin(BYTES, ({ start, response, answer }) => {
      starts.push(start);
      if (start >= limit) response.destroy();
      else answer();
    });
    const attempt = () => baseCache(directory).download(url, { sha256: SHA256, retries: 0 });
    await expect(attempt()).rejects.toMatchObject({ code: 'ISO_REMOTE' });
    const part = readdirSync(directory).find((name) => name.endsWith('.part')) ?? '';
    const here = statSync(join(directory, part)).size;
    expect(here).toBeGreaterThan(1_000_000);
    limit = Number.POSITIVE_INFINITY;
    starts.length = 0;
    expect(isWhole((await attempt()).path)).toBe(true);
    // The beginning is requested to check the file's version.
    expect(Math.min(...starts.filter((start) => start > OPENING))).toBeGreaterThanOrEqual(here);
    expect(readdirSync(directory).sort()).toEqual([`${SHA256}.iso`, `${SHA256}.json`]);
  });

  test('starts again if the file has changed', async () => {
    const directory = await temporaryDirectory();
    let etag = '"v1"';
    const url = await origin(BYTES, ({ start, response, answer }) => {
      if (etag === '"v1"' && start >= 4_000_000) response.destroy();
      else answer(206, { etag });
    });
    const attempt = () => baseCache(directory).download(url, { sha256: SHA256, retries: 0 });
    await expect(attempt()).rejects.toMatchObject({ code: 'ISO_REMOTE' });
    etag = '"v2"';
    expect(isWhole((await attempt()).path)).toBe(true);
  });

  test('is fetched whole from a server without ranges', async () => {
    let count = 0;
    const url = await origin(BYTES, ({ response, answer }) => {
      const head = { 'content-length': String(BYTES.length) };
      if (count++ === 1) response.writeHead(200, head).write(BYTES.subarray(0, 500_000), () => response.destroy());
      else answer(200, { 'content-range': undefined, ...head }, BYTES);
    });
    expect(isWhole((await baseCache(await temporaryDirectory()).download(url, { sha256: SHA256 })).path)).toBe(true);
  });

  test('with a wrong digest is removed', async () => {
    const directory = await temporaryDirectory();
    const url = await origin(BYTES, ({ answer }) => answer());
    await expect(baseCache(directory).download(url, { sha256: '1'.repeat(64) })).rejects.toMatchObject({
      code: 'ISO_WRONG_DIGEST',
      message: expect.stringContaining(SHA256),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('without an expected digest is kept under its actual one', async () => {
    const url = await origin(BYTES, ({ answer }) => answer());
    expect(await baseCache(await temporaryDirectory()).download(url)).toMatchObject({ sha256: SHA256 });
  });

  test('whose file was truncated on disk counts as missing', async () => {
    const url = await origin(BYTES, ({ answer }) => answer());
    const cache = baseCache(await temporaryDirectory());
    const { path } = await cache.download(url, { sha256: SHA256 });
    truncateSync(path, 10);
    expect(cache.find(SHA256)).toBeUndefined();
  });

  test.each(['x', 'g'.repeat(64), `${'0'.repeat(63)}`])('with an invalid digest is refused: %s', async (sha256) => {
    await expect(baseCache(await temporaryDirectory()).download('http://a.example/', { sha256 })).rejects.toThrow(
      RangeError,
    );
  });
});

describe('a cached base', () => {
  /** A cache with a base, and the number of fetches. */
  const filled = async (verify = false) => {
    const directory = await temporaryDirectory();
    let fetched = 0;
    const url = await origin(BYTES, ({ start, answer }) => {
      if (start === 0) fetched++;
      answer();
    });
    const obtain = () => baseCache(directory, { verify }).download(url, { sha256: SHA256 });
    const { path } = await obtain();
    return { directory, path, obtain, fetched: () => fetched };
  };
  /** Writes other bytes of the same size, and restores `mtime`. */
  const spoil = (path: string): void => {
    const { mtime } = statSync(path);
    chmodSync(path, 0o644);
    writeFileSync(path, SPOILT);
    utimesSync(path, mtime, mtime);
  };

  test.each<[string, (path: string) => void]>([
    ['was written to', spoil],
    [
      'was replaced',
      (path) => {
        writeFileSync(`${path}.new`, SPOILT);
        renameSync(`${path}.new`, path);
      },
    ],
    [
      'became a link',
      (path) => {
        renameSync(path, `${path}.moved`);
        symlinkSync(`${path}.moved`, path);
      },
    ],
  ])('is fetched again if %s', async (_, change) => {
    const { path, obtain, fetched } = await filled();
    change(path);
    expect(isWhole((await obtain()).path)).toBe(true);
    expect(fetched()).toBe(2);
    await obtain();
    expect(fetched()).toBe(2);
  });

  test('that was touched or copied is hashed once and not fetched again', async () => {
    const { directory, path, obtain, fetched } = await filled();
    const note = (): string => readFileSync(join(directory, `${SHA256}.json`), 'utf8');
    const before = note();
    utimesSync(path, 1, 1);
    expect(isWhole((await obtain()).path)).toBe(true);
    const after = note();
    expect(after).not.toBe(before);
    await obtain();
    expect([note(), fetched()]).toEqual([after, 1]);
  });

  test('is not hashed again until it is touched, unless requested', async () => {
    const { directory, path, fetched } = await filled();
    const note = join(directory, `${SHA256}.json`);
    spoil(path);
    const { size, ino, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    // As if these bytes had been verified.
    const verified = `${ino} ${mtimeNs} ${ctimeNs}`;
    writeFileSync(note, JSON.stringify({ sha256: SHA256, size: Number(size), origin: 'x', verified }));
    expect(baseCache(directory).find(SHA256)).toMatchObject({ path });
    expect(baseCache(directory).list()).toHaveLength(1);
    const strict = baseCache(directory, { verify: true });
    expect([strict.find(SHA256), strict.list()]).toEqual([undefined, []]);
    // Anyone who can write to the folder can write the notes.
    chmodSync(directory, 0o777);
    expect(baseCache(directory).find(SHA256)).toBeUndefined();
    expect(fetched()).toBe(1);
  });

  test.each(['{', 'null', '[]', '{"sha256":["x"],"size":1}', '{"sha256":"../x","size":1}', ' '.repeat(70_000)])(
    'with an invalid note counts as missing: %s',
    async (text) => {
      const { directory } = await filled();
      writeFileSync(join(directory, `${SHA256}.json`), text);
      expect([baseCache(directory).find(SHA256), baseCache(directory).list()]).toEqual([undefined, []]);
    },
  );
});

describe('in a folder that others can write to', () => {
  const shared = async (): Promise<{ directory: string; part: string; victim: string }> => {
    const directory = await temporaryDirectory();
    const victim = join(directory, 'victim');
    mkdirSync(join(directory, 'cache'));
    chmodSync(join(directory, 'cache'), 0o777);
    writeFileSync(victim, 'precious', { mode: 0o600 });
    return { directory: join(directory, 'cache'), part: join(directory, 'cache', `${SHA256}.part`), victim };
  };

  test.each<[string, (victim: string, name: string) => void]>([
    ['link', symlinkSync],
    ['second name', linkSync],
  ])('a %s with the name of a download is not followed', async (_, lead) => {
    const url = await origin(BYTES, ({ answer }) => answer());
    for (const suffix of ['', '.json']) {
      const { directory, part, victim } = await shared();
      lead(victim, `${part}${suffix}`);
      expect(isWhole((await baseCache(directory).download(url, { sha256: SHA256 })).path)).toBe(true);
      expect([readFileSync(victim, 'utf8'), statSync(victim).mode & 0o777]).toEqual(['precious', 0o600]);
    }
  });

  test('a part that others could write to is fetched again', async () => {
    const { directory, part } = await shared();
    const etag = '"v1"';
    const url = await origin(BYTES, ({ answer }) => answer(206, { etag }));
    const now = { size: BYTES.length, etag, lastModified: undefined };
    writeFileSync(part, noise(1000));
    chmodSync(part, 0o666);
    writeFileSync(`${part}.json`, JSON.stringify(now));
    expect(isWhole((await baseCache(directory).download(url, { sha256: SHA256 })).path)).toBe(true);
  });

  test('a link instead of a base is replaced', async () => {
    const { directory, victim } = await shared();
    const url = await origin(BYTES, ({ answer }) => answer());
    symlinkSync(victim, join(directory, `${SHA256}.iso`));
    expect(isWhole((await baseCache(directory).download(url, { sha256: SHA256 })).path)).toBe(true);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  test.skipIf(process.getuid?.() !== 0)('notes of other users are not trusted (as root)', async () => {
    const { directory } = await shared();
    const url = await origin(BYTES, ({ answer }) => answer());
    const cache = baseCache(directory);
    await cache.download(url, { sha256: SHA256 });
    chownSync(join(directory, `${SHA256}.json`), 12_345, 12_345);
    expect(cache.find(SHA256)).toBeUndefined();
    chmodSync(directory, 0o775);
    expect(cache.find(SHA256)).toMatchObject({ sha256: SHA256 });
  });
});

describe('several users of one base', () => {
  test('in one process fetch it once', async () => {
    const starts: number[] = [];
    const url = await origin(BYTES, ({ start, answer }) => {
      starts.push(start);
      answer();
    });
    const directory = await temporaryDirectory();
    const all = await Promise.all([1, 2, 3].map(() => baseCache(directory).download(url, { sha256: SHA256 })));
    expect(new Set(all.map(({ path }) => path)).size).toBe(1);
    expect(starts.filter((start) => start === 0)).toHaveLength(1);
  });

  test('do not wait for a dead process, and continue its download', async () => {
    const directory = await temporaryDirectory();
    let stalls = true;
    const starts: number[] = [];
    const url = await origin(BYTES, ({ start, answer }) => {
      starts.push(start);
      // The first process waits for the rest until it is ended.
      if (!stalls || start < 4_000_000) answer();
    });
    const compiled = await temporaryDirectory();
    await compileTo(compiled);
    const child = spawn(process.execPath, [FETCHER, compiled, directory, url, SHA256], { stdio: 'ignore' });
    await grown(directory, child);
    child.kill('SIGKILL');
    await once(child, 'exit');
    stalls = false;
    starts.length = 0;
    const { path } = await baseCache(directory).download(url, { sha256: SHA256 });
    expect(isWhole(path)).toBe(true);
    expect(Math.min(...starts.filter((start) => start > OPENING))).toBeGreaterThan(1_000_000);
    expect(readdirSync(directory).sort()).toEqual([`${SHA256}.iso`, `${SHA256}.json`]);
  });
});

const FETCHER = fileURLToPath(new URL('./support/fetcher.mjs', import.meta.url));

/** Waits until a process has written something. */
async function grown(directory: string, child: ChildProcess): Promise<void> {
  await vi.waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
      expect(statSync(join(directory, `${SHA256}.part`)).size).toBeGreaterThan(1_000_000);
    },
    { timeout: 60_000, interval: 50 },
  );
}

describe('the image of a release', () => {
  test("is kept, and found again by the release's digest without a network", async () => {
    const registry = new FakeRegistry();
    const art = await registry.add([{ 'coreos/coreos-x86_64.iso': BYTES }]);
    const name = `quay.example/ocp/release@${await registry.addRelease(`quay.example/ocp/art@${art}`)}`;
    const cache = baseCache(await temporaryDirectory());
    const found = await cache.release(name, { fetch: registry.fetch });
    expect([found.sha256, isWhole(found.path), found.origin]).toEqual([SHA256, true, name]);
    const offline = () => Promise.reject(new Error('no network'));
    expect(await cache.release(name, { fetch: offline })).toEqual(found);
    // The image of another architecture is a different one.
    await expect(cache.release(name, { fetch: offline, architecture: 'arm64', retries: 0 })).rejects.toMatchObject({
      code: 'ISO_REMOTE',
    });
  });

  test('by a tag is resolved again, and fetched once', async () => {
    const registry = new FakeRegistry();
    const art = await registry.add([{ 'coreos/coreos-x86_64.iso': BYTES, 'coreos/coreos10-x86_64.iso': OTHER }]);
    const digest = await registry.addRelease(`quay.example/ocp/art@${art}`);
    const manifest = registry.manifests.get(digest) ?? new Uint8Array();
    registry.manifests.set('4.20', manifest);
    const cache = baseCache(await temporaryDirectory());
    const name = 'quay.example/ocp/release:4.20';
    const progress = vi.fn();
    const found = await cache.release(name, { ...registry, onProgress: progress });
    expect(progress).toHaveBeenLastCalledWith({ done: BYTES.length, total: BYTES.length });
    const layers = () => registry.asked.filter((path) => path.includes('/ocp/art/')).length;
    const before = layers();
    expect(await cache.release(name, registry)).toEqual(found);
    expect(layers()).toBe(before);
    expect(registry.asked.filter((path) => path.endsWith('/manifests/4.20'))).toHaveLength(2);
    // Its digest is known now; another stream is a different image.
    const offline = { fetch: () => Promise.reject(new Error('no network')), retries: 0 };
    expect(await cache.release(`quay.example/ocp/release@${digest}`, offline)).toEqual(found);
    const other = await cache.release(name, { ...registry, stream: 'rhel-10' });
    expect([other.size, cache.list().length]).toEqual([OTHER.length, 2]);
    expect(await cache.release(name, { ...registry, stream: 'rhel-10' })).toEqual(other);
  });

  test('leaves nothing behind if it fails', async () => {
    const registry = new FakeRegistry();
    const art = await registry.add([{ 'coreos/coreos-x86_64.iso': BYTES }]);
    const name = `quay.example/ocp/release@${await registry.addRelease(`quay.example/ocp/art@${art}`)}`;
    const [largest = ''] = [...registry.blobs].sort(([, a], [, b]) => b.length - a.length).map(([digest]) => digest);
    registry.blobs.set(largest, registry.blobs.get(largest)?.subarray(0, 100_000) ?? new Uint8Array());
    const directory = await temporaryDirectory();
    await expect(baseCache(directory).release(name, { fetch: registry.fetch, retries: 0 })).rejects.toMatchObject({
      code: expect.stringMatching(/ISO_WRONG_DIGEST|ISO_BAD_ARCHIVE/),
    });
    expect(readdirSync(directory).filter((file) => file.endsWith('.iso'))).toEqual([]);
  });
});
