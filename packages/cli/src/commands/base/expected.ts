import { pickStreamFile, type StreamFile } from '@coreiso/iso/base';
import type { Arguments } from '../../frame/arguments.ts';
import { Bases } from '../../frame/base.ts';
import { inContext } from '../../frame/failure.ts';
import { shownName } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';

/** What a base may be: digests, each with what it is of. */
export async function expectedDigests(
  spec: string,
  args: Arguments,
  terminal: Terminal,
): Promise<ReadonlyMap<string, string>> {
  const bases = new Bases(terminal, args);
  return inContext(`cannot read ${shownName(spec)}`, async () => {
    if (spec.startsWith('stream:')) {
      const stream = await bases.stream(spec);
      const isChosen = args.has('architecture');
      const files = isChosen ? [pickStreamFile(stream, { architecture: bases.architecture })] : stream.files;
      return new Map(files.map((file) => [file.sha256, describe(file, stream.name)]));
    }
    if (!spec.startsWith('release:'))
      throw new UsageError(`${shownName(spec)} is neither stream:NAME nor release:PULLSPEC`);
    const options = { ...(await bases.registry()), ...(await bases.remote()) };
    const { sha256, origin } = await (await bases.cache()).release(bases.pullspec(spec), options);
    return new Map([[sha256, `the live image of ${shownName(origin)}`]]);
  });
}

function describe({ architecture, artifact, format, part, release }: StreamFile, stream: string): string {
  return `${artifact}.${format}.${part} for ${architecture} of ${stream} ${release}`.trimEnd();
}
