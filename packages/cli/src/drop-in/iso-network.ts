import type { Action } from '../frame/command.ts';
import { changeImage, hasNetwork, lookAtImage } from './image.ts';
import { extractKeyfiles, readKeyfiles } from './keyfiles.ts';

/** `iso network embed`: replaces all embedded keyfiles. */
export const embed: Action = (args, terminal) =>
  changeImage(args, terminal, async (opened) => {
    const { liveInitrdNetwork } = await opened.image.features({ signal: terminal.io.signal });
    if (!liveInitrdNetwork) throw new Error('This OS image does not support customizing network settings.');
    if (hasNetwork(opened) && !args.has('force')) {
      throw new Error('This ISO image already has embedded network settings; use -f to force.');
    }
    return { keyfiles: await readKeyfiles(args, terminal) };
  });

/** `iso network extract`. */
export const extract: Action = (args, terminal) =>
  lookAtImage(args, terminal, ({ members }) => extractKeyfiles(args, terminal, members.values()));

/** `iso network remove`: succeeds even if there is nothing to remove. */
export const remove: Action = (args, terminal) => changeImage(args, terminal, () => ({ keyfiles: [] }));
