import type { ByteSource } from '@coreiso/iso';
import { writeCopy } from '@coreiso/iso/node';
import { sampleIso, sampleKinds } from '@coreiso/iso/sample';
import type { Action } from '../frame/command.ts';
import { inContext } from '../frame/failure.ts';
import { refuseTerminal, STDOUT, writeToStdout } from '../frame/output.ts';
import { parseSize } from '../frame/size.ts';
import type { Terminal } from '../frame/terminal.ts';
import { UsageError } from '../frame/usage.ts';

/** `coreiso sample-iso`: never overwrites a file. */
export const makeSample: Action = async (args, terminal) => {
  if (args.has('list')) return await listKinds(terminal, args.has('json') ? 'json' : 'text');
  const out = args.optional('OUT');
  if (out === undefined) throw new UsageError('the following required arguments were not provided:\n  <OUT>');
  if (out === STDOUT) refuseTerminal(terminal);
  const kind = args.optional('kind');
  if (kind !== undefined && !sampleKinds().some(({ name }) => name === kind)) {
    throw new UsageError(
      `invalid value '${kind}' for '--kind <KIND>': expected one of ${sampleKinds()
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  const size = args.optional('size');
  const image = await sampleIso({
    kind,
    ...(size === undefined ? {} : { size: parseSize(size) }),
  });
  if (out === STDOUT) await writeToStdout(terminal, image);
  else await write(terminal, image, out);
  return 0;
};

async function write(terminal: Terminal, image: ByteSource, out: string): Promise<void> {
  const { signal } = terminal.io;
  await inContext(`cannot write ${out}`, () =>
    terminal.withProgress(`Writing ${out}`, (onProgress) =>
      writeCopy(image, terminal.path(out), { mode: 'public', signal, onProgress }),
    ),
  );
}

async function listKinds(terminal: Terminal, form: 'json' | 'text'): Promise<number> {
  const kinds = sampleKinds();
  if (form === 'json') {
    await terminal.printJson(kinds.map(({ name, architecture, description }) => ({ name, architecture, description })));
  } else {
    const width = Math.max(...kinds.map(({ name }) => name.length));
    await terminal.print(kinds.map(({ name, description }) => `${name.padEnd(width)}  ${description}\n`).join(''));
  }
  return 0;
}
