// Command lines in scripts keep their meaning: docs/versions.md promises it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { splitLine } from '../../src/commands/shell/completion.ts';
import { commandTree } from '../../src/commands/tree.ts';
import { readArguments } from '../../src/frame/arguments.ts';
import { type Command, commandsOf, type Group } from '../../src/frame/command.ts';
import { type Option, usageLine } from '../../src/frame/usage.ts';

interface Found {
  readonly words: readonly string[];
  readonly one: Command | Group;
}

async function below(group: Group, words: readonly string[]): Promise<Found[]> {
  const found: Found[] = [{ words, one: group }];
  for (const one of await commandsOf(group)) {
    const path = [...words, one.name];
    found.push(...(one.kind === 'group' ? await below(one, path) : [{ words: path, one }]));
  }
  return found;
}

const everything = await below(commandTree, ['coreiso']);
const commands = everything.flatMap(({ words, one }) => (one.kind === 'command' ? [{ words, one }] : []));

/** Returns the lines of `commands.txt`: one for each command, group and option, with everything that a script could depend on. */
function listed({ words, one }: Found): string[] {
  const marks = [one.standsIn && 'in the words of another tool', one.hidden && 'hidden'];
  const head = one.kind === 'command' ? usageLine(words, one) : `${words.join(' ')} <COMMAND>`;
  const options = (one.options ?? []).map((option) => `  ${optionLine(option)}`);
  const positionals = one.kind === 'command' ? (one.positionals ?? []) : [];
  const choices = positionals.flatMap(({ name, choices }) => (choices ? [`  ${name}: ${choices.join('|')}`] : []));
  return [marked(head, marks), ...choices, ...options];
}

function optionLine({ name, short, value, ...option }: Option): string {
  const { variants, choices, conflicts, required, repeatable, rare, check } = option;
  const head = [short && `-${short}`, `--${name}`, variants && `[=${variants.join('|')}]`, value && `<${value}>`];
  return marked(head.filter(Boolean).join(' '), [
    required && 'required',
    repeatable && 'repeatable',
    rare && 'rare',
    check && 'checked',
    choices && `one of ${choices.join('|')}`,
    conflicts && `without ${conflicts.join('|')}`,
  ]);
}

function marked(head: string, marks: readonly unknown[]): string {
  const given = marks.filter(Boolean);
  return given.length === 0 ? head : `${head}  (${given.join(', ')})`;
}

test('commands and options are as listed in commands.txt: removing a line is a major change', () => {
  const path = fileURLToPath(new URL('commands.txt', import.meta.url));
  const text = `${everything.flatMap(listed).join('\n')}\n`;
  if (process.env['COREISO_RECORD'] !== undefined) writeFileSync(path, text);
  expect(text, 'COREISO_RECORD=1 writes commands.txt anew').toBe(readFileSync(path, 'utf8'));
});

/** The part of an example line that belongs to coreiso, without comments and shell syntax. */
const OWN = /\bcoreiso (?:(?! [#>|] |\)).)*/;
const examples = everything.flatMap(({ words, one }) =>
  (one.examples ?? []).map((example) => ({ under: words.join(' '), example })),
);

test.each(examples)('$under has a valid example: $example', async ({ example }) => {
  const argv = splitLine((OWN.exec(example)?.[0] ?? '').trim().replace('3b1c…', '3b1c'.repeat(16)));
  const command = commands.find(({ words }) => words.every((word, index) => argv[index] === word));
  if (command === undefined) throw new Error('it calls no command');
  await readArguments(argv.slice(command.words.length), command.words, command.one);
});

test.each(commands.map(({ words, one }) => ({ command: words.join(' '), one })))(
  '$command loads its action',
  async ({ one }) => {
    expect(await one.load()).toBeTypeOf('function');
  },
);
