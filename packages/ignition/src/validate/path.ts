/** The fault of a path that must be absolute and in its shortest form. */
export type PathFault = 'path-not-specified' | 'path-not-absolute' | 'path-not-simplified';

const UNCLEAN_SEGMENT = /\/\.{0,2}(?:\/|$)/;

/** The first rule that a path breaks. */
export function pathFault(path: string): PathFault | undefined {
  if (path === '') return 'path-not-specified';
  if (!path.startsWith('/')) return 'path-not-absolute';
  return path !== '/' && UNCLEAN_SEGMENT.test(path) ? 'path-not-simplified' : undefined;
}
