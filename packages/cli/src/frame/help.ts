import { type Command, type CommandTable, commandsOf, type Group } from './command.ts';
import { COMMON, type Extent, HELP, HELP_ALL, type Option, positionalText, usageLine, type Words } from './usage.ts';

const WIDTH = 80;
const BRIEF_EXAMPLES = 3;

/** Returns the help of one command: examples first, prose last. */
export function commandHelp(words: Words, command: Command, extent: Extent): string {
  const { summary, about, details, examples = [], positionals = [] } = command;
  const all = [...(command.options ?? []), ...COMMON.filter((option) => option !== HELP_ALL)];
  const options = extent === 'all' ? all : all.filter(({ rare }) => rare !== true);
  const shown = extent === 'all' ? examples : examples.slice(0, BRIEF_EXAMPLES);
  const hasRare = command.options?.some(({ rare }) => rare === true) === true;
  const isWhole = details === undefined && !hasRare && shown.length === examples.length;
  const sections = [
    wrap(summary, ''),
    `Usage: ${usageLine(words, command)}`,
    ...examplesSection(shown, all),
    ...(positionals.length === 0
      ? []
      : [`Arguments:\n${rows(positionals.map((one) => [positionalText(one), one.help]))}`]),
    `Options:\n${rows(options.map((option) => [optionHead(option), option.help]))}`,
    ...(about === undefined ? [] : [wrap(about, '')]),
    ...(details === undefined || extent === 'brief' ? [] : [wrap(details, '')]),
    ...(extent === 'all' || isWhole ? [] : [`All options, and more: ${words.join(' ')} --help-all`]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Returns the help of a group; with `all`, also the commands for builders of images. */
export async function groupHelp(words: Words, group: Group, extent: Extent): Promise<string> {
  const commands = (await commandsOf(group)).filter((command) => extent === 'all' || command.hidden !== true);
  const options = [...(group.options ?? []), HELP];
  const sections = [
    group.summary,
    `Usage: ${words.join(' ')} <COMMAND>`,
    ...examplesSection(group.examples ?? [], []),
    `Commands:\n${rows(commands.map(({ name, summary }) => [name, summary]))}`,
    `Options:\n${rows(options.map((option) => [optionHead(option), option.help]))}`,
    ...(group.about === undefined ? [] : [wrap(group.about, '')]),
    `Help on a command: ${words.join(' ')} <COMMAND> --help`,
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Returns the commands that help and completion offer. */
export function offered(commands: CommandTable): CommandTable {
  return commands.filter(({ hidden }) => hidden !== true);
}

function examplesSection(examples: readonly string[], options: readonly Option[]): string[] {
  if (examples.length === 0) return [];
  return [`Examples:\n${examples.map((example) => wrapCommand(example, options)).join('\n')}`];
}

/** Formats an option; three dots mark one that can be repeated. */
function optionHead({ name, short, value, repeatable, variants = [] }: Option): string {
  const variant = variants.length === 0 ? '' : `[=${variants.join('|')}]`;
  const head = `${short === undefined ? '    ' : `-${short}, `}--${name}${variant}`;
  return value === undefined ? head : `${head} <${value}>${repeatable === true ? '...' : ''}`;
}

/** Formats two columns; a head that is too long gets its own line. */
function rows(list: readonly (readonly [head: string, text: string])[]): string {
  const column = Math.min(32, 4 + Math.max(...list.map(([head]) => head.length)));
  return list
    .map(([head, text]) => {
      const body = wrap(text, ' '.repeat(column));
      return head.length + 4 > column ? `  ${head}\n${body}` : `  ${head}`.padEnd(column) + body.slice(column);
    })
    .join('\n');
}

/** Wraps a long command so that it can be pasted; an option stays with its value. */
function wrapCommand(command: string, options: readonly Option[]): string {
  const takesValue = (word: string): boolean =>
    options.some(({ name, short, value }) => value !== undefined && (word === `--${name}` || word === `-${short}`));
  const kept = command.replace(/(?<= )(-\S+) (?=\S)/g, (text, word: string) =>
    takesValue(word) ? `${word}\u00a0` : text,
  );
  const [first = '', ...rest] = wrap(kept, '', WIDTH - ' \\'.length - 4).split('\n');
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)].join(' \\\n').replaceAll('\u00a0', ' ');
}

/** Wraps paragraphs at blanks; each line starts with `indent`. An indented paragraph is a command, and is not wrapped. */
function wrap(text: string, indent: string, width = WIDTH): string {
  return text
    .split('\n')
    .map((paragraph) => {
      if (paragraph.startsWith(' ')) return indent + paragraph;
      const lines: string[] = [];
      let line = '';
      for (const word of paragraph.split(' ')) {
        if (line !== '' && indent.length + line.length + 1 + word.length > width) {
          lines.push(line);
          line = word;
        } else line = line === '' ? word : `${line} ${word}`;
      }
      return [...lines, line].map((one) => indent + one).join('\n');
    })
    .join('\n');
}
