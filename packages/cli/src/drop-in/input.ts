import { statSync } from 'node:fs';
import { type ByteSource, bytesSource, IsoError } from '@coreiso/iso';
import type { FileSource } from '@coreiso/iso/node';
import { Failure, inContext } from '../frame/failure.ts';
import { isStdin, wholeFile } from '../frame/input.ts';
import { type BaseUse, isAddress, isBase, locateBase, openAddress, openFile, shownName } from '../frame/source.ts';
import type { Terminal } from '../frame/terminal.ts';

/** Reads a small file that goes into an image. */
export function readHelperFile(terminal: Terminal, path: string): Promise<Uint8Array> {
  return inContext(`reading ${path}`, () => wholeFile(terminal, path));
}

/** Reads the file of an option, or standard input without the option. */
export function readFileOrStdin(terminal: Terminal, path: string | undefined): Promise<Uint8Array> {
  return path === undefined ? inContext('reading stdin', () => terminal.readStdin()) : readHelperFile(terminal, path);
}

const WITH_OUTPUT = { help: 'pass --output FILE' };

/** Opens a writable file for `work`, and closes it. */
export async function withWritableFile<T>(
  terminal: Terminal,
  path: string,
  work: (file: FileSource) => Promise<T>,
): Promise<T> {
  if (isAddress(path) || isBase(path)) throw new Failure(`${shownName(path)} cannot be changed in place`, WITH_OUTPUT);
  if (isStdin(path) && !statSync(terminal.path(path), { throwIfNoEntry: false })?.isFile())
    throw new Failure('an image on standard input cannot be changed in place', WITH_OUTPUT);
  const file = await inContext(`opening ${path}`, () => openFile(terminal, path, { writable: true }));
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/**
 * Opens a file for `work`, by its path, its address or the name of a base, and closes it. Reads anything but a regular file
 * whole first.
 */
export async function withFile<T>(
  terminal: Terminal,
  path: string,
  work: (file: ByteSource) => Promise<T>,
  base: BaseUse = { use: 'whole' },
): Promise<T> {
  if (isBase(path)) {
    const place = await inContext(`opening ${path}`, () => locateBase(terminal, path, base));
    return withFile(terminal, place, work, base);
  }
  if (isAddress(path))
    return await work(await inContext(`opening ${shownName(path)}`, () => openAddress(terminal, path, base)));
  const stats = await inContext(`opening ${path}`, async () => statSync(terminal.path(path)));
  if (!stats.isFile()) return await work(await wholeSource(terminal, path));
  const file = await inContext(`opening ${path}`, () => openFile(terminal, path));
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Like `withFile`, but reads standard input if no file is named. */
export async function withFileOrStdin<T>(
  terminal: Terminal,
  path: string | undefined,
  work: (file: ByteSource) => Promise<T>,
): Promise<T> {
  return path === undefined ? work(bytesSource(await terminal.readStdin())) : withFile(terminal, path, work);
}

/** Reads a pipe whole. A directory opens like a file, and fails when its first byte is read. */
async function wholeSource(terminal: Terminal, path: string): Promise<ByteSource> {
  try {
    return bytesSource(await wholeFile(terminal, path));
  } catch (cause) {
    terminal.io.signal.throwIfAborted();
    const failure = new IsoError('ISO_IO', `cannot read ${terminal.path(path)}`, { cause });
    return { size: Number.MAX_SAFE_INTEGER, read: () => Promise.reject(failure) };
  }
}
