import { Refusal } from './refusal.ts';

/** The last component of a path, as Rust sees it: `.` and empty ones do not count, `..` is no name. */
export function fileName(path: string): string {
  const name = path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .at(-1);
  if (name === undefined || name === '..') throw new Refusal('missing-file-name', [`missing filename in ${path}`]);
  return name;
}
