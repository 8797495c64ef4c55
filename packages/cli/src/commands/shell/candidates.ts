import { type Command, commandsOf, type Group } from '../../frame/command.ts';
import { offered } from '../../frame/help.ts';
import { COMMON, HELP, type Option, type Positional } from '../../frame/usage.ts';

/** One completion and its help. */
interface Candidate {
  readonly text: string;
  readonly help: string;
}

/** The completions of the word at the cursor: words of coreiso, or names of files or directories. */
export interface Completion {
  readonly kind: 'words' | 'files' | 'folders';
  readonly candidates: readonly Candidate[];
}

const NOTHING: Completion = { kind: 'words', candidates: [] };

/** Names of values and arguments that are files; a name in neither list has no completions. */
const FILES =
  /^(?:FILE|path|PATH|ISO|OUT|FACTS|BASE|initrd|config|keyfile|SITE|DEV|A|B|PARENT|CHILD|\w+_FILE|\w+_ISO|FILE\|\w+)$/;
const FOLDERS = /^DIR$/;

/** Completes the last word, which may be empty; the words before it start after the program name. */
export async function complete(tree: Group, words: readonly string[]): Promise<Completion> {
  const current = words.at(-1) ?? '';
  let target: Command | Group = tree;
  let used = 0;
  for (const word of words.slice(0, -1)) {
    if (target.kind === 'command') break;
    used++;
    if (word === 'help' && used === 1) continue;
    const next: Command | Group | undefined = (await commandsOf(target)).find(({ name }) => name === word);
    if (next === undefined) return NOTHING;
    target = next;
  }
  if (target.kind === 'command') return completeArguments(target, words.slice(used, -1), current);
  const commands = offered(await commandsOf(target)).map(({ name, summary }) => ({ text: name, help: summary }));
  const options = [...(target.options ?? []), HELP].map(({ name, help }) => ({ text: `--${name}`, help }));
  return starting(current, current.startsWith('-') ? options : commands);
}

function completeArguments(command: Command, before: readonly string[], current: string): Completion {
  const options = [...(command.options ?? []), ...COMMON];
  const { given, open, ended, positionals } = readBefore(before, options);
  if (open !== undefined) return valuesOf(open, open.value ?? '', current);
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(current) ?? [];
  if (!ended && name !== undefined && value !== undefined) {
    const option = options.find((one) => one.name === name);
    if (option?.value === undefined) return NOTHING;
    const { kind, candidates } = valuesOf(option, option.value, value);
    return { kind, candidates: candidates.map(({ text, help }) => ({ text: `--${name}=${text}`, help })) };
  }
  if (!ended && current.startsWith('-')) return starting(current, optionsLeft(options, given));
  const all = command.positionals ?? [];
  const positional = all[positionals] ?? (all.at(-1)?.repeatable === true ? all.at(-1) : undefined);
  if (positional !== undefined) return valuesOf(positional, positional.name, current);
  return ended ? NOTHING : starting(current, optionsLeft(options, given));
}

interface ParsedWords {
  /** Names of the options on the line. */
  readonly given: ReadonlySet<string>;
  /** The option whose value comes next. */
  readonly open: Option | undefined;
  /** Whether `--` is on the line. */
  readonly ended: boolean;
  /** The number of arguments that are not options. */
  readonly positionals: number;
}

function readBefore(words: readonly string[], options: readonly Option[]): ParsedWords {
  const given = new Set<string>();
  let open: Option | undefined;
  let ended = false;
  let positionals = 0;
  for (const word of words) {
    if (open !== undefined) open = undefined;
    else if (ended || !/^-./.test(word)) positionals++;
    else if (word === '--') ended = true;
    else {
      const option = options.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
      const named = option ?? options.find(({ name, short }) => word.startsWith(`--${name}=`) || word[1] === short);
      if (named !== undefined) given.add(named.name);
      if (option?.value !== undefined) open = option;
    }
  }
  return { given, open, ended, positionals };
}

/** Returns the options that are still possible. */
function optionsLeft(options: readonly Option[], given: ReadonlySet<string>): Candidate[] {
  return options
    .filter(({ name, repeatable }) => repeatable === true || !given.has(name))
    .filter(({ name, conflicts = [] }) => {
      const others = options.filter((other) => given.has(other.name));
      return !conflicts.some((other) => given.has(other)) && !others.some((other) => other.conflicts?.includes(name));
    })
    .map(({ name, help }) => ({ text: `--${name}`, help }));
}

function valuesOf({ choices }: Option | Positional, name: string, current: string): Completion {
  if (choices !== undefined)
    return starting(
      current,
      choices.map((text) => ({ text, help: '' })),
    );
  return { kind: FILES.test(name) ? 'files' : FOLDERS.test(name) ? 'folders' : 'words', candidates: [] };
}

function starting(current: string, candidates: readonly Candidate[]): Completion {
  return { kind: 'words', candidates: candidates.filter(({ text }) => text.startsWith(current)) };
}
