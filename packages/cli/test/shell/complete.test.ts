import { describe, expect, test } from 'vitest';
import { complete } from '../../src/commands/shell/candidates.ts';
import { splitLine } from '../../src/commands/shell/completion.ts';
import { commandTree } from '../../src/commands/tree.ts';
import { coreiso } from '../support.ts';

const completed = async (...words: string[]): Promise<string[]> =>
  (await complete(commandTree, words)).candidates.map(({ text }) => text);

describe('completion offers', () => {
  test('commands, except those for image builders', async () => {
    expect(await completed('')).toEqual(expect.arrayContaining(['iso', 'nodes', 'completion']));
    expect(await completed('')).not.toContain('dev');
    expect(await completed('no')).toEqual(['nodes']);
    expect(await completed('iso', 'ignition', '')).toEqual(['embed', 'show', 'remove']);
    expect(await completed('help', 'nodes', 'im')).toEqual(['image']);
    expect(await completed('nope', '')).toEqual([]);
  });

  test('unused options that do not conflict with the given ones', async () => {
    const all = await completed('nodes', 'image', '--');
    expect(all).toEqual(expect.arrayContaining(['--base', '--live', '--auth-token', '--help', '--color']));
    expect(await completed('nodes', 'image', '--live', '--')).not.toContain('--live');
    expect(await completed('nodes', 'image', '--cluster', 'x', '--')).not.toContain('--live');
    expect(await completed('nodes', 'image', '--live', '--')).not.toContain('--cluster');
    expect(await completed('nodes', 'image', '-o', 'x', '--')).not.toContain('--output');
    expect(await completed('nodes', 'image', '-ox', '--')).not.toContain('--output');
    expect(await completed('iso', 'customize', '--dest-ignition', 'a', '--dest-i')).toEqual(['--dest-ignition']);
    expect(await completed('nodes', 'image', '--', '--')).toEqual([]);
    expect(await completed('--')).toEqual(['--version', '--help']);
  });

  test('values if they are few', async () => {
    expect(await completed('nodes', 'image', '--join', '')).toEqual(['network-only', 'direct', 'service']);
    expect(await completed('nodes', 'image', '--join', 'd')).toEqual(['direct']);
    expect(await completed('nodes', 'image', '--join=d')).toEqual(['--join=direct']);
    expect(await completed('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(await completed('iso', 'ls', '--color', 'a')).toEqual(['auto', 'always']);
  });

  test.each([
    ['files', ['nodes', 'validate', '']],
    ['files', ['nodes', 'image', '-o', '']],
    ['files', ['nodes', 'image', '--cluster=']],
    ['files', ['iso', 'ignition', 'embed', '-i', '']],
    ['files', ['serve', 'a.iso', '']],
    ['folders', ['nmstate', 'check', '-o', '']],
    ['folders', ['agent', 'validate', '--dir', '']],
    ['words', ['nodes', 'image', '--valid-for', '']],
    ['words', ['nodes', 'validate', 'a.yaml', '']],
  ] as const)('%s after %j', async (kind, words) => {
    expect((await complete(commandTree, words)).kind).toBe(kind);
  });
});

describe('coreiso complete', () => {
  test('prints a kind, then candidates with their help', async () => {
    const { stdout } = await coreiso(['complete', 'fish', '--', 'nodes', 'imag']);
    expect(stdout.toString()).toBe('words\nimage\tBuild an image that adds hosts to a cluster\n');
  });

  test('prints only the rest after a word break for bash', async () => {
    const { stdout } = await coreiso(['complete', 'bash', '--', 'coreiso nodes image --join=d']);
    expect(stdout.toString()).toBe('words\ndirect\n');
  });

  test.each([
    ['coreiso nodes im', ['coreiso', 'nodes', 'im']],
    ['coreiso nodes ', ['coreiso', 'nodes', '']],
    ['  coreiso  x', ['coreiso', 'x']],
    [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
    [`a "b c`, ['a', 'b c']],
    [`a '' b`, ['a', '', 'b']],
    ['', ['']],
  ])('reads the line %j', (line, words) => {
    expect(splitLine(line)).toEqual(words);
  });
});
