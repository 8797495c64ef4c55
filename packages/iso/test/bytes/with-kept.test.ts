import { expect, test } from 'vitest';
import { bytesSource, withKept } from '../../src/bytes/source.ts';
import { countingSource } from '../support/counting-source.ts';

const BYTES = Uint8Array.from({ length: 1000 }, (_, index) => index);

test('reads the kept range once, and the bytes after it on demand', async () => {
  const source = countingSource(bytesSource(BYTES));
  const headed = withKept(source, 0, 100);
  expect(source.reads).toEqual([]);
  expect(await headed.read(90, 10)).toEqual(BYTES.subarray(90, 100));
  expect(await headed.read(0, 5)).toEqual(BYTES.subarray(0, 5));
  expect(await headed.read(95, 10)).toEqual(BYTES.subarray(95, 105));
  expect(source.reads.map(({ offset, length }) => [offset, length])).toEqual([
    [0, 100],
    [95, 10],
  ]);
});

test('reads a shorter source completely, and not past its end', async () => {
  const headed = withKept(bytesSource(BYTES), 0, 4096);
  expect(await headed.read(0, 1000)).toEqual(BYTES);
  await expect(headed.read(999, 2)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  await expect(headed.read(-1, 2)).rejects.toThrow(RangeError);
});

test('fails only reads of the unreadable bytes', async () => {
  const damaged = bytesSource(BYTES);
  const headed = withKept(
    {
      size: damaged.size,
      read: async (offset, length) => {
        if (offset + length > 50) throw new Error('bad sector');
        return damaged.read(offset, length);
      },
    },
    0,
    100,
  );
  expect(await headed.read(10, 5)).toEqual(BYTES.subarray(10, 15));
  await expect(headed.read(48, 5)).rejects.toThrow('bad sector');
});

test('does not fail one read if another aborts', async () => {
  const abort = new AbortController();
  const headed = withKept(bytesSource(BYTES), 0, 100);
  abort.abort();
  await expect(headed.read(0, 5, abort.signal)).rejects.toThrow('aborted');
  expect(await headed.read(0, 5)).toEqual(BYTES.subarray(0, 5));
});

test('reads the bytes before and after the kept range on demand', async () => {
  const source = countingSource(bytesSource(BYTES));
  const kept = withKept(source, 100, 200);
  expect(await kept.read(150, 50)).toEqual(BYTES.subarray(150, 200));
  expect(await kept.read(100, 1)).toEqual(BYTES.subarray(100, 101));
  expect(await kept.read(99, 2)).toEqual(BYTES.subarray(99, 101));
  expect(await kept.read(0, 10)).toEqual(BYTES.subarray(0, 10));
  expect(source.reads.map(({ offset, length }) => [offset, length])).toEqual([
    [100, 100],
    [99, 2],
    [0, 10],
  ]);
});
