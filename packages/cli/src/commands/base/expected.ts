import { type ByteSource, toReadableStream } from '@coreiso/iso';
import { pickStreamFile, type StreamFile } from '@coreiso/iso/base';
import { nativeSha256 } from '@coreiso/iso/node';
import type { Arguments } from '../../frame/arguments.ts';
import { Bases } from '../../frame/base.ts';
import { inContext } from '../../frame/failure.ts';
import { shownName, withImage } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';

/** Returns the accepted digests of a base, each with the name of its image. */
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
    if (!spec.startsWith('release:')) {
      const name = shownName(spec);
      return new Map([
        [await withImage(terminal, spec, (image) => digestOf(image, name, terminal), { use: 'whole', args }), name],
      ]);
    }
    const options = { ...(await bases.registry()), ...(await bases.remote()) };
    const { sha256, origin } = await (await bases.cache()).release(bases.pullspec(spec), options);
    return new Map([[sha256, `the live image of ${shownName(origin)}`]]);
  });
}

/** Computes the digest of a whole image. */
export async function digestOf(source: ByteSource, name: string, terminal: Terminal): Promise<string> {
  const { signal } = terminal.io;
  const hash = nativeSha256();
  await terminal.withProgress(`Reading ${name}`, async (onProgress) => {
    for await (const chunk of toReadableStream(source, { signal, onProgress })) hash.update(chunk);
  });
  return Buffer.from(hash.digest()).toString('hex');
}

function describe({ architecture, artifact, format, part, release }: StreamFile, stream: string): string {
  return `${artifact}.${format}.${part} for ${architecture} of ${stream} ${release}`.trimEnd();
}
