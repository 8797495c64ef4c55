import type { Option, Positional } from '../frame/command.ts';

/** The image that a command is about. */
export const isoFile: Positional = {
  name: 'ISO',
  required: true,
  help: 'Path of an ISO image; to read from also its http(s) address, stream:NAME or release:PULLSPEC',
};

/** Where an edited image goes. */
export const output: Option = {
  name: 'output',
  short: 'o',
  value: 'path',
  help: 'Write a new file, or - for standard output, instead of changing the image',
};

/** Ours: coreos-installer refuses what does not fit. */
export const grow: Option = { name: 'grow', help: 'Make the image longer where the area is too small' };

/** Ours: coreos-installer, like cp, leaves that to the operating system. */
export const sync: Option = { name: 'sync', help: 'Wait until a new file would survive a loss of power' };

export const keyfiles: Option = {
  name: 'keyfile',
  short: 'k',
  value: 'path',
  required: true,
  repeatable: true,
  help: 'NetworkManager keyfile to embed',
};

export function force(help: string): Option {
  return { name: 'force', short: 'f', help };
}

export function directory(help: string): Option {
  return { name: 'directory', short: 'C', value: 'path', help };
}
