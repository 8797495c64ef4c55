import { type CachedBase, fileSource, writeCopy } from '@coreiso/iso/node';
import type { Arguments } from '../../frame/arguments.ts';
import { Bases } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import { isAddress, isBase, shownName } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';

/** `coreiso base fetch`. */
export const fetchBase: Action = async (args, terminal) => {
  const spec = args.required('BASE');
  if (!isBase(spec) && !isAddress(spec)) {
    throw new UsageError(`${shownName(spec)} is neither stream:NAME nor release:PULLSPEC nor an http(s) address`);
  }
  const bases = new Bases(terminal, args);
  const found = await inContext(`cannot fetch ${shownName(spec)}`, () => obtain(bases, spec, args, terminal));
  if (isAddress(spec) && !args.has('sha256')) {
    terminal.say(`Not verified: no digest was given. Its SHA-256 is ${found.sha256}`);
  }
  const output = args.optional('output');
  if (output !== undefined) await copy(found, output, args, terminal);
  const path = output ?? found.path;
  if (args.has('json')) await terminal.printJson({ ...found, path });
  else await terminal.print(`${path}\n`);
  return 0;
};

async function obtain(bases: Bases, spec: string, args: Arguments, terminal: Terminal): Promise<CachedBase> {
  const cache = await bases.cache();
  const remote = await bases.remote();
  const sha256 = args.optional('sha256');
  return terminal.withProgress(`Fetching ${shownName(spec)}`, async (onProgress) => {
    const options = { ...remote, onProgress };
    if (isAddress(spec)) return cache.download(spec, { ...options, ...(sha256 === undefined ? {} : { sha256 }) });
    if (spec.startsWith('stream:')) {
      const { pickStreamFile } = await import('@coreiso/iso/base');
      const file = pickStreamFile(await bases.stream(spec), { architecture: bases.architecture });
      return cache.download(file.location, { ...options, sha256: file.sha256 });
    }
    const registry = await bases.registry();
    return cache.release(bases.pullspec(spec), { ...registry, ...options, stream: bases.osStream });
  });
}

async function copy({ path }: CachedBase, output: string, args: Arguments, terminal: Terminal): Promise<void> {
  const source = await fileSource(path);
  try {
    const { signal } = terminal.io;
    const options = { mode: 'public', replace: args.has('force'), signal } as const;
    await inContext(`cannot write ${output}`, () => writeCopy(source, terminal.path(output), options));
  } finally {
    await source.close();
  }
}
