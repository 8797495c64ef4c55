import { type ByteSource, IsoError } from '@coreiso/iso';
import { type FileSource, type FileSourceOptions, fileSource } from '@coreiso/iso/node';
import { inContext } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** Opens a file of the command line; says so if an interrupted edit of it had to be rolled back first. */
export async function openFile(terminal: Terminal, path: string, options: FileSourceOptions = {}): Promise<FileSource> {
  const source = await fileSource(terminal.path(path), options);
  if (source.rolledBack) terminal.say(`${path}: an interrupted edit was rolled back`);
  return source;
}

/** Whether an argument names something on a server. */
export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** An argument as messages may show it: the credentials and the query of an address are kept back. */
export function shownName(path: string): string {
  if (!isAddress(path)) return path;
  if (!URL.canParse(path)) return path.replace(/[?#].*$/s, '').replace(/\/\/.*@/s, '//');
  const { origin, pathname } = new URL(path);
  return `${origin}${pathname}`;
}

/** Opens a file on a server, of which only what is asked for is fetched. */
export async function openAddress(terminal: Terminal, address: string): Promise<ByteSource> {
  const { httpSource } = await import('@coreiso/iso/http');
  return httpSource(address, { signal: terminal.io.signal });
}

/** Gives `work` of a command of ours an image, and closes it. What is wrong with the image is told with its name. */
export async function withImage<T>(
  terminal: Terminal,
  path: string,
  work: (image: ByteSource) => Promise<T>,
): Promise<T> {
  const name = shownName(path);
  const file = isAddress(path) ? undefined : await inContext(`cannot open ${name}`, () => openFile(terminal, path));
  const image = file ?? (await inContext(`cannot open ${name}`, () => openAddress(terminal, path)));
  try {
    return await work(image);
  } catch (error) {
    throw error instanceof IsoError && error.code !== 'ISO_READER_GONE' ? aboutImage(error, name, image.size) : error;
  } finally {
    await file?.close();
  }
}

/** Which sector could not be read says nothing to somebody who named the wrong file. */
function aboutImage(error: IsoError, path: string, size: number): Error {
  if (size === 0) return new Error(`${path} is not an ISO image: the file is empty`);
  if (isNoImage(error)) return new Error(`${path} is not an ISO image`);
  return new Error(`cannot read ${path}`, { cause: error });
}

function isNoImage(error: unknown): boolean {
  if (!(error instanceof IsoError)) return false;
  return error.message.startsWith('getting volume descriptor') || isNoImage(error.cause);
}

/** Looks a path up in an image; one that is not there is told by both names. */
export async function lookUp<T>(image: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IsoError && error.code === 'ISO_NOT_FOUND')
      throw new Error(`${shownName(image)} has no ${path}`);
    throw error;
  }
}
