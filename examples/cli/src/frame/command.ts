import type { Readable, Writable } from 'node:stream';
import type { Arguments } from './arguments.ts';
import type { Terminal } from './terminal.ts';

/** What the program may touch of the world; nothing reaches for `process`. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** The name the program was started by: `coreos-installer` makes it write xz as that tool does. */
  readonly invokedAs: string;
  /** Aborted with an error whose message is the name of the signal that came, `SIGTERM` for one. */
  readonly signal: AbortSignal;
}

/** `--name VALUE` with a value name, a flag without one. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What the value is called in help and refusals, without brackets. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly required?: boolean;
  /** Names of options that cannot be given together with this one. */
  readonly conflicts?: readonly string[];
  /** Checks a value; its error's message becomes the refusal's reason. */
  readonly check?: (text: string) => void | Promise<void>;
  readonly help: string;
}

export interface Positional {
  readonly name: string;
  readonly required?: boolean;
  readonly repeatable?: boolean;
  readonly help: string;
}

/** Runs one command; the number is the exit status, nothing means 0. */
export type Action = (args: Arguments, terminal: Terminal) => Promise<number | undefined>;

/** One command as a table: its arguments, its help and its refusals all come from here. */
export interface Command {
  readonly kind: 'command';
  readonly name: string;
  readonly summary: string;
  /** Paragraphs after the summary in `--help`. */
  readonly about?: string;
  readonly examples?: readonly string[];
  readonly options?: readonly Option[];
  readonly positionals?: readonly Positional[];
  readonly hidden?: boolean;
  /** Loads the code on use, so that `--help` costs nothing of it. */
  readonly load: () => Promise<Action>;
}

/** Commands under one word. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly summary: string;
  readonly about?: string;
  readonly hidden?: boolean;
  readonly commands: CommandTable | (() => Promise<CommandTable>);
}

export type CommandTable = readonly (Command | Group)[];

/** The commands of a group, loaded where they are not there yet. */
export async function commandsOf({ commands }: Group): Promise<CommandTable> {
  return typeof commands === 'function' ? await commands() : commands;
}

/** The invocation up to a command or group: `['coreiso', 'iso', 'ls']`. */
export type Words = readonly string[];
