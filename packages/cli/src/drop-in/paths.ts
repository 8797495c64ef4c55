import { fileName } from '@coreiso/peers/rust';

/** Returns the last name of a path; refuses a path without one. */
export function requireFileName(path: string): string {
  const name = fileName(path);
  if (name === undefined) throw new Error(`missing filename in ${path}`);
  return name;
}

/** Returns a name without its last dot and the text after it; a leading dot is part of the name. */
export function fileStem(path: string): string {
  return requireFileName(path).replace(/(?<=.)\.[^.]*$/, '');
}

/** Joins a path to a directory without the normalization of Node's `join`. */
export function joinPath(directory: string, path: string): string {
  return directory === '' || directory.endsWith('/') ? directory + path : `${directory}/${path}`;
}
