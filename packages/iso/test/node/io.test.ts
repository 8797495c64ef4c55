import { describe, expect, test } from 'vitest';
import { IsoError } from '../../src/errors.ts';
import {
  ioError,
  pieces,
  publish,
  readFully,
  removeIfThere,
  statIfThere,
  withTargetName,
  writeFully,
  writeFullySync,
} from '../../src/node/io.ts';
import { Disk, systemError } from './support/disk.ts';
import { pattern } from './support/images.ts';

describe('a failure of the operating system', () => {
  test.each([
    ['ENOSPC', 'ISO_NO_SPACE'],
    ['EDQUOT', 'ISO_NO_SPACE'],
    ['EFBIG', 'ISO_NO_SPACE'],
    ['EEXIST', 'ISO_EXISTS'],
    ['EPIPE', 'ISO_READER_GONE'],
    ['ECONNRESET', 'ISO_READER_GONE'],
    ['EIO', 'ISO_IO'],
    ['ENOENT', 'ISO_IO'],
  ])('%s is %s, unless it is something else here', (errno, code) => {
    const cause = systemError(errno, 'write');
    expect(ioError('cannot write', cause)).toMatchObject({
      code,
      message: expect.stringMatching(/^cannot write/),
      cause,
    });
    expect(ioError('cannot write', cause, 'ISO_BUSY')).toMatchObject({ code: 'ISO_BUSY', cause });
  });

  test.each([
    ['an error of ours', new IsoError('ISO_BUSY', 'busy')],
    ['an error of a program', new TypeError('x')],
    ['an error with a code, but of no call', Object.assign(new Error('x'), { code: 'ERR_X' })],
    ['an error of a call without a code', Object.assign(new Error('x'), { syscall: 'open' })],
    ['something else', { code: 'EIO', syscall: 'open' }],
    ['nothing', undefined],
  ])('is not %s', (_, error) => {
    expect(ioError('cannot write', error)).toBe(error);
  });

  test('is reported with the final name', () => {
    const error = Object.assign(new Error("EXDEV: rename '/a/.t' -> '/a/.t'"), {
      code: 'EXDEV',
      path: '/a/.t',
      dest: '/a/b',
    });
    expect(withTargetName(error, '/a/.t', '/a/copy')).toBe(error);
    expect(error).toMatchObject({ message: "EXDEV: rename '/a/copy' -> '/a/copy'", path: '/a/copy', dest: '/a/b' });
    const target = Object.assign(new Error('EXDEV: /a/b'), { code: 'EXDEV', path: '/a/b', dest: '/a/.t' });
    expect(withTargetName(target, '/a/.t', '/a/copy')).toMatchObject({ path: '/a/b', dest: '/a/copy' });
    const plain = new Error('/a/.t');
    expect(withTargetName(plain, '/a/.t', '/a/copy')).toMatchObject({ message: '/a/.t' });
    expect(withTargetName('text', '/a/.t', '/a/copy')).toBe('text');
  });
});

test('splits a range into pieces, of which the last may be shorter', () => {
  expect([...pieces(3, 11, 4)]).toEqual([
    { offset: 3, length: 4 },
    { offset: 7, length: 4 },
  ]);
  expect([...pieces(3, 12, 4)].at(-1)).toEqual({ offset: 11, length: 1 });
  expect([...pieces(3, 3, 4)]).toEqual([]);
});

test('continues partial reads and writes', async () => {
  const bytes = pattern(1000);
  const disk = new Disk().put('/a', new Uint8Array(1010)).put('/b', new Uint8Array(1010));
  const [a, b] = [await disk.open('/a', 'r+'), await disk.open('/b', 'r+')];
  const bit = (part: Uint8Array): Uint8Array => part.subarray(0, 1);
  await writeFully({ ...a, write: (part, position) => a.write(bit(part), position) }, bytes, 10);
  writeFullySync({ ...b, writeSync: (part, position) => b.writeSync(bit(part), position) }, bytes, 10);
  for (const path of ['/a', '/b']) expect(disk.get(path)?.subarray(10)).toEqual(bytes);
  const into = new Uint8Array(1000);
  const reading = { ...a, read: (part: Uint8Array, position: number) => a.read(bit(part), position) };
  expect(await readFully(reading, into, 10)).toBe(1000);
  expect(into).toEqual(bytes);
  expect(await readFully(reading, into, 510)).toBe(500);
});

describe('a file that may be missing', () => {
  const failing = (code: string): Disk => {
    const fail = async (): Promise<never> => {
      throw systemError(code, 'lstat');
    };
    return Object.assign(new Disk(), { lstat: fail, unlink: fail });
  };

  test.each(['ENOENT', 'ENAMETOOLONG'])('is missing after %s', async (code) => {
    expect(await statIfThere(failing(code), '/a')).toBeUndefined();
  });

  test('is not missing after other failures', async () => {
    await expect(statIfThere(failing('EACCES'), '/a')).rejects.toMatchObject({ code: 'EACCES' });
    await expect(removeIfThere(failing('EACCES'), '/a')).rejects.toMatchObject({ code: 'EACCES' });
    await removeIfThere(failing('ENOENT'), '/a');
  });
});

describe('publishing a finished file', () => {
  test.each([true, false])('works with and without links: %s', async (canLink) => {
    const disk = Object.assign(new Disk().put('/t', pattern(5)), { canLink });
    await publish(disk, '/t', '/a');
    expect(disk.list()).toEqual(['/a']);
  });

  test.each([
    [true, 'EEXIST'],
    [false, 'EPERM'],
  ])('fails if the name is taken, with and without links: %s', async (canLink, code) => {
    const disk = Object.assign(new Disk().put('/t', pattern(5)).put('/a', pattern(3)), { canLink });
    await expect(publish(disk, '/t', '/a')).rejects.toMatchObject({ code });
    expect([disk.list(), disk.get('/a')]).toEqual([['/a', '/t'], pattern(3)]);
  });

  test('fails if the name is taken at that moment', async () => {
    const disk = new Disk().put('/t', pattern(5));
    disk.link = async () => {
      throw systemError('EEXIST', 'link');
    };
    await expect(publish(disk, '/t', '/a')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(disk.list()).toEqual(['/t']);
  });
});
