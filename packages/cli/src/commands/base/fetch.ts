import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { StreamFile } from '@coreiso/iso/base';
import { type CachedBase, fileSource, writeCopy } from '@coreiso/iso/node';
import type { Arguments } from '../../frame/arguments.ts';
import { Bases } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import { isAddress, isBase, shownName } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';
import { checkSignature } from './signature.ts';

/** A file in the cache, with its own name. */
interface FetchedBase extends CachedBase {
  readonly name: string;
}

/** `coreiso base fetch`. */
export const fetchBase: Action = async (args, terminal) => {
  const spec = args.required('BASE');
  if (!isBase(spec) && !isAddress(spec)) {
    throw new UsageError(`expected stream:NAME, release:PULLSPEC or an http(s) address, found '${shownName(spec)}'`);
  }
  if (args.has('decompress') && !args.has('output') && !args.has('directory'))
    throw new UsageError('--decompress needs --output or --directory');
  const bases = new Bases(terminal, args);
  const found = await inContext(`cannot fetch ${shownName(spec)}`, () => obtain(bases, spec, args, terminal));
  if (args.has('output') && found.length > 1)
    throw new UsageError(`cannot write ${found.length} files to one: pass --directory`);
  const shown: object[] = [];
  for (const { name, ...file } of found) {
    const output = args.optional('output') ?? copyName(name, args);
    if (output !== undefined) await copy(file, output, args, terminal);
    const path = output ?? file.path;
    shown.push({ ...file, path });
    if (!args.has('json')) await terminal.print(`${path}\n`);
  }
  if (args.has('json')) await terminal.printJson(shown.length === 1 ? shown[0] : shown);
  return 0;
};

async function obtain(
  bases: Bases,
  spec: string,
  args: Arguments,
  terminal: Terminal,
): Promise<readonly FetchedBase[]> {
  const cache = await bases.cache();
  const remote = await bases.remote();
  const fetched = <T>(
    what: string,
    work: (onProgress: (progress: { done: number; total: number }) => void) => Promise<T>,
  ) => terminal.withProgress(`Fetching ${shownName(what)}`, work);
  if (spec.startsWith('release:')) {
    const [pullspec, registry] = [bases.pullspec(spec), await bases.registry()];
    const found = await fetched(spec, (onProgress) =>
      cache.release(pullspec, { ...registry, ...remote, onProgress, stream: bases.osStream }),
    );
    return [{ ...found, name: `coreos-${bases.architecture}.iso` }];
  }
  const files = isAddress(spec)
    ? [{ location: spec, sha256: args.optional('sha256') }]
    : await filesOf(bases, spec, args);
  const all: FetchedBase[] = [];
  for (const file of files) {
    const { location, sha256 } = file;
    const found = await fetched(location, (onProgress) => cache.download(location, { ...remote, onProgress, sha256 }));
    await checkSignature(file, found, bases, args, terminal);
    all.push({ ...found, name: basename(new URL(location).pathname) });
  }
  return all;
}

/** Returns the files of one platform and format; network boot has several. */
async function filesOf(bases: Bases, spec: string, args: Arguments): Promise<readonly StreamFile[]> {
  const { pickStreamFile } = await import('@coreiso/iso/base');
  const stream = await bases.stream(spec);
  const [artifact, format] = [args.optional('platform') ?? 'metal', args.optional('format') ?? 'iso'];
  const choice = { architecture: bases.architecture, artifact, format };
  const found = stream.files.filter(
    (file) => file.architecture === choice.architecture && file.artifact === artifact && file.format === format,
  );
  // A missing file and an unusable one fail as in `pickStreamFile`.
  const parts = Object.keys(stream.unusable)
    .filter((name) => name.startsWith(`${choice.architecture}.${artifact}.${format}.`))
    .map((name) => name.replace(/^.*\./, ''));
  if (found.length === 0 || parts.length > 0) return [pickStreamFile(stream, { ...choice, part: parts[0] })];
  return found;
}

/** Returns the file name of a copy in the directory. */
function copyName(name: string, args: Arguments): string | undefined {
  const directory = args.optional('directory');
  if (directory === undefined) return undefined;
  return join(directory, args.has('decompress') ? name.replace(/(?<!\.tar)\.(?:gz|xz)$/, '') : name);
}

async function copy({ path, origin }: CachedBase, output: string, args: Arguments, terminal: Terminal): Promise<void> {
  const { signal } = terminal.io;
  const options = { mode: 'public', replace: args.has('force'), signal } as const;
  if (args.has('decompress') && /(?<!\.tar)\.(?:gz|xz)$/.test(origin)) {
    const { unpacked } = await import('../../drop-in/download/unpack.ts');
    const { writeStream } = await import('./write-stream.ts');
    const contents = Readable.from(unpacked(createReadStream(path, { signal })));
    return await inContext(`cannot write ${output}`, () => writeStream(contents, terminal.path(output), options));
  }
  const source = await fileSource(path);
  try {
    await inContext(`cannot write ${output}`, () => writeCopy(source, terminal.path(output), options));
  } finally {
    await source.close();
  }
}
