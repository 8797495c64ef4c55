import { randomBytes } from 'node:crypto';
import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteSource, compose, type Overlay, overlay } from '@coreiso/iso';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import type { Workspace } from './frame.ts';

const MIB = 1024 * 1024;

/** A file full of bytes, so that the disk stores all of it. */
export async function fullImage({ directory, imageMiB }: Workspace): Promise<string> {
  const path = join(directory, 'full.iso');
  const block = randomBytes(MIB);
  await writeCopy(compose(Array.from({ length: imageMiB }, () => block)), path);
  return path;
}

/** A file that takes up no space, whatever its size. */
export async function sparseImage({ directory }: Workspace, mib: number): Promise<string> {
  const path = join(directory, `sparse-${mib}.iso`);
  await writeFile(path, '');
  await truncate(path, mib * MIB);
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
  return path;
}

/** A typical edit: a full initrd area and two lines of kernel arguments. */
export function usualEdit(base: ByteSource): Overlay {
  return overlay(base, [
    { offset: 40 * 1024, bytes: randomBytes(1024) },
    { offset: 100 * 1024, bytes: randomBytes(1024) },
    { offset: 512 * 1024, bytes: randomBytes(256 * 1024) },
  ]);
}

/** A live image in a file that takes hardly any space, whatever its size: the root file system is a hole. */
export async function sparseLiveImage(directory: string, gib: number): Promise<string> {
  const path = join(directory, `live-${gib}.iso`);
  const source = await sampleIso({ size: gib * 1024 * MIB });
  const file = await open(path, 'wx');
  try {
    await file.truncate(source.size);
    const nothing = Buffer.alloc(MIB);
    for (let offset = 0; offset < source.size; offset += MIB) {
      const piece = await source.read(offset, Math.min(MIB, source.size - offset));
      if (nothing.compare(piece, 0, piece.length, 0, piece.length) !== 0)
        await file.write(piece, 0, piece.length, offset);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}
