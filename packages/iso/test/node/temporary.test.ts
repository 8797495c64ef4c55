import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileSourceOn } from '../../src/node/file-source.ts';
import { removeAbandoned, temporaryBeside } from '../../src/node/recovery/temporary.ts';
import { writeCopyOn } from '../../src/node/write-copy.ts';
import { newWriter, type Writer } from '../../src/node/writer.ts';
import { Disk } from './support/disk.ts';
import { pattern } from './support/images.ts';

const IMAGE = '/images/live.iso';
const me = newWriter();
const of = (difference: Partial<Writer> = {}): string => temporaryBeside(IMAGE, { ...newWriter(), ...difference });
/** As if this process had started later. */
const killed = (): string => of({ started: '1' });

test('makes short, hidden and unique temporary names', () => {
  const names = [of(), of()];
  for (const name of names) expect(basename(name)).toMatch(/^\.coreiso-[a-z\d-]{20,110}\.tmp$/);
  expect(names[0]).not.toBe(names[1]);
});

describe.skipIf(!existsSync('/proc/self/stat'))('a temporary file (Linux)', () => {
  test.each<[string, string, 'stays' | 'is removed']>([
    ['by this process', of(), 'stays'],
    ['by an earlier process of the same id', killed(), 'is removed'],
    ['by a process whose id nobody has', of({ pid: 2 ** 22 + 1 }), 'is removed'],
    ['before the start of this machine', of({ boot: 'another' }), 'is removed'],
    ['on another machine', of({ boot: 'another', machine: 'another', started: '1' }), 'stays'],
    ['on another host', of({ boot: 'another', host: 'another', started: '1' }), 'stays'],
    ['in another container', of({ namespace: 'pid:[1]', started: '1' }), 'stays'],
    ['under a name of others', `/images/.coreiso-${me.token}.tmp`, 'stays'],
    ['under a name that is longer', killed().replace('.tmp', '.tmp.iso'), 'stays'],
  ])('%s %s', async (_, path, outcome) => {
    const disk = new Disk().put(path, pattern(10));
    await removeAbandoned(disk, '/images', [basename(path)]);
    expect(disk.list()).toEqual(outcome === 'stays' ? [path] : []);
  });

  test('of a killed process is removed when an image beside it is opened', async () => {
    const disk = new Disk().put(IMAGE, pattern(100)).put(killed(), pattern(10)).put(killed(), pattern(10));
    await (await fileSourceOn(IMAGE, {}, disk)).close();
    expect([disk.list(), disk.openFiles]).toEqual([[IMAGE], 0]);
  });

  test('of a killed process is removed when an image is copied to its folder', async () => {
    const disk = new Disk().put(IMAGE, pattern(100)).put(killed(), pattern(10));
    await using source = await fileSourceOn(IMAGE, {}, disk);
    const left = killed().replace('/images', '/copies');
    disk.put(left, pattern(10)).put('/copies/other', pattern(10));
    await writeCopyOn(source, '/copies/live.iso', {}, disk);
    expect(disk.list()).toEqual(['/copies/live.iso', '/copies/other', IMAGE]);
  });

  test('that cannot be removed blocks nothing', async () => {
    const path = killed();
    const disk = new Disk().put(IMAGE, pattern(100)).put(path, pattern(10));
    disk.unlink = () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'unlink' }));
    await (await fileSourceOn(IMAGE, {}, disk)).close();
    expect(disk.list()).toContain(path);
  });
});
