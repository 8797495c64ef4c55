import { IsoError } from '../errors.ts';

/** `path` for use below a target directory; one that is absolute or climbs out of it is refused. */
export function extractionPath(path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..')) {
    throw new IsoError('ISO_UNSAFE_PATH', `path ${path} contains path traversal`);
  }
  return path;
}
