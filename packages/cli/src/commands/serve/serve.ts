import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ByteSource } from '@coreiso/iso';
import { entityTag, type ServedFile } from '@coreiso/iso/http';
import type { FileSource } from '@coreiso/iso/node';
import type { Action } from '../../frame/command.ts';
import { hasCode, inContext } from '../../frame/failure.ts';
import { isAddress, isBase, openAddress, openFile, shownName } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';
import { serve as serveOffer } from './server.ts';

/** `coreiso serve`: serves files unchanged, by name. */
export const serve: Action = async (args, terminal) => {
  const files: WatchedFile[] = [];
  const identity = args.has('copies') ? 'contents' : 'file';
  for (const path of args.list('FILE|URL')) files.push(await watchedFile(terminal, path, identity));
  const twice = files.find(({ name }, index) => files.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new UsageError(`two files have the name ${twice.name}: each needs its own address`);
  try {
    // Compute the tag too: it reads the whole file, and the first client should not wait for it.
    for (const file of files) await inContext(`cannot open ${file.shown}`, async () => entityTag(await file.open()));
    const secret = files.filter((file) => file.isSecret).map(({ name }) => name);
    await serveOffer(args, terminal, async () => ({
      files,
      secret,
      onError: (error, name) => {
        if (hasCode(error, 'ISO_CHANGED')) files.find((file) => file.name === name)?.forget();
      },
    }));
    return 0;
  } finally {
    for (const file of files) await file.close();
  }
};

type Identity = 'file' | 'contents';

async function watchedFile(terminal: Terminal, path: string, identity: Identity): Promise<WatchedFile> {
  if (!isBase(path)) return new WatchedFile(terminal, path, identity);
  const { Bases } = await import('../../frame/base.ts');
  const found = await inContext(`cannot open ${path}`, () => new Bases(terminal).take(path, 'read'));
  return new WatchedFile(terminal, found.kind === 'file' ? found.path : found.address, identity, found.name);
}

/** The bit of a file's mode that lets every user read it. */
const OTHERS_READ = 0o004;

/** The current file at each request: a replaced file is opened again, and clients of the old one have to start over. */
class WatchedFile implements ServedFile {
  readonly name: string;
  readonly owner: string;
  readonly shown: string;
  readonly #terminal: Terminal;
  readonly #path: string;
  readonly #identity: Identity;
  #version = '';
  #mode = 0;
  #opened: Promise<ByteSource> | undefined;
  #file: FileSource | undefined;

  constructor(terminal: Terminal, path: string, identity: Identity, name?: string) {
    this.#terminal = terminal;
    this.#identity = identity;
    this.#path = path;
    this.shown = shownName(path);
    this.name = name ?? decodeURIComponent(basename(isAddress(path) ? new URL(path).pathname : path));
    if (this.name === '') throw new UsageError(`${this.shown} has no name to serve it under`);
    this.owner = this.name;
  }

  /** Whether some users of this machine must not read the file; known once it was opened. */
  get isSecret(): boolean {
    if (!isAddress(this.#path)) return (this.#mode & OTHERS_READ) === 0;
    const { username, search } = new URL(this.#path);
    return username !== '' || search !== '';
  }

  async open(): Promise<ByteSource> {
    if (isAddress(this.#path)) {
      this.#opened ??= openAddress(this.#terminal, this.#path);
    } else {
      const { dev, ino, size, mtimeNs, ctimeNs, mode } = await stat(this.#terminal.path(this.#path), { bigint: true });
      const version = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
      this.#mode = Number(mode);
      if (version !== this.#version) {
        this.#version = version;
        this.#opened = this.#reopen(this.#file);
      }
      this.#opened ??= this.#reopen(undefined);
    }
    const opened = this.#opened;
    opened.catch(() => this.forget());
    return opened;
  }

  /** Forgets the opened file: it is no longer the file at the path. */
  forget(): void {
    this.#opened = undefined;
    this.#version = '';
  }

  async close(): Promise<void> {
    await this.#opened?.catch(() => undefined);
    await this.#file?.close();
  }

  async #reopen(old: FileSource | undefined): Promise<ByteSource> {
    await old?.close();
    this.#file = await openFile(this.#terminal, this.#path, { identity: this.#identity });
    return this.#file;
  }
}
