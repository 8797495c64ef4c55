// The reference of commands, from the tables behind help and completion.
import { commandTree } from '../../packages/cli/src/commands/tree.ts';
import { type Command, commandsOf, type Group } from '../../packages/cli/src/frame/command.ts';
import { COMMON, type Option, optionText, positionalText, usageLine } from '../../packages/cli/src/frame/usage.ts';
import type { Pages } from './generate.ts';
import { block, code, page, prose, table } from './markdown.ts';

/** A page for each group, and one for the commands without a group. */
export async function commandPages(): Promise<Pages> {
  const top = await commandsOf(commandTree);
  const groups = top.filter((one) => one.kind === 'group');
  const single = top.filter((one) => one.kind === 'command');
  const pages = await Promise.all(
    groups.map(
      async (group) => [`commands/${group.name}.md`, await groupPage(group, ['coreiso', group.name])] as const,
    ),
  );
  const others = page(
    '# Other commands',
    'Commands that belong to no group.',
    ...single.flatMap((command) => commandSection(command, ['coreiso', command.name])),
  );
  const index = page(
    '# Commands',
    'Every command, from the tables that `--help`, completion and manual pages come from. Data goes to stdout, talk to stderr; exit status 0 is success, 1 a failure, 2 a command line that cannot be understood.',
    table(
      ['Command', 'What it does'],
      [
        ...groups.map(({ name, summary }) => [`[${code(`coreiso ${name} …`)}](./${name}.md)`, prose(summary)]),
        ...single.map(({ name, summary }) => [
          `[${code(`coreiso ${name}`)}](./others.md#${slug(['coreiso', name])})`,
          prose(summary),
        ]),
      ],
    ),
    '## Options of every command',
    optionTable(COMMON),
  );
  return new Map([...pages, ['commands/others.md', others], ['commands/index.md', index]]);
}

async function groupPage(group: Group, words: readonly string[]): Promise<string> {
  const standsIn = group.standsIn === true ? ['These commands stand in for another tool and fail in its words.'] : [];
  return page(
    `# ${words.join(' ')}`,
    `${prose(group.summary)}.`,
    ...standsIn,
    ...(group.about === undefined ? [] : paragraphs(group.about)),
    ...(await sections(group, words)),
  );
}

async function sections(group: Group, words: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    (await commandsOf(group)).map(async (one) => {
      const path = [...words, one.name];
      return one.kind === 'group' ? await sections(one, path) : commandSection(one, path);
    }),
  );
  return found.flat();
}

function commandSection(command: Command, words: readonly string[]): string[] {
  const { summary, about, details, examples = [], positionals = [], options = [], standsIn } = command;
  return [
    `## ${words.join(' ')}`,
    `${prose(summary)}.`,
    ...(standsIn === true ? ['Stands in for another tool: it fails in the words of that tool.'] : []),
    block('text', usageLine(words, command)),
    ...(examples.length === 0 ? [] : [block('sh', examples.join('\n'))]),
    ...(positionals.length === 0
      ? []
      : [
          table(
            ['Argument', 'Meaning'],
            positionals.map((one) => [code(positionalText(one)), prose(one.help)]),
          ),
        ]),
    ...(options.length === 0 ? [] : [optionTable(options)]),
    ...[about, details].flatMap((text) => (text === undefined ? [] : paragraphs(text))),
  ];
}

function optionTable(options: readonly Option[]): string {
  return table(
    ['Option', 'Meaning'],
    options.map((option) => {
      const { short, repeatable, required, conflicts = [], choices = [], variants = [], help } = option;
      const names = [...(short === undefined ? [] : [code(`-${short}`)]), code(optionText(option))].join(', ');
      const variant =
        variants.length === 0 ? '' : `, ${variants.map((one) => code(`--${option.name}=${one}`)).join(', ')}`;
      const notes = [
        ...(required === true ? ['required'] : []),
        ...(repeatable === true ? ['can be repeated'] : []),
        ...(choices.length === 0 ? [] : [`one of ${choices.map(code).join(', ')}`]),
        ...(conflicts.length === 0 ? [] : [`not with ${conflicts.map((one) => code(`--${one}`)).join(', ')}`]),
      ];
      return [names + variant, prose(help) + (notes.length === 0 ? '' : ` (${notes.join('; ')})`)];
    }),
  );
}

/** Separates paragraphs; lines that begin with a blank are commands, and stay unchanged. */
function paragraphs(text: string): string[] {
  return text.split(/\n{2,}/).map((paragraph) => {
    const lines = paragraph.split('\n');
    return lines.every((line) => line.startsWith(' '))
      ? block('sh', lines.map((line) => line.trim()).join('\n'))
      : lines.map(prose).join('\n\n');
  });
}

function slug(words: readonly string[]): string {
  return words.join('-');
}
