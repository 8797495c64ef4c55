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

/** Commands that work on the repository itself; `.ci/run` starts with them. */
const isForTheRepository = (text: string): boolean => text.includes('npm ci');

/** A README whose commands and programs a reader types one after the other, in a folder that is empty at first. */
export interface Walk {
  readonly path: string;
  /** In the order of the text. */
  readonly blocks: readonly Block[];
}

export const isProgram = ({ language }: Block): boolean => /^[jt]s$/.test(language);

const isWalked = (block: Block): boolean =>
  isProgram(block) || (block.language === 'sh' && !isForTheRepository(block.text));

export const walks: readonly Walk[] = [...new Set(blocks.map(pathOf))].map((path) => ({
  path,
  blocks: blocks.filter((block) => pathOf(block) === path && isWalked(block)),
}));

function pathOf({ title }: Block): string {
  return title.replace(/:\d+$/, '');
}

/** Programs for a page, or that need a server or a cluster to talk to: they are type-checked, not run. */
export const unrunPrograms: readonly Block[] = blocks.filter(({ language }) =>
  /^[jt]s (?:browser|live)$/.test(language),
);
export const programs: readonly Block[] = blocks.filter(isProgram);
