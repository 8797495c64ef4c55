import { expect, test } from 'vitest';
import { bytesSource, withHead } from '../../src/bytes/source.ts';
import { countingSource } from '../support/counting-source.ts';

const BYTES = Uint8Array.from({ length: 1000 }, (_, index) => index);

test('the head is fetched once, what lies behind it as it is asked for', async () => {
  const source = countingSource(bytesSource(BYTES));
  const headed = withHead(source, 100);
  expect(source.reads).toEqual([]);
  expect(await headed.read(90, 10)).toEqual(BYTES.subarray(90, 100));
  expect(await headed.read(0, 5)).toEqual(BYTES.subarray(0, 5));
  expect(await headed.read(95, 10)).toEqual(BYTES.subarray(95, 105));
  expect(source.reads.map(({ offset, length }) => [offset, length])).toEqual([
    [0, 100],
    [95, 10],
  ]);
});

test('a source shorter than the head is read whole, and not beyond', async () => {
  const headed = withHead(bytesSource(BYTES), 4096);
  expect(await headed.read(0, 1000)).toEqual(BYTES);
  await expect(headed.read(999, 2)).rejects.toMatchObject({ code: 'ISO_SHORT_READ' });
  await expect(headed.read(-1, 2)).rejects.toThrow(RangeError);
});

test('a head that cannot be read stops only those who need the bytes that are missing', async () => {
  const damaged = bytesSource(BYTES);
  const headed = withHead(
    {
      size: damaged.size,
      read: async (offset, length) => {
        if (offset + length > 50) throw new Error('bad sector');
        return damaged.read(offset, length);
      },
    },
    100,
  );
  expect(await headed.read(10, 5)).toEqual(BYTES.subarray(10, 15));
  await expect(headed.read(48, 5)).rejects.toThrow('bad sector');
});

test('one reader who gives up does not stop another', async () => {
  const abort = new AbortController();
  const headed = withHead(bytesSource(BYTES), 100);
  abort.abort();
  await expect(headed.read(0, 5, abort.signal)).rejects.toThrow('aborted');
  expect(await headed.read(0, 5)).toEqual(BYTES.subarray(0, 5));
});
