import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileSource } from '../../src/node/file-source.ts';
import { pattern } from './support/images.ts';
import { Actor, compileTo } from './support/processes.ts';

/** Dozens of processes, one after another. */
const PATIENCE = 300_000;

const before = pattern(40_000);
const edited = (byte: number): Uint8Array => before.slice().fill(byte, 100, 5100).fill(byte, 20_000, 25_000);
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

let home: string;
let compiled: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'coreiso-processes-'));
  compiled = join(home, 'compiled');
  await compileTo(compiled);
  await halfWritten();
  return () => rmSync(home, { recursive: true, force: true });
});

function newImage(): { directory: string; image: string } {
  const directory = mkdtempSync(join(home, 'image-'));
  const image = join(directory, 'a.iso');
  writeFileSync(image, before);
  return { directory, image };
}

const journalsIn = (directory: string): string[] => readdirSync(directory).filter((name) => /journal|claim/.test(name));

/** Runs `work` for 1, 2, 3 … until it has no such operation, four at a time. */
async function atEveryOperation(work: (operation: number) => Promise<'stopped' | 'ended'>): Promise<number> {
  for (let first = 1; ; first += 4) {
    const outcomes = await Promise.all([0, 1, 2, 3].map((more) => work(first + more)));
    if (outcomes.includes('ended')) return first;
  }
}

/** The operation of an edit at which some of its bytes are written. */
let halfway = 20;

/** An image whose writer was killed after some of its bytes were written. */
async function halfWritten(): Promise<{ directory: string; image: string }> {
  for (; ; halfway++) {
    const place = newImage();
    const actor = new Actor(compiled, place.image, { stopAt: halfway, byte: 1 });
    expect(await actor.says()).toBe('stopped');
    await actor.kill();
    const now = readFileSync(place.image);
    if (!same(now, before) && !same(now, edited(1))) return place;
  }
}

test('leaves the old image or the new one if an edit is killed at any operation', { timeout: PATIENCE }, async () => {
  const operations = await atEveryOperation(async (stopAt) => {
    const { directory, image } = newImage();
    const actor = new Actor(compiled, image, { stopAt, byte: 1 });
    if ((await actor.says()) !== 'stopped') return 'ended';
    await actor.kill();
    await using source = await fileSource(image);
    const now = await source.read(0, source.size);
    expect(same(now, before) || same(now, edited(1))).toBe(true);
    expect(journalsIn(directory)).toEqual([]);
    expect(readdirSync(directory)).toEqual([basename(image)]);
    return 'stopped';
  });
  expect(operations).toBeGreaterThan(20);
});

describe('after a writer was killed', { timeout: PATIENCE }, () => {
  test('a restoring process that is delayed anywhere never undoes later writes of another one', async () => {
    let writes = 0;
    await atEveryOperation(async (stopAt) => {
      const { directory, image } = await halfWritten();
      const slow = new Actor(compiled, image, { stopAt });
      if ((await slow.says()) !== 'stopped') return 'ended';
      const other = await new Actor(compiled, image, { byte: 2 }).says();
      expect(other).toMatch(/^(done|ISO_BUSY)$/);
      slow.goOn();
      expect(await slow.says()).toMatch(/^(done|ISO_BUSY)$/);
      expect(same(readFileSync(image), other === 'done' ? edited(2) : before)).toBe(true);
      expect(journalsIn(directory)).toEqual([]);
      if (other === 'done') writes++;
      return 'stopped';
    });
    expect(writes).toBeGreaterThan(0);
  });

  test('a restoring process that is killed anywhere leaves the work to the next one', async () => {
    await atEveryOperation(async (stopAt) => {
      const { directory, image } = await halfWritten();
      const restoring = new Actor(compiled, image, { stopAt });
      if ((await restoring.says()) !== 'stopped') return 'ended';
      await restoring.kill();
      await using source = await fileSource(image);
      expect(same(await source.read(0, source.size), before)).toBe(true);
      expect(journalsIn(directory).filter((name) => name.includes('journal'))).toEqual([]);
      return 'stopped';
    });
  });

  test('another image with its name stays unchanged', async () => {
    const { directory, image } = await halfWritten();
    writeFileSync(join(directory, 'b.iso'), edited(1));
    renameSync(join(directory, 'b.iso'), image);
    expect(await new Actor(compiled, image).says()).toBe('ISO_NEEDS_ROLLBACK');
    expect(same(readFileSync(image), edited(1))).toBe(true);
  });

  test.each([
    ['a new name', renameSync],
    ['a second name', linkSync],
  ])('%s does not make a complete image out of half of one', async (_, give) => {
    const { directory, image } = await halfWritten();
    give(image, join(directory, 'b.iso'));
    expect(await new Actor(compiled, join(directory, 'b.iso')).says()).toBe('ISO_NEEDS_ROLLBACK');
    if (give === renameSync) renameSync(join(directory, 'b.iso'), image);
    expect(await new Actor(compiled, image).says()).toBe('done');
    expect(same(readFileSync(image), before)).toBe(true);
  });
});

test('reports the image as busy while its writer is stopped', async () => {
  const { image } = newImage();
  const writer = new Actor(compiled, image, { stopAt: 25, byte: 1 });
  expect(await writer.says()).toBe('stopped');
  expect(await new Actor(compiled, image, { byte: 2 }).says()).toBe('ISO_BUSY');
  writer.goOn();
  expect(await writer.says()).toBe('done');
  expect(same(readFileSync(image), edited(1))).toBe(true);
});
