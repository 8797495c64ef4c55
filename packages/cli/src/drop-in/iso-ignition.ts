import { IGNITION_PATH } from '@coreiso/iso';
import type { Arguments } from '../frame/arguments.ts';
import type { Action } from '../frame/command.ts';
import type { Terminal } from '../frame/terminal.ts';
import { warnOfNoConfig } from './config-warning.ts';
import { changeImage, lookAtImage } from './image.ts';
import { readFileOrStdin } from './input.ts';

/** `iso ignition embed`: embeds any bytes, unchecked. */
export const embed: Action = (args, terminal) => embedFile(args, terminal, args.optional('ignition-file'));

/** `iso ignition show`. */
export const show: Action = (args, terminal) =>
  lookAtImage(args, terminal, async ({ members }) => {
    const config = members.get(IGNITION_PATH);
    if (config === undefined) throw new Error('No embedded Ignition config.');
    await terminal.print(config.content);
    return undefined;
  });

/** `iso ignition remove`: succeeds even if there is nothing to remove. */
export const remove: Action = (args, terminal) => changeImage(args, terminal, () => ({ ignition: null }));

/** The same commands under their original names. */
export const embedByOldName: Action = (args, terminal) => {
  sayDeprecated(terminal, 'embed');
  return embedFile(args, terminal, args.optional('config'));
};
export const showByOldName: Action = (args, terminal) => {
  sayDeprecated(terminal, 'show');
  return show(args, terminal);
};
export const removeByOldName: Action = (args, terminal) => {
  sayDeprecated(terminal, 'remove');
  return remove(args, terminal);
};

function sayDeprecated(terminal: Terminal, name: string): void {
  terminal.say(`\`iso ${name}\` is deprecated; use \`iso ignition ${name}\`.  Continuing.`);
}

async function embedFile(args: Arguments, terminal: Terminal, path: string | undefined): Promise<undefined> {
  const ignition = await readFileOrStdin(terminal, path);
  await warnOfNoConfig(terminal, ignition, path ?? 'standard input');
  return await changeImage(args, terminal, ({ members }) => {
    if (members.has(IGNITION_PATH) && !args.has('force')) {
      throw new Error('This ISO image already has an embedded Ignition config; use -f to force.');
    }
    return { ignition };
  });
}
