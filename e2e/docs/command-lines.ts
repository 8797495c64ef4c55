import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandTree } from '../../packages/cli/src/commands/tree.ts';
import { HelpRequest, readArguments } from '../../packages/cli/src/frame/arguments.ts';
import { type Command, commandsOf, type Group } from '../../packages/cli/src/frame/command.ts';
import { UsageError } from '../../packages/cli/src/frame/usage.ts';
import { root } from '../../test/support/sources.ts';
import { blocksOf } from '../packed/readmes.ts';

export interface CommandLine {
  readonly place: string;
  readonly words: readonly string[];
  /** A command line as typed, not one mentioned in a sentence. */
  readonly isWhole: boolean;
}

/** Every command line of coreiso in a text: those of shell blocks, and those between backquotes. */
export function commandLines(path: string): CommandLine[] {
  const typed = blocksOf(path)
    .filter(({ language }) => /^sh\b/.test(language))
    .flatMap(({ title, text }) => commandsIn(text).map((words) => ({ place: title, words, isWhole: true })));
  const prose = readFileSync(join(root, path), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const mentioned = [...prose.matchAll(/`(coreiso [^`]*)`/g)].map(([, line = '']) => ({
    place: `${path}: ${line}`,
    words: wordsOf(line).slice(1),
    isWhole: false,
  }));
  return [...typed, ...mentioned];
}

/** The arguments of each call of coreiso in a script. */
function commandsIn(script: string): string[][] {
  return (
    script
      .replaceAll('\\\n', ' ')
      .split(/\n|&&|;|\|/)
      // Values that the shell fills in cannot be checked.
      .filter((line) => !line.includes('$'))
      .map((line) => wordsOf(line.replace(/(?:^|\s)#.*$/, '').trim()))
      .flatMap((words) => {
        const start = words.findIndex(
          (word) => !/^\w+=/.test(word) && word !== 'npx' && word !== '--no' && word !== 'time',
        );
        return words[start] === 'coreiso' ? [words.slice(start + 1)] : [];
      })
  );
}

/** Splits words as a shell does, without redirections. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) => word);
  const kept = words.filter((word, index) => !/^\d?[<>]/.test(word) && !/^\d?[<>]>?$/.test(words[index - 1] ?? ''));
  return kept.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** The program's error for a command line; undefined if it is valid. */
export async function refusalOf({ place, words, isWhole }: CommandLine): Promise<string | undefined> {
  let target: Command | Group = commandTree;
  let rest = words;
  while (target.kind === 'group') {
    const [word] = rest;
    // A sentence may mention a whole group.
    if (word === undefined || word === '…') return isWhole ? `${place}: no command` : undefined;
    if (/^(?:--help(?:-all)?|--version|help)$/.test(word)) return undefined;
    const found: Command | Group | undefined = (await commandsOf(target)).find(({ name }) => name === word);
    if (found === undefined) return `${place}: unknown command ${word}`;
    target = found;
    rest = rest.slice(1);
  }
  try {
    await readArguments(rest, ['coreiso'], target);
  } catch (error) {
    if (error instanceof HelpRequest) return undefined;
    if (!(error instanceof UsageError)) throw error;
    const isShort = /required arguments were not provided|a value is required/.test(error.message);
    if (isWhole || !isShort) return `${place}: ${error.message.split('\n')[0]}`;
  }
  return undefined;
}
