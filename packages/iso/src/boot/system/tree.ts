// The tree of files that the kernel unpacks from its initrds.
import type { ArchiveEntry } from '../../initrd/newc.ts';
import type { Boots } from '../links.ts';

/** The tree after unpacking. */
export interface Tree {
  readonly nodes: ReadonlyMap<string, Node>;
  /** Files from the initrd area. */
  readonly embedded: NonNullable<Boots['embedded']>;
}

export interface Node {
  readonly kind: ArchiveEntry['kind'];
  readonly mode: number;
  readonly size: number;
  /** The target of a symbolic link, or the first bytes of a program. */
  readonly start: string;
  readonly isEmbedded: boolean;
}

/** Every kernel creates these before unpacking (usr/default_cpio_list). */
export const BEFORE: readonly string[] = ['dev', 'root'];

const MAX_LINKS = 40;

/** Files that mark the initramfs of a live CoreOS. */
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
