/** What is wrong with an absolute path that must be written in its shortest form. */
export type PathFault = 'path-not-specified' | 'path-not-absolute' | 'path-not-simplified';

const UNCLEAN_SEGMENT = /\/\.{0,2}(?:\/|$)/;

/** The first rule that a path breaks. */
export function pathFault(path: string): PathFault | undefined {
  if (path === '') return 'path-not-specified';
  if (!path.startsWith('/')) return 'path-not-absolute';
  return path !== '/' && UNCLEAN_SEGMENT.test(path) ? 'path-not-simplified' : undefined;
}

/** The shortest path that means the same, by its text alone. */
export function cleanPath(path: string): string {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!rooted) kept.push(segment);
  }
  const clean = (rooted ? '/' : '') + kept.join('/');
  return clean === '' ? '.' : clean;
}

/** The text from the last dot of the last segment, or nothing. */
export function extension(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot === -1 ? '' : base.slice(dot);
}
