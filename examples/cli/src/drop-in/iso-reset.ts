import type { Action } from '../frame/command.ts';
import { changeImage } from './image.ts';

/** `iso reset`: the image as it was built. */
export const reset: Action = (args, terminal) =>
  changeImage(args, terminal, ({ image }) => ({
    ignition: null,
    keyfiles: [],
    files: [],
    ...(image.kargs === undefined ? {} : { kargs: { reset: true } }),
  }));
