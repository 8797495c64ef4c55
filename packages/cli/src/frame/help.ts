import { type Command, commandsOf, type Group } from './command.ts';
import { HELP, type Option, positionalText, usageLine, type Words } from './usage.ts';

const WIDTH = 80;

export function commandHelp(words: Words, command: Command): string {
  const sections = [wrap(command.summary, ''), `Usage: ${usageLine(words, command)}`];
  if (command.about !== undefined) sections.splice(1, 0, wrap(command.about, ''));
  const positionals = command.positionals ?? [];
  if (positionals.length > 0) {
    sections.push(`Arguments:\n${rows(positionals.map((one) => [positionalText(one), one.help]))}`);
  }
  const options = [...(command.options ?? []), HELP];
  sections.push(`Options:\n${rows(options.map((option) => [optionHead(option), optionHelp(option)]))}`);
  if (command.examples !== undefined) {
    sections.push(`Examples:\n${command.examples.map(wrapCommand).join('\n')}`);
  }
  return `${sections.join('\n\n')}\n`;
}

export async function groupHelp(words: Words, group: Group): Promise<string> {
  const commands = (await commandsOf(group)).filter((command) => command.hidden !== true);
  const sections = [
    group.summary,
    `Usage: ${words.join(' ')} <COMMAND>`,
    `Commands:\n${rows(commands.map(({ name, summary }) => [name, summary]))}`,
  ];
  if (group.about !== undefined) sections.push(wrap(group.about, ''));
  sections.push(`Run '${words.join(' ')} <COMMAND> --help' to learn more about one of them.`);
  return `${sections.join('\n\n')}\n`;
}

function optionHead({ name, short, value }: Option): string {
  const head = short === undefined ? `    --${name}` : `-${short}, --${name}`;
  return value === undefined ? head : `${head} <${value}>`;
}

function optionHelp({ help, repeatable, required }: Option): string {
  const notes = [required === true && 'required', repeatable === true && 'may be repeated'].filter(Boolean);
  return notes.length === 0 ? help : `${help} (${notes.join(', ')})`;
}

/** Two columns; a head that is too long gets a line of its own. */
function rows(list: readonly (readonly [head: string, text: string])[]): string {
  const column = Math.min(32, 4 + Math.max(...list.map(([head]) => head.length)));
  return list
    .map(([head, text]) => {
      const body = wrap(text, ' '.repeat(column));
      return head.length + 4 > column ? `  ${head}\n${body}` : `  ${head}`.padEnd(column) + body.slice(column);
    })
    .join('\n');
}

/** A command that is too long for a line goes on in the next one, so that it can be pasted. */
function wrapCommand(command: string): string {
  const [first = '', ...rest] = wrap(command, '', WIDTH - ' \\'.length - 4).split('\n');
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)].join(' \\\n');
}

/** Breaks paragraphs at blanks; each line starts with `indent`. A paragraph that is indented is a command, and kept. */
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
