import { describe, expect, test } from 'vitest';
import { readArguments } from '../../src/frame/arguments.ts';
import type { Command } from '../../src/frame/command.ts';

const embed: Command = {
  kind: 'command',
  name: 'embed',
  summary: '',
  options: [
    { name: 'force', short: 'f', conflicts: ['quiet'], help: '' },
    { name: 'output', short: 'o', value: 'path', help: '' },
    { name: 'append', short: 'a', value: 'KARG', repeatable: true, help: '' },
    { name: 'quiet', short: 'q', conflicts: ['force'], help: '' },
    {
      name: 'spec',
      value: 'spec',
      help: '',
      check: (text) => {
        if (text !== 'good') throw new Error('not good');
      },
    },
  ],
  positionals: [
    { name: 'ISO', required: true, help: '' },
    { name: 'glob', repeatable: true, help: '' },
  ],
  load: async () => async () => 0,
};

const read = (...argv: string[]) => readArguments(argv, ['coreiso', 'embed'], embed);

describe("arguments are read by the command's table", () => {
  test.each([
    [['-o', 'x', 'in.iso'], 'x'],
    [['-ox', 'in.iso'], 'x'],
    [['-o=x', 'in.iso'], 'x'],
    [['--output=x', 'in.iso'], 'x'],
    [['--output', 'x', 'in.iso'], 'x'],
    [['in.iso', '-fo', 'x'], 'x'],
    [['in.iso', '-o', '-'], '-'],
    [['in.iso', '--output='], ''],
    [['in.iso', '--output=-x'], '-x'],
  ])('%j gives the output %j', async (argv, expected) => {
    const args = await read(...argv);
    expect(args.optional('output')).toBe(expected);
    expect(args.required('ISO')).toBe('in.iso');
  });

  test('keep the order of repeated values', async () => {
    expect((await read('-a', '1', 'in.iso', '--append=2', '-a', '3')).list('append')).toEqual(['1', '2', '3']);
  });

  test('are all positional after --', async () => {
    const args = await read('in.iso', '--', '-x', '--force');
    expect(args.list('glob')).toEqual(['-x', '--force']);
    expect(args.has('force')).toBe(false);
  });
});

describe('refusals have the words of coreos-installer', () => {
  test.each([
    [[], 'the following required arguments were not provided:'],
    [['--nope', 'in.iso'], "unexpected argument '--nope' found"],
    [['-i', 'x', 'in.iso'], "unexpected argument '-i' found"],
    [['in.iso', '-f', '-f'], "the argument '--force' cannot be used multiple times"],
    [['in.iso', '-o', 'a', '-o', 'b'], "the argument '--output <path>' cannot be used multiple times"],
    [['in.iso', '--force=yes'], "unexpected value 'yes' for '--force' found; no more were expected"],
    [['in.iso', '-o'], "a value is required for '--output <path>' but none was supplied"],
    [['in.iso', '-o', '-f'], "a value is required for '--output <path>' but none was supplied"],
    [['-a', '-x', 'in.iso'], "unexpected argument '-x' found"],
    [['in.iso', '-q', '-f'], "the argument '--quiet' cannot be used with '--force'"],
    [['in.iso', '--spec', 'bad'], "invalid value 'bad' for '--spec <spec>': not good"],
    [['--out', 'x', 'in.iso'], "unexpected argument '--out' found"],
    [['--=x', 'in.iso'], "unexpected argument '--' found"],
    [['-f=x', 'in.iso'], "unexpected argument '-=' found"],
    [['-o', '-h'], "a value is required for '--output <path>' but none was supplied"],
    [['-o', 'a', '-o'], "a value is required for '--output <path>' but none was supplied"],
    [['--help=1'], "unexpected value '1' for '--help' found; no more were expected"],
    [['in.iso', '-f', '-q'], "the argument '--force' cannot be used with '--quiet'"],
  ])('%j', async (argv, reason) => {
    const refusal = expect.objectContaining({ message: expect.stringMatching(/^error: [^\n]*\n/) });
    await expect(read(...argv)).rejects.toThrow(refusal);
    await expect(read(...argv)).rejects.toThrow(`error: ${reason}`);
  });

  test('name wrong arguments before missing ones', async () => {
    await expect(read('--nope')).rejects.toThrow("unexpected argument '--nope' found");
  });

  test('suggest a similar option for a misspelt one', async () => {
    await expect(read('--forse', 'in.iso')).rejects.toThrow("tip: a similar argument exists: '--force'");
  });
});
