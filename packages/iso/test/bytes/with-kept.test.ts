import { expect, test } from 'vitest';
import { bytesSource, withKept } from '../../src/bytes/source.ts';
import { countingSource } from '../support/counting-source.ts';

const BYTES = Uint8Array.from({ length: 1000 }, (_, index) => index);

test('what is kept is fetched once, what lies behind it as it is asked for', async () => {
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

test('a source that ends before is read whole, and not beyond', async () => {
  const headed = withKept(bytesSource(BYTES), 0, 4096);
  expect(await headed.read(0, 1000)).toEqual(BYTES);
  await expect(headed.read(999, 2)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  await expect(headed.read(-1, 2)).rejects.toThrow(RangeError);
});

test('what cannot be read stops only those who need the bytes that are missing', async () => {
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

test('one reader who gives up does not stop another', async () => {
  const abort = new AbortController();
  const headed = withKept(bytesSource(BYTES), 0, 100);
  abort.abort();
  await expect(headed.read(0, 5, abort.signal)).rejects.toThrow('aborted');
  expect(await headed.read(0, 5)).toEqual(BYTES.subarray(0, 5));
});

test('what is before and behind the kept bytes is read as it is asked for', async () => {
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
