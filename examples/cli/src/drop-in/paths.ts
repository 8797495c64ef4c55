/** The last name of a path, as the operating system sees it: dots and empty parts do not count. */
export function fileName(path: string): string {
  const name = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .at(-1);
  if (name === undefined || name === '..') throw new Error(`missing filename in ${path}`);
  return name;
}

/** A name without what follows its last dot; a leading dot is part of the name. */
export function fileStem(path: string): string {
  return fileName(path).replace(/(?<=.)\.[^.]*$/, '');
}

/** A path below a directory in the spelling that was given, unlike `join` of Node, which tidies up. */
export function joinPath(directory: string, path: string): string {
  return directory === '' || directory.endsWith('/') ? directory + path : `${directory}/${path}`;
}
