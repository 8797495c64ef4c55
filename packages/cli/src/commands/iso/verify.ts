import { formatBootProof, verifyImage } from '@coreiso/iso';
import { nativeSha256 } from '@coreiso/iso/node';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { shownName, withImage } from '../../frame/source.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { expectedDigests } from '../base/expected.ts';

/** `coreiso iso verify`: exits with 0 if everything matches, 1 if not. */
export const verify: Action = async (args, terminal) => {
  const path = args.required('ISO');
  const { signal } = terminal.io;
  const base = await baseDigests(args, terminal);
  const verification = await withImage(terminal, path, (image) =>
    terminal.withProgress(`Reading ${shownName(path)}`, (onProgress) =>
      verifyImage(image, { sha256: nativeSha256, signal, onProgress, ...(base && { base }) }),
    ),
  );
  if (args.has('json')) await terminal.printJson(verification);
  else {
    const lines = verification.checks.map(({ name, ok, detail }) => `${ok ? 'ok    ' : 'FAILED'} ${name}: ${detail}`);
    const chain = formatBootProof(verification.boot).split('\n').slice(0, -1);
    await terminal.showLines([...lines, ...chain]);
  }
  return verification.ok ? 0 : 1;
};

async function baseDigests(args: Arguments, terminal: Terminal): Promise<string[] | undefined> {
  const digests = args.list('sha256');
  const spec = args.optional('base');
  if (spec === undefined) return digests.length === 0 ? undefined : [...digests];
  return [...digests, ...(await expectedDigests(spec, args, terminal)).keys()];
}
