import { type Command, commandsOf, type Group, type Option, type Positional, type Words } from './command.ts';

/** A command line that cannot be understood. Its text is the whole refusal, in the words of coreos-installer's parser. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';

  constructor(reason: string, details: { tip?: string | undefined; usage?: string } = {}) {
    const parts = [`error: ${reason}`];
    if (details.tip !== undefined) parts.push(`  tip: ${details.tip}`);
    if (details.usage !== undefined) parts.push(`Usage: ${details.usage}`);
    parts.push("For more information, try '--help'.\n");
    super(parts.join('\n\n'));
  }
}

/** What every command takes. */
export const HELP: Option = { name: 'help', short: 'h', help: 'Print help' };

/** How an option is named in help and refusals. */
export function optionText(option: Option): string {
  return option.value === undefined ? `--${option.name}` : `--${option.name} <${option.value}>`;
}

export function positionalText({ name, required, repeatable }: Positional): string {
  return (required === true ? `<${name}>` : `[${name}]`) + (repeatable === true ? '...' : '');
}

/** The line after "Usage:", without options that need not be given where `briefly`. */
export function usageLine(words: Words, command: Command, detail: 'full' | 'required' = 'full'): string {
  const options = command.options ?? [];
  const positionals = command.positionals ?? [];
  const required = options.filter((option) => option.required === true);
  const placeholder = detail === 'full' && options.length > required.length ? ['[OPTIONS]'] : [];
  const shown = detail === 'full' ? positionals : positionals.filter((positional) => positional.required === true);
  return [...words, ...placeholder, ...required.map(optionText), ...shown.map(positionalText)].join(' ');
}

export async function unknownArgument(argument: string, words: Words, command: Command): Promise<UsageError> {
  const names = (command.options ?? []).map((option) => `--${option.name}`);
  const similar = argument.startsWith('--') ? await similarWord(argument, names) : undefined;
  let tip: string | undefined;
  if (similar !== undefined) tip = `a similar argument exists: '${similar}'`;
  else if (argument.startsWith('-')) tip = `to pass '${argument}' as a value, use '-- ${argument}'`;
  return new UsageError(`unexpected argument '${argument}' found`, { tip, usage: usageLine(words, command) });
}

export async function unknownSubcommand(word: string, words: Words, group: Group): Promise<UsageError> {
  const usage = `${words.join(' ')} <COMMAND>`;
  if (word.startsWith('-')) return new UsageError(`unexpected argument '${word}' found`, { usage });
  const names = (await commandsOf(group)).filter(({ hidden }) => hidden !== true).map(({ name }) => name);
  const similar = await similarWord(word, names);
  const tip = similar === undefined ? undefined : `a similar subcommand exists: '${similar}'`;
  return new UsageError(`unrecognized subcommand '${word}'`, { tip, usage });
}

/** Loaded on use: whoever types what is right does not wait for it. */
async function similarWord(word: string, words: readonly string[]): Promise<string | undefined> {
  return (await import('@coreiso/diagnostics')).closest(word, words);
}
