import { recoverImage } from '@coreiso/iso/node';
import type { Action } from '../../frame/command.ts';

/** `coreiso iso recover`: restores an image; the user vouches that no program still writes to it. */
export const recover: Action = async (args, terminal) => {
  const path = args.required('ISO');
  const wasInterrupted = await recoverImage(terminal.path(path));
  terminal.say(`${path}: ${wasInterrupted ? 'restored after an interrupted edit' : 'no edit was interrupted'}`);
  return 0;
};
