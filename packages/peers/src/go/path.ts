/**
 * The shortest path with the same meaning, judged by its text alone: Go's `path.Clean`.
 *
 * @example cleanPath('/a/../b//c') // '/b/c'
 */
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

/**
 * The text from the last dot of the last segment on, or an empty text: Go's `path.Ext`.
 *
 * @example extension('units/a.service') // '.service'
 */
export function extension(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot === -1 ? '' : base.slice(dot);
}
