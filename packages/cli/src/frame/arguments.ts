import { parseArgs } from 'node:util';
import {
  COMMON,
  type Extent,
  HELP,
  HELP_ALL,
  type Option,
  optionText,
  type Positional,
  positionalText,
  type Syntax,
  UsageError,
  unknownArgument,
  usageLine,
  type Words,
} from './usage.ts';

/** The values on the command line, by their names in the command's table. */
export class Arguments {
  readonly words: Words;
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(words: Words, values: ReadonlyMap<string, readonly string[]>) {
    this.words = words;
    this.#values = values;
  }

  /** Whether a flag or option was given. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns all values of a repeatable option or positional, in order. */
  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  optional(name: string): string | undefined {
    return this.list(name)[0];
  }

  /** Returns a value that the table requires. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined)
      throw new TypeError(`name must be required by the table of ${this.words.join(' ')}, not ${name}`);
    return value;
  }
}

/** Thrown if the user requests help. */
export class HelpRequest extends Error {
  override readonly name: string = 'HelpRequest';
  readonly extent: Extent;

  constructor(extent: Extent) {
    super();
    this.extent = extent;
  }
}

/**
 * Reads a command's arguments against its table. Errors come in the order of coreos-installer's parser: first wrong
 * arguments from left to right, then conflicts, then missing arguments.
 */
export async function readArguments(argv: readonly string[], words: Words, command: Syntax): Promise<Arguments> {
  const options = command.options ?? [];
  const positionals = command.positionals ?? [];
  const values = new Map<string, string[]>();
  let position = 0;

  for (const token of tokens(argv, options)) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      const positional = positionals[position];
      if (positional === undefined) throw await unknownArgument(token.value, words, command);
      append(values, positional.name, token.value);
      if (positional.repeatable !== true) position++;
      continue;
    }
    const option = [...options, ...COMMON].find(
      ({ name, short }) => token.rawName === `--${name}` || token.rawName === `-${short}`,
    );
    if (option === undefined) throw await unknownArgument(token.rawName.replace(/^(--.*?)=.*$/s, '$1'), words, command);
    const value = await readValue(option, token, words, command);
    if (option === HELP) throw new HelpRequest('brief');
    if (option === HELP_ALL) throw new HelpRequest('all');
    if (option.repeatable !== true && values.has(option.name)) {
      const reason = `the argument '${optionText(option)}' cannot be used multiple times`;
      throw new UsageError(reason, { usage: usageLine(words, command) });
    }
    append(values, option.name, value);
  }
  refuseConflicts(options, values, words, command);
  refuseMissing(options, positionals, values, words, command);
  return new Arguments(words, values);
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

/**
 * Yields Node's tokens, but never takes a word that looks like an option as the value of the option before it: `--append -x`
 * is a mistake, `--append=-x` is valid.
 */
function* tokens(argv: readonly string[], options: readonly Option[]): Generator<Token> {
  const types = Object.fromEntries(
    [...options, ...COMMON].map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );
  let start = 0;
  for (let restart = true; restart; ) {
    restart = false;
    const rest = argv.slice(start);
    for (const token of parseArgs({ args: rest, options: types, strict: false, tokens: true }).tokens) {
      const swallowed = token.kind === 'option' && token.inlineValue === false && /^-./.test(token.value);
      if (!swallowed) yield token;
      else {
        yield* refuseUnlessKnown(token, rest, options);
        start += token.index + 1;
        restart = true;
        break;
      }
    }
  }
}

/** Reports an unknown option before the missing value of the option in front of it. */
function* refuseUnlessKnown(token: OptionToken, argv: readonly string[], options: readonly Option[]): Generator<Token> {
  const next = argv[token.index + 1] ?? '';
  const known = [...options, ...COMMON].some(
    ({ name, short }) => next === `--${name}` || next.startsWith(`--${name}=`) || next[1] === short,
  );
  if (known) yield { ...token, value: undefined, inlineValue: undefined };
}

function append(values: Map<string, string[]>, name: string, value: string): void {
  const list = values.get(name);
  if (list === undefined) values.set(name, [value]);
  else list.push(value);
}

async function readValue(option: Option, token: OptionToken, words: Words, command: Syntax): Promise<string> {
  if (option.value === undefined) {
    if (token.value === undefined) return '';
    if (option.variants?.includes(token.value)) return token.value;
    const reason = `unexpected value '${token.value}' for '--${option.name}' found; no more were expected`;
    throw new UsageError(reason, { usage: usageLine(words, command) });
  }
  if (token.value === undefined) {
    throw new UsageError(`a value is required for '${optionText(option)}' but none was supplied`);
  }
  // `-o=file` means the same as `-ofile`.
  const short = token.rawName.length === 2 && token.inlineValue === true;
  const value = short ? token.value.replace(/^=/, '') : token.value;
  try {
    checkChoice(option, value);
    await option.check?.(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`invalid value '${value}' for '${optionText(option)}': ${reason}`);
  }
  return value;
}

function checkChoice({ choices }: Option, value: string): void {
  if (choices !== undefined && !choices.includes(value)) throw new Error(`expected one of ${choices.join(', ')}`);
}

function refuseConflicts(
  options: readonly Option[],
  values: ReadonlyMap<string, unknown>,
  words: Words,
  command: Syntax,
): void {
  // The message names the earlier of two conflicting options first.
  for (const given of values.keys()) {
    const option = options.find(({ name }) => name === given);
    const other = options.find(({ name }) => values.has(name) && option?.conflicts?.includes(name));
    if (option === undefined || other === undefined) continue;
    const reason = `the argument '${optionText(option)}' cannot be used with '${optionText(other)}'`;
    throw new UsageError(reason, { usage: usageLine(words, command) });
  }
}

function refuseMissing(
  options: readonly Option[],
  positionals: readonly Positional[],
  values: ReadonlyMap<string, unknown>,
  words: Words,
  command: Syntax,
): void {
  const missing = [
    ...options.filter(({ name, required }) => required === true && !values.has(name)).map(optionText),
    ...positionals.filter(({ name, required }) => required === true && !values.has(name)).map(positionalText),
  ];
  if (missing.length === 0) return;
  const list = missing.map((argument) => `\n  ${argument}`).join('');
  throw new UsageError(`the following required arguments were not provided:${list}`, {
    usage: usageLine(words, command, 'required'),
  });
}
