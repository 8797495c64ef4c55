import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PUBLISHED } from './registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block of a README or of a page. */
export interface Block {
  /** The file and the line of the block in it. */
  readonly title: string;
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a file; its path is from the root of the repository. */
export function blocksOf(path: string): Block[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/^```(.*)\n((?:.*\n)*?)```$/gm)].map(({ index, 1: language = '', 2: body = '' }) => ({
    title: `${path}:${text.slice(0, index).split('\n').length}`,
    language,
    text: body,
  }));
}

/** The READMEs of the repository and of each package. */
export const readmes: readonly string[] = ['.', ...PUBLISHED].map((folder) => join(folder, 'README.md'));

/** The pages that continue the README of a package. */
export const packagePages: readonly string[] = readdirSync(join(root, 'docs/packages')).map(
  (file) => `docs/packages/${file}`,
);

const texts = [...readmes, ...packagePages];
const blocks: readonly Block[] = texts.flatMap(blocksOf);

/** Commands for the repository itself; `.ci/run` starts with them. */
const isForTheRepository = (text: string): boolean => text.includes('npm ci');

/** A text whose commands and programs a reader runs in order, in a folder that is empty at first. */
export interface Walk {
  readonly path: string;
  /** In the order of the text. */
  readonly blocks: readonly Block[];
}

export const isProgram = ({ language }: Block): boolean => /^[jt]s$/.test(language);

/** The file name under which the reader saves a block: it follows the language. */
export const fileOf = ({ language }: Block): string | undefined => /^(?:yaml|json|ini) (\S+)$/.exec(language)?.[1];

/** The output of the commands or the program of the block before; `…` stands for any text. */
export const isOutput = ({ language }: Block): boolean => language === 'text output';

const isWalked = (block: Block): boolean =>
  isProgram(block) ||
  isOutput(block) ||
  fileOf(block) !== undefined ||
  (block.language === 'sh' && !isForTheRepository(block.text));

export function walkOf(path: string): Walk {
  return { path, blocks: blocksOf(path).filter(isWalked) };
}

export const walks: readonly Walk[] = texts.map(walkOf);

/** Programs for a page, or that need a server or a cluster: they are type-checked, not run. */
export const unrunPrograms: readonly Block[] = blocks.filter(({ language }) =>
  /^[jt]s (?:browser|live)$/.test(language),
);
export const programs: readonly Block[] = blocks.filter(isProgram);
