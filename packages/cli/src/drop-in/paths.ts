import { fileName } from '@coreiso/peers/rust';

/** The last name of a path; one that has none is refused. */
export function requireFileName(path: string): string {
  const name = fileName(path);
  if (name === undefined) throw new Error(`missing filename in ${path}`);
  return name;
}

/** A name without what follows its last dot; a leading dot is part of the name. */
export function fileStem(path: string): string {
  return requireFileName(path).replace(/(?<=.)\.[^.]*$/, '');
}

/** A path below a directory in the spelling that was given, unlike `join` of Node, which tidies up. */
export function joinPath(directory: string, path: string): string {
  return directory === '' || directory.endsWith('/') ? directory + path : `${directory}/${path}`;
}
