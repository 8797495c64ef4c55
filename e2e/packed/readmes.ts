import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PUBLISHED } from './registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block of a README. */
export interface Block {
  /** The README and the line of the block in it. */
  readonly title: string;
  readonly language: string;
  readonly text: string;
}

/** Every fenced block of every README that somebody without the repository reads, and of the repository's own. */
const blocks: readonly Block[] = ['.', ...PUBLISHED].flatMap((folder) => {
  const path = join(folder, 'README.md');
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/^```(.*)\n((?:.*\n)*?)```$/gm)].map(({ index, 1: language = '', 2: body = '' }) => ({
    title: `${path}:${text.slice(0, index).split('\n').length}`,
    language,
    text: body,
  }));
});

/** Commands for whoever works on the repository; `.ci/run` starts with them. */
const isForTheRepository = (text: string): boolean => text.includes('npm ci');

export const programs: readonly Block[] = blocks.filter(({ language }) => /^[jt]s$/.test(language));
/** Programs for a page, or that need a server or a cluster to talk to: they are type-checked, not run. */
export const unrunPrograms: readonly Block[] = blocks.filter(({ language }) =>
  /^[jt]s (?:browser|live)$/.test(language),
);
export const commands: readonly Block[] = blocks.filter(
  ({ language, text }) => language === 'sh' && !isForTheRepository(text),
);
