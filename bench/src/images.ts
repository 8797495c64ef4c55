import { randomBytes } from 'node:crypto';
import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteSource, compose, type Overlay, overlay } from '@coreiso/iso';
import { writeCopy } from '@coreiso/iso/node';
import type { Workspace } from './frame.ts';

const MIB = 1024 * 1024;

/** A file full of bytes that no disk can leave out. */
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

/** An edit of the usual extent: a full initrd area and two lines of kernel arguments. */
export function usualEdit(base: ByteSource): Overlay {
  return overlay(base, [
    { offset: 40 * 1024, bytes: randomBytes(1024) },
    { offset: 100 * 1024, bytes: randomBytes(1024) },
    { offset: 512 * 1024, bytes: randomBytes(256 * 1024) },
  ]);
}
