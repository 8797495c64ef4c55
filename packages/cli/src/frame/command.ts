import type { Arguments } from './arguments.ts';
import type { Terminal } from './terminal.ts';
import type { Option, Syntax } from './usage.ts';

/** Runs one command; returns the exit status, where undefined means 0. */
export type Action = (args: Arguments, terminal: Terminal) => Promise<number | undefined>;

/** One command as a table: the source of its arguments, help and errors. */
export interface Command extends Syntax {
  readonly kind: 'command';
  readonly name: string;
  readonly summary: string;
  /** Paragraphs at the end of `--help`. */
  readonly about?: string;
  /** Further paragraphs of `--help-all`. */
  readonly details?: string;
  /** The most useful examples first: `--help` shows three. */
  readonly examples?: readonly string[];
  readonly hidden?: boolean;
  /** The command stands in for another tool, and words errors as that tool does. */
  readonly standsIn?: true;
  /** Loads the code on use: `--help` does not need it. */
  readonly load: () => Promise<Action>;
}

/** Commands under a common word. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly summary: string;
  readonly about?: string;
  readonly examples?: readonly string[];
  /** Options of the group itself, for its help. */
  readonly options?: readonly Option[];
  readonly hidden?: boolean;
  /** All commands of the group stand in for another tool. */
  readonly standsIn?: true;
  readonly commands: CommandTable | (() => Promise<CommandTable>);
}

export type CommandTable = readonly (Command | Group)[];

/** Returns the commands of a group, and loads them if necessary. */
export async function commandsOf({ commands }: Group): Promise<CommandTable> {
  return typeof commands === 'function' ? await commands() : commands;
}
