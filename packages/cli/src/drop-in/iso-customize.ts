import { IGNITION_PATH } from '@coreiso/iso';
import type { Action } from '../frame/command.ts';
import { changeImage, hasNetwork, type OpenedImage } from './image.ts';

/** `iso customize`: removes everything that was embedded before; keeps kernel arguments unless new ones are given. */
export const customize: Action = (args, terminal) =>
  changeImage(args, terminal, async (opened) => {
    if (!args.has('force') && isCustomized(opened)) {
      throw new Error('This ISO image is already customized; use -f to force.');
    }
    const { image } = opened;
    const { customization } = await import('./customization.ts');
    const features = await image.features({ signal: terminal.io.signal });
    return await customization(args, terminal, { target: 'iso', features, kargs: image.kargs !== undefined });
  });

function isCustomized(opened: OpenedImage): boolean {
  const { kargs } = opened.image;
  return opened.members.has(IGNITION_PATH) || hasNetwork(opened) || kargs?.current !== kargs?.default;
}

/** `iso reset`: restores the image as built. */
export const reset: Action = (args, terminal) =>
  changeImage(args, terminal, ({ image }) => ({
    ignition: null,
    keyfiles: [],
    files: [],
    ...(image.kargs === undefined ? {} : { kargs: { reset: true } }),
  }));
