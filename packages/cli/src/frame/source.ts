import { statSync } from 'node:fs';
import { type ByteSource, bytesSource, IsoError } from '@coreiso/iso';
import { type FileSource, type FileSourceOptions, fileSource } from '@coreiso/iso/node';
import { showLine } from '@coreiso/peers/controls';
import { hideUsers } from '@coreiso/peers/hidden';
import type { Arguments } from './arguments.ts';
import type { BaseFacts } from './base.ts';
import { inContext } from './failure.ts';
import { isStdin, readInput } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Opens a file of the command line; reports if an interrupted edit had to be rolled back first. */
export async function openFile(terminal: Terminal, path: string, options: FileSourceOptions = {}): Promise<FileSource> {
  const source = await fileSource(terminal.path(path), options);
  if (source.rolledBack) terminal.say(`${path}: an interrupted edit was rolled back`);
  return source;
}

/** Whether an argument is an HTTP address. */
export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** Whether an argument names an image of a stream or a release. */
export function isBase(path: string): boolean {
  return /^(?:stream|release):/.test(path);
}

/** Returns an argument as messages may show it, on one line: without the credentials and the query of an address. */
export function shownName(path: string): string {
  const [, kind = '', rest = ''] = /^(stream:|release:)(.*)$/s.exec(path) ?? [];
  if (kind !== '') return `${kind}${shownName(rest)}`;
  if (!isAddress(path)) return hideUsers(showLine(path));
  if (!URL.canParse(path)) return showLine(path.replace(/[?#].*$/s, '').replace(/\/\/.*@/s, '//'));
  const { origin, pathname } = new URL(path);
  return `${origin}${pathname}`;
}

/** Opens a file on a server, with the trust settings of base images; fetches only the ranges that are read. */
export async function openAddress(
  terminal: Terminal,
  address: string,
  { args, facts }: Pick<BaseUse, 'args' | 'facts'> = {},
): Promise<ByteSource> {
  const { httpSource } = await import('@coreiso/iso/http');
  const { Bases } = await import('./base.ts');
  return httpSource(address, await new Bases(terminal, args, facts).remote());
}

/** The source and use of a base image that is not a file. */
export interface BaseUse {
  /** With `read`, an uncached image of a stream is read from its server; otherwise it is fetched and verified. */
  readonly use: 'read' | 'whole';
  readonly args?: Arguments;
  readonly facts?: BaseFacts | undefined;
}

/** Returns the file or the address of a named base image. */
export async function locateBase(terminal: Terminal, path: string, { use, args, facts }: BaseUse): Promise<string> {
  if (!isBase(path)) return path;
  const { Bases } = await import('./base.ts');
  const found = await new Bases(terminal, args, facts).take(path, use);
  return found.kind === 'file' ? found.path : found.address;
}

/** Opens the base image of `--base` or of the cluster for `work`: whole, and verified if possible. */
export async function withBase<T>(
  terminal: Terminal,
  args: Arguments,
  facts: BaseFacts | undefined,
  work: (image: ByteSource) => Promise<T>,
): Promise<T> {
  const path = args.optional('base') ?? (await ownBase(terminal, args, facts));
  return withImage(terminal, path, work, { use: 'whole', args, facts });
}

/** Returns the file of the cluster's live image. */
export async function ownBase(terminal: Terminal, args: Arguments, facts: BaseFacts | undefined): Promise<string> {
  const { Bases } = await import('./base.ts');
  const found = await inContext('cannot take the live image of the cluster', () =>
    new Bases(terminal, args, facts).takeOwn(),
  );
  return found.path;
}

/** Opens an image for `work`, and closes it. Errors about the image name it. */
export async function withImage<T>(
  terminal: Terminal,
  path: string,
  work: (image: ByteSource) => Promise<T>,
  base: BaseUse = { use: 'read' },
): Promise<T> {
  const name = shownName(path);
  const opened = await inContext(`cannot open ${name}`, async () => {
    const place = await locateBase(terminal, path, base);
    if (isAddress(place)) return { image: await openAddress(terminal, place, base), close: async () => undefined };
    if (place === '-' || isStdin(place) || !statSync(terminal.path(place)).isFile())
      return { image: bytesSource(await readInput(terminal, place)), close: async () => undefined };
    // Identity by contents: copies of a base give images with the same tags when served or stored.
    const image = await openFile(terminal, place, { identity: 'contents' });
    return { image, close: () => image.close() };
  });
  try {
    return await work(opened.image);
  } catch (error) {
    const isImages = error instanceof IsoError && error.code !== 'ISO_READER_GONE';
    throw isImages ? describeImageError(error, name, opened.image.size) : error;
  } finally {
    await opened.close();
  }
}

/** Words an error about an image: a sector number means nothing to a user who named the wrong file. */
function describeImageError(error: IsoError, path: string, size: number): Error {
  if (size === 0) return new Error(`${path} is not an ISO image: the file is empty`);
  if (error.code === 'ISO_NOT_AN_IMAGE') return new Error(`${path} is not an ISO image`);
  return new Error(`cannot read ${path}`, { cause: error });
}

/** Looks up a path in an image; the error about a missing one names both. */
export async function lookUpInImage<T>(image: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IsoError && error.code === 'ISO_NOT_FOUND')
      throw new Error(`${shownName(image)} has no ${showLine(path)}`);
    throw error;
  }
}
