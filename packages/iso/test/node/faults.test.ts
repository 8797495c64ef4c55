import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../src/bytes/source.ts';
import { fileSourceOn } from '../../src/node/file-source.ts';
import { patchInPlace } from '../../src/node/patch-in-place.ts';
import { writeCopyOn } from '../../src/node/write-copy.ts';
import { Disk, type Fault, type Survival } from './support/disk.ts';
import { EDITS, pattern } from './support/images.ts';

const IMAGE = '/images/live.iso';
const COPY = '/images/copy.iso';
const CRASHES: Fault[] = ['crash before', 'crash after', 'crash halfway'];
const FAILURES: Fault[] = ['EIO before', 'EIO after', 'ENOSPC halfway', 'abort'];

/** All, none, and some of the unsynced changes survive. */
const SURVIVALS: Survival[] = [() => true, () => false, ...[1, 2, 3, 4, 5].map(coin)];

function coin(seed: number): Survival {
  let state = seed * 7919;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return (state >> 20) % 2 === 0;
  };
}

const equal = (a: Uint8Array | undefined, b: Uint8Array): boolean => a !== undefined && Buffer.compare(a, b) === 0;

interface Attempt {
  readonly disk: Disk;
  readonly error: unknown;
}

type Scenario = (disk: Disk, signal: AbortSignal) => Promise<void>;

/** Runs a scenario once per operation with a fault at each; the last run meets none and must succeed. */
async function atEveryOperation(
  fault: Fault,
  prepare: () => Disk,
  scenario: Scenario,
  inspect: (attempt: Attempt) => Promise<void>,
): Promise<Disk> {
  for (let at = 1; ; at++) {
    const disk = prepare();
    const abort = new AbortController();
    disk.onAbort = () => abort.abort();
    disk.failAt(at, fault);
    let error: unknown;
    try {
      await scenario(disk, abort.signal);
    } catch (thrown) {
      error = thrown;
    }
    expect(disk.openFiles).toBe(0);
    if (!disk.failed) {
      expect(error).toBeUndefined();
      expect(at).toBeGreaterThan(5);
      return disk;
    }
    await inspect({ disk, error });
  }
}

async function contentsOnceOpened(disk: Disk, path: string): Promise<Uint8Array> {
  await using source = await fileSourceOn(path, {}, disk);
  return source.read(0, source.size);
}

const patched =
  (edit: (typeof EDITS)[number][2], journal = true): Scenario =>
  async (disk, signal) => {
    await using file = await fileSourceOn(IMAGE, { writable: true }, disk);
    await patchInPlace(edit(file), file, { signal, journal });
  };

const litter = (disk: Disk): string[] => disk.list().filter((path) => path !== IMAGE && path !== COPY);

describe.each(EDITS)('writing %s in place', (_, size, edit) => {
  const before = pattern(size);
  const prepare = (): Disk => new Disk().put(IMAGE, before);
  const after = async (): Promise<Uint8Array> => {
    const whole = edit(bytesSource(before));
    return whole.read(0, whole.size);
  };

  test('works, and leaves nothing else behind', async () => {
    const disk = prepare();
    await patched(edit)(disk, new AbortController().signal);
    expect(equal(disk.get(IMAGE), await after())).toBe(true);
    expect(disk.list()).toEqual([IMAGE]);
    expect(equal(disk.afterCrash(() => false).get(IMAGE), await after())).toBe(true);
  });

  test('works without a journal', async () => {
    const disk = prepare();
    await patched(edit, false)(disk, new AbortController().signal);
    expect(equal(disk.afterCrash(() => false).get(IMAGE), await after())).toBe(true);
    expect(disk.list()).toEqual([IMAGE]);
  });

  test.each(CRASHES)('leaves the old image or the new one after a %s any operation', async (fault) => {
    const expected = await after();
    await atEveryOperation(fault, prepare, patched(edit), async ({ disk }) => {
      // Finally all names, but only the synced contents.
      const names = disk.afterCrash(
        () => false,
        () => true,
      );
      for (const next of [...SURVIVALS.map((survives) => disk.afterCrash(survives)), names]) {
        const contents = await contentsOnceOpened(next, IMAGE);
        expect(equal(contents, before) || equal(contents, expected)).toBe(true);
        expect(litter(next).filter((path) => path.includes('journal'))).toEqual([]);
        expect(next.openFiles).toBe(0);
      }
    });
  });

  test('a crash while an image is restored changes nothing about the outcome', async () => {
    const expected = await after();
    await atEveryOperation('crash before', prepare, patched(edit), async ({ disk }) => {
      for (let at = 1; ; at++) {
        const next = disk.afterCrash(coin(at));
        next.failAt(at, 'crash halfway');
        await fileSourceOn(IMAGE, {}, next).catch(() => undefined);
        if (!next.failed) break;
        const contents = await contentsOnceOpened(next.afterCrash(coin(at + 1)), IMAGE);
        expect(equal(contents, before) || equal(contents, expected)).toBe(true);
      }
    });
  });

  test.each(FAILURES)('a failure (%s) at any operation is reported, and the image is whole', async (fault) => {
    const expected = await after();
    await atEveryOperation(fault, prepare, patched(edit), async ({ disk, error }) => {
      const now = disk.get(IMAGE) ?? new Uint8Array();
      const isNew = equal(now, expected);
      if (error === undefined) {
        expect(isNew).toBe(true);
      } else if (fault === 'abort') {
        expect(error).toMatchObject({ name: 'AbortError' });
        expect(equal(now, before)).toBe(true);
      } else {
        expect(error).toMatchObject({
          name: 'IsoError',
          code: expect.stringMatching(/^ISO_(IO|NO_SPACE|NEEDS_ROLLBACK|NOT_DURABLE)$/),
        });
      }
      const contents = await contentsOnceOpened(disk, IMAGE);
      expect(equal(contents, before) || equal(contents, expected)).toBe(true);
      expect(litter(disk).filter((path) => path.includes('journal'))).toEqual([]);
    });
  });
});

