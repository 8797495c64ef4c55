/** An option: `--name VALUE` with a value name, a flag without one. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** The name of the value in help and errors, without brackets. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly required?: boolean;
  /** Optional values of a flag, after an equals sign: `--fix=all`. */
  readonly variants?: readonly string[];
  /** Names of options that conflict with this one. */
  readonly conflicts?: readonly string[];
  /** The possible values, if they are few. */
  readonly choices?: readonly string[];
  /** Checks a value; the message of its error becomes the reason in the refusal. */
  readonly check?: (text: string) => void | Promise<void>;
  /** Only `--help-all` shows it. */
  readonly rare?: boolean;
  readonly help: string;
}

export interface Positional {
  readonly name: string;
  readonly required?: boolean;
  readonly repeatable?: boolean;
  /** The possible values, if they are few. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** The options and arguments of a command. */
export interface Syntax {
  readonly options?: readonly Option[];
  readonly positionals?: readonly Positional[];
}

/** The extent of help: the most common options, or everything. */
export type Extent = 'brief' | 'all';

/** The words up to a command or group: `['coreiso', 'iso', 'ls']`. */
export type Words = readonly string[];

/** A wrong command line. The message is the whole refusal, in the words of coreos-installer's parser. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';

  constructor(reason: string, details: { tip?: string | undefined; usage?: string } = {}) {
    const parts = [`error: ${indented(reason)}`];
    if (details.tip !== undefined) parts.push(`  tip: ${indented(details.tip)}`);
    if (details.usage !== undefined) parts.push(`Usage: ${details.usage}`);
    parts.push("For more information, try '--help'.\n");
    super(parts.join('\n\n'));
  }
}

/** Indents quoted arguments, so that none of their lines looks like one of coreiso. */
function indented(text: string): string {
  return text.replace(/\n(?! )/g, '\n  ');
}

export const HELP: Option = { name: 'help', short: 'h', help: 'Print help' };
export const HELP_ALL: Option = { name: 'help-all', help: 'Print help with all options and the background' };
const COLOR: Option = {
  name: 'color',
  value: 'WHEN',
  choices: ['auto', 'always', 'never'],
  rare: true,
  help: 'When to use colours: auto, always or never (default: auto, by FORCE_COLOR and NO_COLOR)',
};

/** Options of every command. */
export const COMMON: readonly Option[] = [COLOR, HELP, HELP_ALL];

/** Formats an option for help and errors. */
export function optionText(option: Option): string {
  return option.value === undefined ? `--${option.name}` : `--${option.name} <${option.value}>`;
}

export function positionalText({ name, required, repeatable }: Positional): string {
  return (required === true ? `<${name}>` : `[${name}]`) + (repeatable === true ? '...' : '');
}

/** Returns the line after "Usage:"; with `required`, without optional arguments. */
export function usageLine(words: Words, command: Syntax, detail: 'full' | 'required' = 'full'): string {
  const options = command.options ?? [];
  const positionals = command.positionals ?? [];
  const required = options.filter((option) => option.required === true);
  const placeholder = detail === 'full' && options.length > required.length ? ['[OPTIONS]'] : [];
  const shown = detail === 'full' ? positionals : positionals.filter((positional) => positional.required === true);
  return [...words, ...placeholder, ...required.map(optionText), ...shown.map(positionalText)].join(' ');
}

export async function unknownArgument(argument: string, words: Words, command: Syntax): Promise<UsageError> {
  const names = (command.options ?? []).map((option) => `--${option.name}`);
  const similar = argument.startsWith('--') ? await similarWord(argument, names) : undefined;
  let tip: string | undefined;
  if (similar !== undefined) tip = `a similar argument exists: '${similar}'`;
  else if (argument.startsWith('-')) tip = `to pass '${argument}' as a value, use '-- ${argument}'`;
  return new UsageError(`unexpected argument '${argument}' found`, { tip, usage: usageLine(words, command) });
}

/** Returns the error about an unknown command; `names` are the known ones. */
export async function unknownSubcommand(word: string, words: Words, names: readonly string[]): Promise<UsageError> {
  const usage = `${words.join(' ')} <COMMAND>`;
  if (word.startsWith('-')) return new UsageError(`unexpected argument '${word}' found`, { usage });
  const similar = await similarWord(word, names);
  const tip = similar === undefined ? undefined : `a similar subcommand exists: '${similar}'`;
  return new UsageError(`unrecognized subcommand '${word}'`, { tip, usage });
}

/** Loads the comparison on use: a correct command does not wait for it. */
async function similarWord(word: string, words: readonly string[]): Promise<string | undefined> {
  return (await import('@coreiso/diagnostics')).closest(word, words);
}
