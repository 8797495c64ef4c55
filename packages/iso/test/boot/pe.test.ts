import { bytesSource } from '@coreiso/iso';
import { expect, test } from 'vitest';
import { parseEfiProgram } from '../../src/boot/pe.ts';

const parsed = (bytes: Uint8Array): Promise<unknown> => parseEfiProgram(bytesSource(bytes));

/** A file that begins with these letters and has a header at this offset. */
function file(size: number, letters: string, at = 0x40): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(letters).subarray(0, size));
  if (size >= 64) new DataView(bytes.buffer).setUint32(0x3c, at, true);
  return bytes;
}

test.each([0, 1, 2, 63])('refuses a file of %i bytes, even with a valid beginning', async (size) => {
  expect(await parsed(file(size, 'MZ'))).toBe('is not a program (no MZ at its beginning)');
});

test.each(['ZM', 'M', '\u007fELF'])('refuses a file that begins with %j', async (letters) => {
  expect(await parsed(file(4096, letters))).toBe('is not a program (no MZ at its beginning)');
});

test.each([0x40, 4096 - 96 + 1, 4096, 2 ** 31])('refuses a file without a header at %i', async (at) => {
  expect(await parsed(file(4096, 'MZ', at))).toBe('is not a program (no PE header)');
});

test('refuses a program of another system', async () => {
  const bytes = file(4096, 'MZ');
  bytes.set(new TextEncoder().encode('PE\0\0'), 0x40);
  expect(await parsed(bytes)).toBe('is not a program for UEFI');
});