describe.each([
  ['by reading and writing', false, true],
  ['by sharing blocks', true, true],
  ['on a file system without links', false, false],
])('copying %s', (_, canClone, canLink) => {
  const before = pattern(1000);
  const edit = EDITS.find(([name]) => name === 'a tail')![2];
  const after = async (): Promise<Uint8Array> => {
    const whole = edit(bytesSource(before));
    return whole.read(0, whole.size);
  };
  const prepare = (): Disk => Object.assign(new Disk().put(IMAGE, before), { canClone, canLink });
  const copied =
    (replace: boolean): Scenario =>
    async (disk, signal) => {
      await using file = await fileSourceOn(IMAGE, {}, disk);
      await writeCopyOn(edit(file), COPY, { signal, replace, mode: 0o640, durable: true }, disk);
    };

  test('works, and leaves nothing else behind', async () => {
    const disk = prepare();
    await copied(false)(disk, new AbortController().signal);
    const later = disk.afterCrash(() => false);
    expect(equal(later.get(COPY), await after())).toBe(true);
    expect(later.modeOf(COPY)).toBe(0o640);
    expect(disk.list()).toEqual([COPY, IMAGE]);
    expect(disk.operations.includes('truncate')).toBe(false);
  });

  test.each(CRASHES)('a %s any operation leaves the whole copy or none', async (fault) => {
    const expected = await after();
    await atEveryOperation(fault, prepare, copied(false), async ({ disk }) => {
      for (const survives of SURVIVALS) {
        const next = disk.afterCrash(survives);
        const contents = next.get(COPY);
        expect(contents === undefined || equal(contents, expected)).toBe(true);
        expect(equal(next.get(IMAGE), before)).toBe(true);
      }
    });
  });

  test.each(CRASHES)('a %s any operation leaves the replaced file or the whole copy', async (fault) => {
    const expected = await after();
    const old = pattern(50, 9);
    await atEveryOperation(
      fault,
      () => prepare().put(COPY, old),
      copied(true),
      async ({ disk }) => {
        for (const survives of SURVIVALS) {
          const contents = disk.afterCrash(survives).get(COPY);
          expect(equal(contents, old) || equal(contents, expected)).toBe(true);
        }
      },
    );
  });

  test.each(FAILURES)('a failure (%s) at any operation is reported and removes what was begun', async (fault) => {
    const expected = await after();
    await atEveryOperation(fault, prepare, copied(false), async ({ disk, error }) => {
      const contents = disk.get(COPY);
      expect(contents === undefined || equal(contents, expected)).toBe(true);
      if (error === undefined) {
        expect(contents).toBeDefined();
      } else if (fault === 'abort') {
        expect(error).toMatchObject({ name: 'AbortError' });
        expect(contents).toBeUndefined();
      } else {
        expect(error).toMatchObject({ name: 'IsoError' });
      }
      const cleaningFailed = disk.operations.at(-1) === 'unlink' && error !== undefined && fault !== 'abort';
      if (!cleaningFailed) expect(litter(disk)).toEqual([]);
    });
  });
});
