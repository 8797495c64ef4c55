import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { giveUp, isOfThisBoot, newWriter, type Writer, writerStatus } from '../../src/node/writer.ts';
import { systemError } from './support/disk.ts';

const me = newWriter();
const LATER = 'began later';

describe.skipIf(!existsSync('/proc/self/stat'))('a process of Linux', () => {
  test('is known by where it runs, and by the clock tick of its start', () => {
    const text = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');
    // proc_pid_stat(5): field 22; the second is the name in parentheses.
    const fields = text('/proc/self/stat')
      .replace(/^\d+ \(.*\) /s, '')
      .split(' ');
    expect(me).toEqual({
      pid: process.pid,
      host: hostname(),
      machine: text('/etc/machine-id'),
      boot: text('/proc/sys/kernel/random/boot_id'),
      namespace: readlinkSync('/proc/self/ns/pid'),
      started: fields[22 - 3],
      token: expect.stringMatching(/^[0-9a-z]{10,}$/),
    });
    expect(newWriter().token).not.toBe(me.token);
    expect([isOfThisBoot(me), isOfThisBoot({ ...me, boot: 'another' })]).toEqual([true, false]);
  });

  test.each<[string, Partial<Writer>, ReturnType<typeof writerStatus>]>([
    ['this process', {}, 'at work'],
    ['an earlier one of the same id', { started: LATER }, 'gone'],
    ['one of an id that nobody has', { pid: 2 ** 22 + 1 }, 'gone'],
    ['one from before the start of this machine', { boot: 'another' }, 'gone'],
    ['one of another machine', { boot: 'another', machine: 'another' }, 'unknown'],
    ['one of another host', { boot: 'another', host: 'another' }, 'unknown'],
    ['one of this machine, which was renamed', { host: 'another' }, 'at work'],
    ['one in another container', { namespace: 'pid:[1]' }, 'unknown'],
  ])('%s is at work, gone, or cannot be seen', (_, difference, presence) => {
    expect(writerStatus({ ...me, ...difference })).toBe(presence);
  });
});

test('a process of another user that runs and tells nothing of itself is at work', () => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw systemError('EPERM', 'kill');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  // An id that no one has: as with hidepid, there is nothing to read under /proc.
  expect(writerStatus({ ...me, pid: 2 ** 22 + 1 })).toBe('at work');
});

test('a writer that has given up is gone, whatever its process does', () => {
  const [one, other] = [newWriter(), newWriter()];
  giveUp(one);
  expect([writerStatus(one), writerStatus(other)]).toEqual(['gone', 'at work']);
});

test.each([
  ['EPERM', 'at work'],
  ['ESRCH', 'gone'],
])('a process that cannot be asked by %s is %s', (code, presence) => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw systemError(code, 'kill');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(writerStatus(newWriter())).toBe(presence);
});
