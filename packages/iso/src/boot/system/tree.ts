// The tree of files that the kernel makes of its initrds.
import type { ArchiveEntry } from '../../initrd/newc.ts';
import type { Boots } from '../links.ts';

/** The tree after everything was unpacked. */
export interface Tree {
  readonly nodes: ReadonlyMap<string, Node>;
  /** Files out of the initrd area. */
  readonly embedded: NonNullable<Boots['embedded']>;
}

export interface Node {
  readonly kind: ArchiveEntry['kind'];
  readonly mode: number;
  readonly size: number;
  /** Where a symbolic link leads; of a program, its beginning. */
  readonly start: string;
  readonly isEmbedded: boolean;
}

/** Everybody's kernel has these before anything is unpacked (usr/default_cpio_list). */
export const BEFORE: readonly string[] = ['dev', 'root'];

const MAX_LINKS = 40;

/** The initramfs of a live CoreOS has these. */
export const LIVE_MARKS: readonly string[] = ['etc/coreos-live-initramfs', 'etc/coreos-live-want-rootfs'];

/** The path after all symbolic links; `undefined` if they lead nowhere. */
export function resolvePath(nodes: ReadonlyMap<string, Node>, path: string): string | undefined {
  let left = path.split('/');
  const done: string[] = [];
  for (let links = 0; left.length > 0; ) {
    const [name = '', ...rest] = left;
    left = rest;
    if (name === '' || name === '.') continue;
    if (name === '..') {
      done.pop();
      continue;
    }
    const node = nodes.get([...done, name].join('/'));
    if (node === undefined) return undefined;
    if (node.kind !== 'symlink') done.push(name);
    else {
      if (++links > MAX_LINKS) return undefined;
      if (node.start.startsWith('/')) done.length = 0;
      left = [...node.start.split('/'), ...left];
    }
  }
  return done.join('/');
}
