import { constants, openSync, readFile, readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { inContext } from './failure.ts';
import { readAll, type Terminal, tooLong } from './terminal.ts';

/** Reads a file of the command line; `-` is standard input. */
export function readInput(terminal: Terminal, path: string): Promise<Uint8Array> {
  return path === '-' ? terminal.readStdin() : wholeFile(terminal, path);
}

/** The same for commands of coreiso: errors name the file. */
export function readNamed(terminal: Terminal, path: string): Promise<Uint8Array> {
  return inContext(`cannot read ${inputName(path)}`, () => readInput(terminal, path));
}

/** Returns the name of an input file for messages. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** Up to this size, reading synchronously is faster than switching threads. */
const SMALL = 1024 * 1024;

/** Whether a path is another name of standard input. Opening it again fails if it is a socket, which is common between programs. */
export function isStdin(path: string): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/.test(path);
}

/** Reads a file, a pipe or a terminal up to the limit. */
export async function wholeFile(
  terminal: Terminal,
  given: string,
  limit: number = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const path = terminal.path(given);
  const { signal } = terminal.io;
  if (isStdin(path)) return await readAll(terminal.io.stdin, signal, limit);
  const stats = statSync(path);
  if (stats.size > limit) throw tooLong(limit);
  if (stats.isFile() && stats.size <= SMALL) return readFileSync(path);
  if (stats.isFIFO() || stats.isCharacterDevice()) return await readAll(await openStream(path), signal, limit);
  return await new Promise((resolve, reject) => {
    readFile(path, { signal }, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}

/**
 * Opens a file whose reader may have to wait, without blocking a thread: opening or reading a pipe without a writer would
 * block a thread that nothing can interrupt, not even the program's exit.
 */
async function openStream(path: string): Promise<Readable> {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  const tty = await import('node:tty');
  if (tty.isatty(fd)) return new tty.ReadStream(fd);
  if (statSync(path).isFIFO()) return new (await import('node:net')).Socket({ fd, readable: true, writable: false });
  return (await import('node:fs')).createReadStream(path, { fd });
}
