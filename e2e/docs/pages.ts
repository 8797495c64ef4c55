import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/sources.ts';
import { packagePages } from '../packed/readmes.ts';

/** Folders of pages for users; the other pages are about the repository. */
const FOLDERS = ['start', 'guides', 'how', 'formats'];

/** The hand-written pages for users, from the root of the repository. */
export const pages: readonly string[] = [
  'docs/index.md',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(root, 'docs', folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${folder}/${file}`),
  ),
  ...packagePages,
];
