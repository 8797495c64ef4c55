import type { Action } from '../frame/command.ts';
import { changeImage, kargsOf, lookAtImage } from './image.ts';

/** `iso kargs show`. */
export const show: Action = (args, terminal) =>
  lookAtImage(args, terminal, async ({ image }) => {
    const kargs = kargsOf(image);
    await terminal.print(`${args.has('default') ? kargs.default : kargs.current}\n`);
    return undefined;
  });

/** `iso kargs modify`: starts from the current arguments. */
export const modify: Action = (args, terminal) =>
  changeImage(args, terminal, () => ({
    kargs: { append: args.list('append'), delete: args.list('delete'), replace: args.list('replace') },
  }));

/** `iso kargs reset`. */
export const reset: Action = (args, terminal) => changeImage(args, terminal, () => ({ kargs: { reset: true } }));
