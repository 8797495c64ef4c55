import { readFile, readFileSync, statSync } from 'node:fs';
import { type ByteSource, bytesSource, IsoError } from '@coreiso/iso';
import type { FileSource } from '@coreiso/iso/node';
import { inContext } from '../frame/failure.ts';
import { openFile } from '../frame/source.ts';
import type { Terminal } from '../frame/terminal.ts';

/** The most that is read without a switch of threads. Not from pipes: Ctrl-C must work while they are waited for. */
const SMALL = 1024 * 1024;

/** `readFile` of `node:fs/promises`, without loading that: it takes longer than reading a config. */
async function wholeFile(path: string, signal: AbortSignal): Promise<Uint8Array> {
  const stats = statSync(path);
  if (stats.isFile() && stats.size <= SMALL) return readFileSync(path);
  return await new Promise((resolve, reject) => {
    readFile(path, { signal }, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}

/** A small file that goes into an image, whole. */
export function readHelperFile(terminal: Terminal, path: string): Promise<Uint8Array> {
  return inContext(`reading ${path}`, () => wholeFile(terminal.path(path), terminal.io.signal));
}

/** The file of an option, or standard input where it is absent. */
export function readFileOrStdin(terminal: Terminal, path: string | undefined): Promise<Uint8Array> {
  return path === undefined ? inContext('reading stdin', () => terminal.readStdin()) : readHelperFile(terminal, path);
}

/** Gives `work` a file to write to, and closes it. */
export async function withWritableFile<T>(
  terminal: Terminal,
  path: string,
  work: (file: FileSource) => Promise<T>,
): Promise<T> {
  const file = await inContext(`opening ${path}`, () => openFile(terminal, path, { writable: true }));
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Gives `work` a file to read from, and closes it. What is no regular file is read whole first. */
export async function withFile<T>(
  terminal: Terminal,
  path: string,
  work: (file: ByteSource) => Promise<T>,
): Promise<T> {
  const stats = await inContext(`opening ${path}`, async () => statSync(terminal.path(path)));
  if (!stats.isFile()) return await work(await wholeSource(terminal.path(path), terminal.io.signal));
  const file = await inContext(`opening ${path}`, () => openFile(terminal, path));
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** As `withFile`, but with standard input where no file is named. */
export async function withFileOrStdin<T>(
  terminal: Terminal,
  path: string | undefined,
  work: (file: ByteSource) => Promise<T>,
): Promise<T> {
  return path === undefined ? work(bytesSource(await terminal.readStdin())) : withFile(terminal, path, work);
}

/** A pipe, or a directory, which opens like a file and fails when the first byte is asked for. */
async function wholeSource(path: string, signal: AbortSignal): Promise<ByteSource> {
  try {
    return bytesSource(await wholeFile(path, signal));
  } catch (cause) {
    signal.throwIfAborted();
    const failure = new IsoError('ISO_IO', `cannot read ${path}`, { cause });
    return { size: Number.MAX_SAFE_INTEGER, read: () => Promise.reject(failure) };
  }
}
