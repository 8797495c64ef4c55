import { describe, expect, test } from 'vitest';
import { commandTree } from '../../src/commands/tree.ts';
import { type Command, commandsOf, type Group } from '../../src/frame/command.ts';
import { coreiso } from '../support.ts';

/** Lines of a terminal window that is large enough for help. */
const SCREEN = 48;

async function pathsBelow(
  group: Group,
  path: readonly string[] = [],
): Promise<{ path: string[]; one: Command | Group }[]> {
  const found = [];
  for (const one of await commandsOf(group)) {
    const below = [...path, one.name];
    found.push({ path: below, one });
    if (one.kind === 'group') found.push(...(await pathsBelow(one, below)));
  }
  return found;
}

const everything = await pathsBelow(commandTree);
const helpOf = async (...argv: string[]): Promise<string> => (await coreiso(argv)).stdout.toString();

describe.each(everything)('coreiso $path', ({ path, one }) => {
  test('has help that fits on a screen', async () => {
    const lines = (await helpOf(...path, '--help')).split('\n');
    expect(lines.length).toBeLessThanOrEqual(SCREEN);
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('Usage:'))).toEqual([]);
    expect(lines[0]).toBe(one.summary);
  });

  test('has full help with every option', async () => {
    const text = await helpOf(...path, '--help-all');
    for (const { name } of one.kind === 'command' ? (one.options ?? []) : []) expect(text).toContain(`--${name}`);
    expect(text.length).toBeGreaterThanOrEqual((await helpOf(...path, '-h')).length - 120);
  });

  test('is summarised in a phrase', () => {
    expect(one.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(one.summary.length).toBeLessThanOrEqual(64);
  });

  test('has options whose help begins in upper case and is not a sentence', () => {
    const options = one.kind === 'command' ? [...(one.options ?? []), ...(one.positionals ?? [])] : [];
    for (const { help } of options) expect(help).not.toMatch(/^[^A-Z"'0-9(]|\.$/);
  });
});

describe('every command', () => {
  const commands = everything.flatMap(({ path, one }) =>
    one.kind === 'command' ? [{ path: path.join(' '), one }] : [],
  );
  const groups = everything.filter(({ one }) => one.kind === 'group' && one.standsIn).map(({ path }) => path.join(' '));

  test.each(commands)('$path words errors like the tool that it stands in for, or like coreiso', ({ path, one }) => {
    const standsIn = one.standsIn === true || groups.some((group) => path.startsWith(`${group} `));
    expect(standsIn).toBe(String(one.load).includes('/drop-in/'));
  });

  const shown = commands.filter(({ path, one }) => one.hidden !== true && !/^(?:pack|dev) /.test(path));
  test.each(shown)('$path has an example that uses it', ({ path, one }) => {
    expect(one.examples?.[0]).toContain(`coreiso ${path}`);
  });
});

test('keeps options and their values together in a wrapped example', async () => {
  const text = await helpOf('agent', 'create', 'image', '--help');
  expect(text).toContain('--dir site \\\n    --release-image quay.example.test/ocp:4.20.3-x86_64\n');
  expect(text).not.toMatch(/--[a-z-]+ \\$/m);
});

describe('--help', () => {
  test('has three examples, the version and the documentation', async () => {
    const text = await helpOf('--help');
    expect(text.match(/^ {2}coreiso /gm)).toHaveLength(3);
    expect(text).toContain('-V, --version');
    expect(text).toContain('-h, --help');
    expect(text).toContain('Documentation: https://');
  });

  test('shows the common options of nodes image in forty lines', async () => {
    expect((await helpOf('nodes', 'image', '--help')).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    expect(await helpOf('nodes', 'image', '--help')).not.toContain('--auth-token');
    expect(await helpOf('nodes', 'image', '--help-all')).toContain('--auth-token');
    expect(await helpOf('help', 'nodes', 'image', '--help-all')).toBe(await helpOf('nodes', 'image', '--help-all'));
  });

  test('lists the commands for image builders only with --help-all', async () => {
    expect(await helpOf('--help')).not.toContain('\n  dev ');
    expect(await helpOf('--help-all')).toContain('\n  dev ');
  });
});

describe('options with the same meaning', () => {
  const options = everything.flatMap(({ path, one }) =>
    one.kind === 'command' ? (one.options ?? []).map((option) => ({ path: path.join(' '), ...option })) : [],
  );

  test('have the same name: growth is --grow and --no-grow', async () => {
    const growing = options.filter(({ name }) => /grow/.test(name));
    const paths = (name: string) => growing.filter((one) => one.name === name).map(({ path }) => path);
    expect(paths('grow')).toEqual(paths('no-grow'));
    expect(paths('grow')).toContain('nodes image');
    expect(paths('grow')).toContain('iso customize');
    const { status, stderr } = await coreiso(['iso', 'customize', '--grow', '--no-grow', 'live.iso']);
    expect([status, stderr]).toEqual([2, expect.stringContaining("'--no-grow' cannot be used with '--grow'")]);
  });

  test('have the same short name', () => {
    const shorts = new Map<string, Set<string>>();
    for (const { name, short } of options)
      if (short !== undefined) shorts.set(name, (shorts.get(name) ?? new Set()).add(short));
    expect([...shorts].filter(([, set]) => set.size > 1)).toEqual([]);
  });

  test('describe JSON output with the same word', () => {
    const json = new Set(options.filter(({ name }) => name === 'json').map(({ help }) => help.split(' ')[0]));
    expect([...json]).toEqual(['Print']);
  });
});
