import type { Action, Group } from '../../frame/command.ts';
import { type Completion, complete } from './candidates.ts';
import { SCRIPTS } from './scripts.ts';

type Shell = keyof typeof SCRIPTS;

/** `coreiso completion SHELL`. */
export const printScript: Action = async (args, terminal) => {
  await terminal.print(SCRIPTS[args.required('SHELL') as Shell]);
  return 0;
};

/** `coreiso complete SHELL -- WORD…`: prints the kind on the first line, then a candidate and its help on each. */
export const candidatesOf =
  (tree: Group): Action =>
  async (args, terminal) => {
    const shell = args.required('SHELL') as Shell;
    const given = args.list('WORD');
    const words = shell === 'bash' ? splitLine(given[0] ?? '').slice(1) : given;
    const { kind, candidates } = await complete(tree, words);
    const shown = shell === 'bash' ? withoutBreakPrefix({ kind, candidates }, words.at(-1) ?? '') : candidates;
    const lines = shown.map(({ text, help }) => (help === '' || shell === 'bash' ? text : `${text}\t${help}`));
    await terminal.print([kind, ...lines].map((line) => `${line}\n`).join(''));
    return 0;
  };

/** Splits a line into words with the quotes of a shell; the last word may be unfinished. */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === '\\' && quote !== "'") word = (word ?? '') + (line[++at] ?? '');
    else if (quote === '' ? char === '"' || char === "'" : char === quote) {
      quote = quote === '' ? char : '';
      word ??= '';
    } else if (quote !== '' || !/\s/.test(char)) word = (word ?? '') + char;
    else {
      if (word !== undefined) words.push(word);
      word = undefined;
    }
  }
  return [...words, word ?? ''];
}

/** Removes the prefix for bash, which begins a new word after `=` and `:`. */
function withoutBreakPrefix({ candidates }: Completion, current: string): Completion['candidates'] {
  const start = Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1;
  return candidates.map(({ text, help }) => ({ text: text.slice(start), help }));
}
