import { showLine } from '@coreiso/peers/controls';
import type { Arguments } from '../../frame/arguments.ts';
import { Bases } from '../../frame/base.ts';
import type { Action } from '../../frame/command.ts';
import { shownName, withImage } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { UsageError } from '../../frame/usage.ts';
import { digestOf, expectedDigests } from './expected.ts';

/** `coreiso base verify`: exits with 0 if the file has the expected digest, 1 if not. */
export const verify: Action = async (args, terminal) => {
  const path = args.required('FILE');
  const expected = await expectedFor(args, terminal);
  const sha256 = await withImage(terminal, path, (source) => digestOf(source, shownName(path), terminal));
  const is = expected.get(sha256);
  if (args.has('json'))
    await terminal.printJson({ file: shownName(path), sha256, verified: is !== undefined, is: is ?? null });
  else if (is !== undefined) await terminal.showLines([`${shownName(path)} matches ${is}`]);
  else {
    const wanted = [...expected].map(([digest, name]) => `  ${digest}  ${showLine(name)}\n`).join('');
    terminal.sayText(`${shownName(path)}: unexpected SHA-256 digest ${sha256}; expected one of\n${wanted}`.trimEnd());
  }
  return is === undefined ? 1 : 0;
};

async function expectedFor(args: Arguments, terminal: Terminal): Promise<ReadonlyMap<string, string>> {
  const given = args.optional('sha256')?.toLowerCase();
  const spec = args.optional('BASE');
  if (spec !== undefined) return expectedDigests(spec, args, terminal);
  if (given !== undefined) return new Map([[given, '--sha256']]);
  const here = (await new Bases(terminal, args).cache()).list();
  if (here.length > 0) return new Map(here.map(({ sha256, origin }) => [sha256, shownName(origin)]));
  throw new UsageError('expected --sha256, a file, stream:NAME or release:PULLSPEC');
}
