import { readRelease, type StreamFile } from '@coreiso/iso/base';
import type { Arguments } from '../../frame/arguments.ts';
import { Bases } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import { shownName } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';

/** `coreiso base list`. */
export const list: Action = async (args, terminal) => {
  const bases = new Bases(terminal, args);
  const spec = args.optional('BASE');
  if (spec === undefined) await listCache(bases, args, terminal);
  else if (spec.startsWith('release:')) await listRelease(bases, spec, args, terminal);
  else if (spec.startsWith('stream:')) await listStream(bases, spec, args, terminal);
  else throw new UsageError(`expected stream:NAME or release:PULLSPEC, found '${shownName(spec)}'`);
  return 0;
};

async function listCache(bases: Bases, args: Arguments, terminal: Terminal): Promise<void> {
  const found = (await bases.cache()).list();
  if (args.has('json')) return terminal.printJson(found);
  if (found.length === 0) terminal.say('The cache is empty. Fetch an image: coreiso base fetch stream:stable');
  await terminal.showLines(found.map(({ path, size, origin }) => `${path}  ${size}  ${origin}`));
}

async function listStream(bases: Bases, spec: string, args: Arguments, terminal: Terminal): Promise<void> {
  const stream = await inContext(`cannot read ${shownName(spec)}`, () => bases.stream(spec));
  const cache = await bases.cache();
  const files = stream.files
    .filter((file) => isWanted(file, args))
    .map((file) => ({ ...file, cached: cache.find(file.sha256)?.path ?? null }));
  if (args.has('json')) return terminal.printJson({ stream: stream.name, files });
  if (files.length === 0) terminal.say(`stream ${stream.name} has no such files; list all with --all`);
  const lines = files.flatMap(({ architecture, artifact, format, part, release, sha256, location, cached }) => {
    const what = `${architecture}  ${artifact}.${format}.${part}  ${release}${cached === null ? '' : '  (in the cache)'}`;
    return [what, `  ${location}`, `  sha256 ${sha256}`];
  });
  await terminal.showLines(lines);
}

function isWanted({ architecture, artifact, format }: StreamFile, args: Arguments): boolean {
  if (args.has('all')) return true;
  return (
    architecture === (args.optional('architecture') ?? architecture) &&
    artifact === (args.optional('platform') ?? 'metal') &&
    format === (args.optional('format') ?? 'iso')
  );
}

async function listRelease(bases: Bases, spec: string, args: Arguments, terminal: Terminal): Promise<void> {
  const options = { ...(await bases.registry()), ...(await bases.remote()) };
  const release = await inContext(`cannot read ${shownName(spec)}`, () => readRelease(bases.pullspec(spec), options));
  const { version, digest, architecture, images } = release;
  const image = images.get('machine-os-images') ?? null;
  if (args.has('json')) return terminal.printJson({ version, digest, architecture, image, images: images.size });
  const where = image ?? 'none: it has no live images';
  await terminal.showLines([`${version}  ${architecture}`, `  ${digest}`, `  machine-os-images: ${where}`]);
}
