import { countText, sizeText } from './sizes.ts';

export const INITRAMFS = {
  title: 'Initramfs',
  none: 'Nothing is put into the initramfs.',
  caption: 'Files put into the initramfs',
  columns: ['Path', 'Size', 'Permissions', 'Compared with the base'],
  added: 'new',
  same: 'as before',
  changed: 'changed',
  removed: 'removed',
  total: (count: number, bytes: number) => `${countText(count, 'file')}, ${sizeText(bytes)} before compression.`,
  ignition: 'The Ignition config is shown as a tree in its own view.',
  binary: (size: number) => `${sizeText(size)} of binary data`,
} as const;
