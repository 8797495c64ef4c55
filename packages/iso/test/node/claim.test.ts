import { symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Claim } from '../../src/node/claim.ts';
import { nodeFileSystem } from '../../src/node/file-system.ts';
import { newWriter } from '../../src/node/writer.ts';
import { temporaryDirectory } from './support/directory.ts';
import { Disk, systemError } from './support/disk.ts';

const IMAGE = '/images/live.iso';
const claimFile = (number: number): string => `/images/.coreiso-4711.claim-${number}`;
const take = (disk: Disk, doing?: string): Promise<Claim> => Claim.take(disk, IMAGE, '4711', doing);
const dead = (): Uint8Array => Buffer.from(JSON.stringify({ ...newWriter(), started: 'earlier' }));

test('lets one process hold a claim, and tells the others its holder and its work', async () => {
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

test('uses the next number after a dead holder; release keeps dead claims, and end removes them', async () => {
  const disk = new Disk().put(claimFile(1), dead()).put(claimFile(2), dead());
  const claim = await take(disk);
  expect(disk.list()).toEqual([claimFile(1), claimFile(2), claimFile(3)]);
  await claim.release();
  expect(disk.list()).toEqual([claimFile(1), claimFile(2)]);
  await (await take(disk)).end();
  expect([disk.list(), disk.openFiles]).toEqual([[], 0]);
});

test('reports a claim that disappears during reading as held', async () => {
  const disk = new Disk().put(claimFile(1), dead());
  disk.open = () => Promise.reject(systemError('ENOENT', 'open'));
  await expect(take(disk)).rejects.toMatchObject({
    code: 'ISO_BUSY',
    message: `another program is restoring ${IMAGE}`,
  });
});

test("distinguishes an unreadable or impossible claim from another process's claim", async () => {
  const unreadable = new Disk().put(claimFile(1), dead());
  unreadable.open = () => Promise.reject(systemError('EACCES', 'open'));
  await expect(take(unreadable)).rejects.toMatchObject({ code: 'EACCES' });
  const full = new Disk();
  full.failAt(2, 'ENOSPC halfway');
  await expect(take(full)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect([full.list(), full.openFiles]).toEqual([[], 0]);
});

test.each<[string, string]>([
  ['no JSON', '{"pid":'],
  ['no object', 'null'],
  ['of no process', JSON.stringify({ ...newWriter(), pid: 'secret' })],
  ['of a token that is no name', JSON.stringify({ ...newWriter(), token: '../secret' })],
  ['of a part of a writer', '{"pid":1,"secret":2}'],
  ['longer than a holder', `${' '.repeat(64 * 1024)}${JSON.stringify(newWriter())}`],
])('reports a claim that is %s by its name, without its text', async (_, text) => {
  const disk = new Disk().put(claimFile(1), Buffer.from(text));
  const refused = await take(disk).catch((error) => error);
  expect(refused).toMatchObject({
    code: 'ISO_BUSY',
    message: `${claimFile(1)} does not say which program holds it; if no other program is at work there, remove it`,
  });
  expect(String(refused.cause)).not.toContain('secret');
  expect(disk.openFiles).toBe(0);
});

test('does not follow a claim that is a link', async () => {
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, 'elsewhere'), JSON.stringify({ ...newWriter(), started: 'earlier' }));
  symlinkSync(join(directory, 'elsewhere'), join(directory, '.coreiso-4711.claim-1'));
  await expect(Claim.take(nodeFileSystem, join(directory, 'live.iso'), '4711')).rejects.toMatchObject({
    code: 'ISO_BUSY',
    message: expect.stringContaining('does not say which program holds it'),
  });
});
