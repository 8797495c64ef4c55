// Writes manual pages in the macros of man(7), from the same tables as help.
import type { Command, CommandTable, Group } from '../../frame/command.ts';
import { COMMON, HELP, type Option, positionalText, usageLine, type Words } from '../../frame/usage.ts';

/** Returns the page of a command, with everything in `--help-all`. */
export function commandPage(words: Words, command: Command): string {
  const { positionals = [], examples = [], about, details } = command;
  const prose = [about, details].filter((text) => text !== undefined);
  return page(words, command.summary, [
    section('SYNOPSIS', [`.B ${escaped(usageLine(words, command))}`]),
    section('DESCRIPTION', prose.length === 0 ? [escaped(`${command.summary}.`)] : prose.flatMap(paragraphs)),
    section(
      'ARGUMENTS',
      positionals.flatMap((one) => entry(`\\fI${escaped(positionalText(one))}\\fR`, one.help)),
    ),
    section('OPTIONS', [...(command.options ?? []), ...COMMON].flatMap(optionEntry)),
    section('EXAMPLES', examples.flatMap(literal)),
    seeAlso([words.slice(0, -1)]),
  ]);
}

/** Returns the page of a group, which lists its commands. */
export function groupPage(words: Words, group: Group, commands: CommandTable): string {
  return page(words, group.summary, [
    section('SYNOPSIS', [`.B ${escaped(`${words.join(' ')} <COMMAND>`)}`]),
    section('DESCRIPTION', group.about === undefined ? [escaped(`${group.summary}.`)] : paragraphs(group.about)),
    section(
      'COMMANDS',
      commands.flatMap(({ name, summary }) => entry(`\\fB${escaped(name)}\\fR`, summary)),
    ),
    section('OPTIONS', [...(group.options ?? []), HELP].flatMap(optionEntry)),
    section('EXAMPLES', (group.examples ?? []).flatMap(literal)),
    seeAlso(commands.map(({ name }) => [...words, name])),
  ]);
}

function page(words: Words, summary: string, sections: readonly string[][]): string {
  const name = words.join('-');
  const title = `.TH ${escaped(name.toUpperCase())} 1 "" coreiso "coreiso manual"`;
  const lines = [title, '.SH NAME', `${escaped(name)} \\- ${escaped(summary)}`, ...sections.flat()];
  return `${lines.join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  // A heading starts a paragraph itself.
  const [first, ...rest] = lines;
  return first === undefined ? [] : [`.SH ${title}`, ...(first === '.PP' ? rest : lines)];
}

function seeAlso(pages: readonly Words[]): string[] {
  const named = pages.filter((words) => words.length > 0).map((words) => `.BR ${escaped(words.join('-'))} (1)`);
  return section(
    'SEE ALSO',
    named.map((line, index) => (index < named.length - 1 ? `${line} ,` : line)),
  );
}

function entry(head: string, text: string): string[] {
  return ['.TP', head, escaped(text)];
}

function optionEntry({ name, short, value, repeatable, help }: Option): string[] {
  const names = [...(short === undefined ? [] : [`-${short}`]), `--${name}`].map((one) => `\\fB${escaped(one)}\\fR`);
  const dots = repeatable === true ? '...' : '';
  return entry(`${names.join(', ')}${value === undefined ? '' : ` \\fI${escaped(value)}\\fR${dots}`}`, help);
}

/** Separates paragraphs; lines that begin with a blank are commands, and keep their layout. */
function paragraphs(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((paragraph) => {
    const lines = paragraph.split('\n');
    if (lines.every((line) => line.startsWith(' '))) return literal(paragraph.replace(/^ {2}/gm, ''));
    return ['.PP', ...lines.map(escaped)];
  });
}

function literal(text: string): string[] {
  return ['.PP', '.RS 4', '.nf', ...text.split('\n').map(escaped), '.fi', '.RE'];
}

/** Escapes a text so that roff finds no requests, escapes or typographic quotes in it. */
function escaped(text: string): string {
  return text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/`/g, '\\(ga')
    .replace(/^(?=[.'])/gm, '\\&')
    .replace(/'/g, '\\(aq')
    .replace(/…/g, '...');
}
