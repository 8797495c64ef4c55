import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileSourceOn } from '../../src/node/file-source.ts';
import { type FileSystem, nodeFileSystem, type OpenFile } from '../../src/node/file-system.ts';
import { patchInPlace } from '../../src/node/patch-in-place.ts';
import { writeCopyOn } from '../../src/node/write-copy.ts';
import { temporaryDirectory } from './support/directory.ts';
import { EDITS, pattern } from './support/images.ts';

/** POSIX lets every read and write stop early, as pipes, signals and network file systems make them do. */
const inBits: FileSystem = {
  ...nodeFileSystem,
  async open(path, flags, mode) {
    return stoppingEarly(await nodeFileSystem.open(path, flags, mode));
  },
};

function stoppingEarly(file: OpenFile): OpenFile {
  const bit = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, 333);
  return {
    ...file,
    read: (into, position) => file.read(bit(into), position),
    readSync: (into, position) => file.readSync(bit(into), position),
    write: (bytes, position) => file.write(bit(bytes), position),
    writeSync: (bytes, position) => file.writeSync(bit(bytes), position),
  };
}

describe.each(EDITS)('with partial reads and writes, %s', (_, size, edit) => {
  const image = async (): Promise<string> => {
    const path = join(await temporaryDirectory(), 'a.iso');
    await writeFile(path, pattern(size));
    return path;
  };

  test('are copied completely', async () => {
    const path = await image();
    await using file = await fileSourceOn(path, {}, inBits);
    const edited = edit(file);
    await writeCopyOn(edited, `${path}.copy`, {}, inBits);
    expect(Buffer.compare(await readFile(`${path}.copy`), await edited.read(0, edited.size))).toBe(0);
  });

  test('are written in place completely', async () => {
    const path = await image();
    await using file = await fileSourceOn(path, { writable: true }, inBits);
    const edited = edit(file);
    const expected = await edited.read(0, edited.size);
    await patchInPlace(edited, file);
    expect(Buffer.compare(await readFile(path), expected)).toBe(0);
  });
});
