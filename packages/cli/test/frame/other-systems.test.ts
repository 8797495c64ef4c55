// The behaviour of the command line with files, lines and terminals of other systems than Linux.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { samples } from '@coreiso/nodes-config';
import { describe, expect, test } from 'vitest';
import { isAddress, isBase, locateBase, shownName } from '../../src/frame/source.ts';
import { Terminal } from '../../src/frame/terminal.ts';
import { writeDirectory } from '../../src/frame/write-directory.ts';
import { coreiso, scratchFolder } from '../support.ts';

describe('file names', () => {
  test.each([
    ['con', 'Windows has a device of that name'],
    ['Aux.iso', 'Windows has a device of that name'],
    ['lpt9.tar.gz', 'Windows has a device of that name'],
    ['a:b.iso', 'Windows does not allow : in names'],
    ['..\\..\\victim', 'Windows does not allow \\ in names'],
    ['what?.iso', 'Windows does not allow ? in names'],
    ['node.', 'Windows drops the dot or space at its end'],
    ['folder /node.iso', 'Windows drops the dot or space at its end'],
  ])('%j is refused on Windows before anything is written, and accepted elsewhere', (name, fault) => {
    const folder = join(scratchFolder(), 'out');
    expect(() => writeDirectory(folder, { 'good.iso': '', [name]: 'x' }, 'win32')).toThrow(
      `cannot write ${JSON.stringify(name)}: ${fault}`,
    );
    expect(existsSync(folder)).toBe(false);
    writeDirectory(folder, { [name]: 'x' }, 'linux');
    expect(readFileSync(join(folder, name), 'utf8')).toBe('x');
  });

  test.each(['console.iso', 'com10.iso', 'nulls', 'aux-1.iso', '.hidden'])('%j is not a device', (name) => {
    const folder = scratchFolder();
    writeDirectory(folder, { [name]: 'x' }, 'win32');
    expect(readdirSync(folder)).toEqual([name]);
  });

  test.each(['win32', 'darwin'])('two that differ only in case are one file on %s', (platform) => {
    const folder = scratchFolder();
    const files = { 'node.iso': 'a', 'Node.iso': 'b' };
    expect(() => writeDirectory(folder, files, platform)).toThrow(
      'cannot write "Node.iso": it is the same file as "node.iso" here',
    );
    expect(readdirSync(folder)).toEqual([]);
    writeDirectory(folder, files, 'linux');
    expect(readdirSync(folder).sort()).toEqual(['Node.iso', 'node.iso']);
  });

  test('two Unicode forms of one name are one file on macOS', () => {
    expect(() => writeDirectory(scratchFolder(), { 'caf\u00e9': 'a', 'cafe\u0301': 'b' }, 'darwin')).toThrow(
      'same file',
    );
  });
});

describe('a path with a drive letter', () => {
  test.each(['C:\\images\\rhcos-live.iso', 'd:/images/rhcos-live.iso', '\\\\server\\share\\live.iso'])(
    '%j is neither an address nor a stream, and is shown unchanged',
    async (path) => {
      expect([isAddress(path), isBase(path), shownName(path)]).toEqual([false, false, path]);
      const terminal = undefined as unknown as Terminal;
      expect(await locateBase(terminal, path, { use: 'read' })).toBe(path);
    },
  );
});

describe('files with CR LF line ends', () => {
  const windows = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n');

  test.each([
    [
      'nmstate check',
      ['nmstate', 'check', '--json', 'in.txt'],
      'interfaces:\n- name: eth1\n  type: ethernet\n  state: up\n',
    ],
    ['ignition-validate', ['ignition', 'validate', 'in.txt'], '{\n  "ignition": {\n    "version": "3.4.0"\n  }\n}\n'],
    ['nodes validate', ['nodes', 'validate', '--cluster', 'cluster.json', 'in.txt'], samples.nodesConfig],
  ])('%s gives the same answer', async (_, argv, text) => {
    const answers = [];
    for (const content of [text, windows(text)]) {
      const cwd = scratchFolder();
      writeFileSync(join(cwd, 'in.txt'), content);
      writeFileSync(join(cwd, 'cluster.json'), windows(JSON.stringify(samples.facts, undefined, 2)));
      const { status, stdout, stderr } = await coreiso(argv, { cwd });
      answers.push({ status, stdout: stdout.toString(), stderr });
    }
    expect(answers[0]).toMatchObject({ status: 0 });
    expect(answers[1]).toEqual(answers[0]);
  });
});

describe('a terminal', () => {
  const terminal = (isTTY: boolean, env: Readonly<Record<string, string>>): Terminal => {
    const stream = (): PassThrough & { isTTY: boolean } => Object.assign(new PassThrough(), { isTTY });
    const io = { cwd: '/', env, stdin: new PassThrough(), stdout: stream(), stderr: stream(), invokedAs: 'coreiso' };
    return new Terminal({ ...io, signal: new AbortController().signal } as Terminal['io']);
  };

  test.each([
    ['of Windows, which sets no TERM', true, {}, true],
    ['that is dumb', true, { TERM: 'dumb' }, false],
    ['that is a pipe', false, { TERM: 'xterm-256color' }, false],
  ] as const)('%s: colours are used if isTTY is %j and the environment is %j: %j', (_, isTTY, env, expected) => {
    expect(terminal(isTTY, env).colour('stdout')).toBe(expected);
  });
});
