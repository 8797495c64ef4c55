import { showControls } from '@coreiso/peers/controls';
import { hideUsers } from '@coreiso/peers/hidden';
import { commandTree } from './commands/tree.ts';
import { HelpRequest, readArguments } from './frame/arguments.ts';
import { type Command, commandsOf, type Group } from './frame/command.ts';
import { type FailureStyle, failureText, hasCode } from './frame/failure.ts';
import { commandHelp, groupHelp, offered } from './frame/help.ts';
import { type ColourChoice, type Io, Terminal } from './frame/terminal.ts';
import { type Extent, UsageError, unknownSubcommand, type Words } from './frame/usage.ts';
import { versionText } from './frame/version.ts';

export type { Io } from './frame/terminal.ts';

/** Exit statuses of shells for a process that a signal ended: 128 plus its number. */
const STATUS_OF_SIGNAL: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
const READER_WENT_AWAY = 141;

/** Runs the whole program: reads the command line, runs the command and returns the exit status. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const terminal = new Terminal(io);
  try {
    if (argv[0] === '--version' || argv[0] === '-V') {
      await terminal.print(versionText(io.invokedAs, argv.includes('--verbose') ? 'verbose' : 'brief'));
      return 0;
    }
    return await dispatch(argv, { words: [io.invokedAs], style: 'own' }, commandTree, terminal);
  } catch (error) {
    return fail(error, 'own', terminal);
  }
}

/** Reports why a command failed, and returns its exit status. */
function fail(error: unknown, style: FailureStyle, terminal: Terminal): number {
  const { io } = terminal;
  if (error instanceof UsageError) {
    io.stderr.write(hideUsers(showControls(error.message)));
    return 2;
  }
  if (io.signal.aborted) {
    terminal.say('interrupted: nothing was left half-done');
    return STATUS_OF_SIGNAL[String(io.signal.reason?.message)] ?? 130;
  }
  if (hasCode(error, 'EPIPE', 'ISO_READER_GONE')) return READER_WENT_AWAY;
  io.stderr.write(failureText(error, style));
  return 1;
}

/** The words of the command line that lead to a command. */
interface CommandPath {
  readonly words: Words;
  readonly style: FailureStyle;
}

async function dispatch(
  argv: readonly string[],
  { words, style }: CommandPath,
  group: Group,
  terminal: Terminal,
): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined) {
    terminal.io.stderr.write(await groupHelp(words, group, 'brief'));
    return 2;
  }
  const extent = HELP_WORDS[word];
  if (extent !== undefined) {
    await terminal.print(await groupHelp(words, group, extent));
    return 0;
  }
  if (word === 'help') return await help(rest, words, group, terminal);
  const next = await find(word, words, group);
  const way: CommandPath = { words: [...words, word], style: next.standsIn ? 'upstream' : style };
  return next.kind === 'group' ? await dispatch(rest, way, next, terminal) : await execute(rest, way, next, terminal);
}

const HELP_WORDS: Readonly<Record<string, Extent | undefined>> = {
  '--help': 'brief',
  '-h': 'brief',
  '--help-all': 'all',
};

/** Prints help: `help iso ls` is the same as `iso ls --help`. */
async function help(rest: readonly string[], words: Words, group: Group, terminal: Terminal): Promise<number> {
  let path = words;
  let target: Command | Group = group;
  let extent: Extent = 'brief';
  for (const word of rest) {
    if (word === '--help-all') extent = 'all';
    if (target.kind === 'command' || HELP_WORDS[word] !== undefined) continue;
    target = await find(word, path, target);
    path = [...path, word];
  }
  const text = target.kind === 'group' ? await groupHelp(path, target, extent) : commandHelp(path, target, extent);
  await terminal.print(text);
  return 0;
}

async function find(word: string, words: Words, group: Group): Promise<Command | Group> {
  const commands = await commandsOf(group);
  const found = commands.find(({ name }) => name === word);
  if (found !== undefined) return found;
  throw await unknownSubcommand(
    word,
    words,
    offered(commands).map(({ name }) => name),
  );
}

async function execute(
  argv: readonly string[],
  { words, style }: CommandPath,
  command: Command,
  terminal: Terminal,
): Promise<number> {
  try {
    const args = await readArguments(argv, words, command);
    const action = await command.load();
    const shown = new Terminal(terminal.io, {
      secrets: args.has('show-secrets') ? 'shown' : 'hidden',
      colour: args.optional('color') as ColourChoice | undefined,
    });
    return (await action(args, shown)) ?? 0;
  } catch (error) {
    if (!(error instanceof HelpRequest)) return fail(error, style, terminal);
    await terminal.print(commandHelp(words, command, error.extent));
    return 0;
  }
}
