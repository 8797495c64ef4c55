import { constants, openSync, readFile, readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { inContext } from './failure.ts';
import { readAll, type Terminal, tooLong } from './terminal.ts';

/** The bytes of a file of the command line; `-` is standard input. */
export function readInput(terminal: Terminal, path: string): Promise<Uint8Array> {
  return path === '-' ? terminal.readStdin() : wholeFile(terminal, path);
}

/** The same for commands of coreiso: a failure names the file. */
export function readNamed(terminal: Terminal, path: string): Promise<Uint8Array> {
  return inContext(`cannot read ${inputName(path)}`, () => readInput(terminal, path));
}

/** The name of an input file in messages. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : path;
}

/** The most that is read without a switch of threads: for a config that takes longer than reading it. */
const SMALL = 1024 * 1024;

/** Standard input by its other names. Opened again it would fail where it is a socket, as between programs it often is. */
export function isStdin(path: string): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/.test(path);
}

/** The bytes of a file, a pipe or a terminal, which may have no more than the limit. */
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
 * A file that may let its reader wait. Opening a pipe that no one writes to, and reading from it, would keep a thread
 * busy that nothing can interrupt, not even the end of the program.
 */
async function openStream(path: string): Promise<Readable> {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  const tty = await import('node:tty');
  if (tty.isatty(fd)) return new tty.ReadStream(fd);
  if (statSync(path).isFIFO()) return new (await import('node:net')).Socket({ fd, readable: true, writable: false });
  return (await import('node:fs')).createReadStream(path, { fd });
}
