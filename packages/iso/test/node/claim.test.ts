import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { Claim } from '../../src/node/claim.ts';
import { newWriter } from '../../src/node/writer.ts';
import { Disk, systemError } from './support/disk.ts';

const IMAGE = '/images/live.iso';
const claimFile = (number: number): string => `/images/.coreiso-4711.claim-${number}`;
const take = (disk: Disk, doing?: string): Promise<Claim> => Claim.take(disk, IMAGE, '4711', doing);
const dead = (): Uint8Array => Buffer.from(JSON.stringify({ ...newWriter(), started: 'earlier' }));

test('one at a time holds a claim, and the others learn who does what', async () => {
  const disk = new Disk();
  const claim = await take(disk);
  expect([disk.list(), disk.modeOf(claimFile(1)), disk.openFiles]).toEqual([[claimFile(1)], 0o600, 0]);
  const holder = `process ${process.pid} of ${hostname()}`;
  await expect(take(disk)).rejects.toMatchObject({
    code: 'ISO_BUSY',
    message: `${holder} is restoring ${IMAGE}`,
  });
  await expect(take(disk, 'fetching')).rejects.toMatchObject({ message: `${holder} is fetching ${IMAGE}` });
  expect([disk.list(), disk.openFiles]).toEqual([[claimFile(1)], 0]);
  await claim.release();
  expect(disk.list()).toEqual([]);
  await (await take(disk)).end();
  expect(disk.list()).toEqual([]);
});

test('after a holder that died the next number counts; who lets go leaves the dead ones to whoever ends it', async () => {
  const disk = new Disk().put(claimFile(1), dead()).put(claimFile(2), dead());
  const claim = await take(disk);
  expect(disk.list()).toEqual([claimFile(1), claimFile(2), claimFile(3)]);
  await claim.release();
  expect(disk.list()).toEqual([claimFile(1), claimFile(2)]);
  await (await take(disk)).end();
  expect([disk.list(), disk.openFiles]).toEqual([[], 0]);
});

test('a claim that goes away while it is looked at was held a moment ago', async () => {
  const disk = new Disk().put(claimFile(1), dead());
  disk.open = () => Promise.reject(systemError('ENOENT', 'open'));
  await expect(take(disk)).rejects.toMatchObject({
    code: 'ISO_BUSY',
    message: `another program is restoring ${IMAGE}`,
  });
});

test('a claim that cannot be read, or not be made, is no claim of somebody else', async () => {
  const unreadable = new Disk().put(claimFile(1), dead());
  unreadable.open = () => Promise.reject(systemError('EACCES', 'open'));
  await expect(take(unreadable)).rejects.toMatchObject({ code: 'EACCES' });
  const full = new Disk();
  full.failAt(2, 'ENOSPC halfway');
  await expect(take(full)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect([full.list(), full.openFiles]).toEqual([[], 0]);
});
