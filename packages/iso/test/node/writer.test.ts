import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { giveUp, isOfThisBoot, newWriter, type Writer, writerStatus } from '../../src/node/writer.ts';
import { systemError } from './support/disk.ts';

const me = newWriter();
const LATER = 'began later';

describe.skipIf(!existsSync('/proc/self/stat'))('a process of Linux', () => {
  test('is identified by its place and the clock tick of its start', () => {
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

test('treats a running process with hidden details as at work', () => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw systemError('EPERM', 'kill');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  // An unused ID: as with hidepid, nothing is readable under /proc.
  expect(writerStatus({ ...me, pid: 2 ** 22 + 1 })).toBe('at work');
});

test('treats a writer that has given up as gone, even if its process runs', () => {
  const [one, other] = [newWriter(), newWriter()];
  giveUp(one);
  expect([writerStatus(one), writerStatus(other)]).toEqual(['gone', 'at work']);
});

test.each([
  ['EPERM', 'at work'],
  ['ESRCH', 'gone'],
])('treats a process whose check fails with %s as %s', (code, presence) => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw systemError(code, 'kill');
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(writerStatus(newWriter())).toBe(presence);
});
