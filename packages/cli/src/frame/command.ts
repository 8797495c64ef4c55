import type { Arguments } from './arguments.ts';
import type { Terminal } from './terminal.ts';
import type { Option, Syntax } from './usage.ts';

/** Runs one command; the number is the exit status, nothing means 0. */
export type Action = (args: Arguments, terminal: Terminal) => Promise<number | undefined>;

/** One command as a table: its arguments, its help and its refusals all come from here. */
export interface Command extends Syntax {
  readonly kind: 'command';
  readonly name: string;
  readonly summary: string;
  /** Paragraphs at the end of `--help`. */
  readonly about?: string;
  /** Paragraphs that follow in `--help-all`. */
  readonly details?: string;
  /** The most useful first: `--help` shows three. */
  readonly examples?: readonly string[];
  readonly hidden?: boolean;
  /** Stands in for another tool, so that it fails in the words of that tool. */
  readonly standsIn?: true;
  /** Loads the code on use, so that `--help` costs nothing of it. */
  readonly load: () => Promise<Action>;
}

/** Commands under one word. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly summary: string;
  readonly about?: string;
  readonly examples?: readonly string[];
  /** Options of the group itself, which its help shows. */
  readonly options?: readonly Option[];
  readonly hidden?: boolean;
  /** All its commands do. */
  readonly standsIn?: true;
  readonly commands: CommandTable | (() => Promise<CommandTable>);
}

export type CommandTable = readonly (Command | Group)[];

/** The commands of a group, loaded where they are not there yet. */
export async function commandsOf({ commands }: Group): Promise<CommandTable> {
  return typeof commands === 'function' ? await commands() : commands;
}
