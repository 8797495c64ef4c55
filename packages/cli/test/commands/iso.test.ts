import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeIso } from '@coreiso/iso/iso9660';
import { writeCopy } from '@coreiso/iso/node';
import { describe, expect, test } from 'vitest';
import { coreiso, scratchFolder } from '../support.ts';

const text = (content: string) => new TextEncoder().encode(content);

async function sampleFolder(): Promise<string> {
  const folder = scratchFolder();
  const { source } = await writeIso(
    [
      { kind: 'file', path: '/read me.txt', content: text('hello\n'), mode: 0o640 },
      { kind: 'file', path: '/sub/two.bin', content: text('two') },
      { kind: 'symlink', path: '/link', target: 'sub/two.bin' },
    ],
    { volumeId: 'CLI' },
  );
  await writeCopy(source, join(folder, 'any.iso'));
  return folder;
}

describe('an image on standard input', () => {
  test.each(['-', '/dev/stdin', '/dev/fd/0'])('is read as %s', async (path) => {
    const input = readFileSync(join(await sampleFolder(), 'any.iso'));
    const { status, stdout, stderr } = await coreiso(['iso', 'cat', path, '/sub/two.bin'], { input });
    expect([status, stdout.toString(), stderr]).toEqual([0, 'two', '']);
  });

  test('may be a real pipe, under any of its names', async () => {
    const cwd = await sampleFolder();
    const pipe = join(cwd, 'pipe');
    if (spawnSync('mkfifo', [pipe]).status !== 0) return;
    const writing = writeFile(pipe, readFileSync(join(cwd, 'any.iso')));
    const { status, stdout } = await coreiso(['iso', 'cat', 'pipe', '/sub/two.bin'], { cwd });
    await writing;
    expect([status, stdout.toString()]).toEqual([0, 'two']);
  });
});

describe('iso ls', () => {
  test('lists modes, sizes, paths and link targets', async () => {
    const { status, stdout } = await coreiso(['iso', 'ls', 'any.iso'], { cwd: await sampleFolder() });
    expect(status).toBe(0);
    const lines = stdout.toString().split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^-rw-r----- +6 {2}read me\.txt$/));
    expect(lines).toContainEqual(expect.stringMatching(/^lrwxrwxrwx +0 {2}link -> sub\/two\.bin$/));
    expect(lines).toContainEqual(expect.stringMatching(/^-rw-r--r-- +3 {2}sub\/two\.bin$/));
  });

  test('lists the entries of a directory, or one file', async () => {
    const cwd = await sampleFolder();
    const below = await coreiso(['iso', 'ls', '--json', 'any.iso', '/sub'], { cwd });
    expect(JSON.parse(below.stdout.toString())).toMatchObject([{ path: 'sub/two.bin', size: 3, mode: '0644' }]);
    const one = await coreiso(['iso', 'ls', '--json', 'any.iso', 'read me.txt'], { cwd });
    expect(JSON.parse(one.stdout.toString())).toMatchObject([{ path: 'read me.txt', kind: 'file', mode: '0640' }]);
  });

  test.each([
    [['iso', 'ls', 'none.iso'], 'no such file or directory'],
    [['iso', 'ls', 'any.iso', '/nope'], 'nope'],
  ])('fails for %j with status 1 and the reason', async (argv, reason) => {
    const { status, stdout, stderr } = await coreiso(argv, { cwd: await sampleFolder() });
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(reason);
  });
});

describe('iso cat', () => {
  test('prints files one after the other, byte for byte', async () => {
    const { stdout } = await coreiso(['iso', 'cat', 'any.iso', '/read me.txt', 'sub/two.bin'], {
      cwd: await sampleFolder(),
    });
    expect(stdout.toString()).toBe('hello\ntwo');
  });

  test('prints nothing if one of them is missing', async () => {
    const argv = ['iso', 'cat', 'any.iso', '/read me.txt', '/nope'];
    const { status, stdout } = await coreiso(argv, { cwd: await sampleFolder() });
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 1, stdout: '' });
  });
});

describe('help', () => {
  test.each([
    [['--help'], 0, 'stdout'],
    [['iso', '--help'], 0, 'stdout'],
    [['iso', 'ls', '-h'], 0, 'stdout'],
    [['help', 'iso', 'ls'], 0, 'stdout'],
    [[], 2, 'stderr'],
    [['iso'], 2, 'stderr'],
  ] as const)('for %j exits with %i and fits 80 columns on %s', async (argv, status, stream) => {
    const result = await coreiso(argv);
    const lines = result[stream].toString().split('\n');
    expect(result.status).toBe(status);
    expect(lines.join('\n')).toContain('Usage: coreiso');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
