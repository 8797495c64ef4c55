import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { Download, type DownloadIdentity } from '../../src/node/download.ts';
import { temporaryDirectory } from './support/directory.ts';
import { pattern } from './support/images.ts';

const MIB = 1_048_576;
const BYTES = pattern(2 * MIB + 7);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const IDENTITY: DownloadIdentity = { size: BYTES.length, etag: '"v1"', lastModified: undefined };

async function part(): Promise<string> {
  return join(await temporaryDirectory(), 'a.part');
}

/** Makes the beginning of a download that is interrupted. */
function begun(path: string, length: number, identity = IDENTITY): void {
  const download = new Download(path);
  download.begin(identity);
  download.write(BYTES.subarray(0, length));
  download.close();
}

describe('a partial download', () => {
  test.each([1, MIB - 1, MIB, MIB + 1, 2 * MIB + 7])(
    'of %d bytes is continued, and gets the digest of the whole file',
    async (length) => {
      const path = await part();
      begun(path, length);
      const download = new Download(path);
      download.begin(IDENTITY);
      expect(download.done).toBe(length);
      download.write(BYTES.subarray(length));
      expect([download.done, download.finish(SHA256, 'a mirror')]).toEqual([BYTES.length, SHA256]);
      download.moveTo(`${path}.iso`);
      expect(Buffer.compare(readFileSync(`${path}.iso`), BYTES)).toBe(0);
      expect([existsSync(path), existsSync(`${path}.json`)]).toEqual([false, false]);
      download.close();
    },
  );

  test.each<[string, DownloadIdentity, DownloadIdentity]>([
    ['is of another version', IDENTITY, { ...IDENTITY, etag: '"v2"' }],
    ['is of another size', IDENTITY, { ...IDENTITY, size: 5 }],
    ['is of no version', { size: BYTES.length }, { size: BYTES.length }],
    ['is of nothing that is known', { size: undefined }, { size: undefined }],
  ])('is removed if the new file %s', async (_, before, now) => {
    const path = await part();
    begun(path, 1000, before);
    const download = new Download(path);
    download.begin(now);
    expect([download.done, statSync(path).size]).toEqual([0, 0]);
    download.write(BYTES);
    expect(download.finish(undefined, 'a mirror')).toBe(SHA256);
    download.close();
  });

  test('is also continued by a date', async () => {
    const path = await part();
    const identity = { size: BYTES.length, lastModified: 'Tue, 01 Jan 2030 00:00:10 GMT' };
    begun(path, 1000, identity);
    const download = new Download(path);
    download.begin(identity);
    expect(download.done).toBe(1000);
    download.close();
  });

  test('is dropped if it is longer than the whole file', async () => {
    const path = await part();
    begun(path, BYTES.length);
    appendFileSync(path, 'x');
    const download = new Download(path);
    download.begin(IDENTITY);
    expect([download.done, statSync(path).size]).toEqual([0, 0]);
    download.write(BYTES);
    expect(download.finish(SHA256, 'a mirror')).toBe(SHA256);
    download.close();
  });

  test('may be started again by the same process', async () => {
    const path = await part();
    const download = new Download(path);
    download.begin({ size: undefined });
    download.write(BYTES.subarray(5));
    download.begin({ size: undefined });
    download.write(BYTES);
    expect(download.finish(SHA256, 'a mirror')).toBe(SHA256);
    download.close();
    expect(statSync(path).size).toBe(BYTES.length);
  });
});

test('removes a file with a wrong digest', async () => {
  const path = await part();
  const download = new Download(path);
  download.begin(IDENTITY);
  download.write(BYTES.subarray(1));
  expect(() => download.finish(SHA256, 'a mirror')).toThrow(
    expect.objectContaining({
      code: 'ISO_WRONG_DIGEST',
      message: expect.stringMatching(`^the file from a mirror .*${SHA256}$`),
    }),
  );
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test('writes nothing before begin', async () => {
  expect(() => new Download('/nowhere').write(BYTES)).toThrow(TypeError);
});

test('does not keep a part that was replaced by another file', async () => {
  const path = await part();
  const download = new Download(path);
  download.begin(IDENTITY);
  download.write(BYTES);
  download.finish(SHA256, 'a mirror');
  writeFileSync(`${path}.other`, 'other');
  renameSync(`${path}.other`, path);
  expect(() => download.moveTo(`${path}.iso`)).toThrow(expect.objectContaining({ code: 'ISO_CHANGED' }));
  expect(existsSync(`${path}.iso`)).toBe(false);
});

describeWith(['mkfifo'], 'a pipe under the name of a part, or of its note', () => {
  test('keeps no one waiting', async () => {
    const path = await part();
    output('mkfifo', [path, `${path}.json`]);
    const download = new Download(path);
    download.begin(IDENTITY);
    download.write(BYTES);
    expect(download.finish(SHA256, 'a mirror')).toBe(SHA256);
    download.close();
  });
});
