import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ByteSource, bytesSource } from '@coreiso/iso';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { writeOutputs } from '../../src/node/write-outputs.ts';

let root = '';
beforeEach(() => {
  root = scratchFolder();
});

const source = (text: string): ByteSource => bytesSource(new TextEncoder().encode(text));
const broken: ByteSource = { size: 3, read: () => Promise.reject(new Error('unreadable')) };
const outputs = [
  { name: 'a.iso', source: source('first') },
  { name: 'b.iso', source: source('second') },
];

describe('outputs', () => {
  test('are readable only by their owner, in a new directory', async () => {
    const seen: number[] = [];
    const folder = join(root, 'new', 'deep');
    const paths = await writeOutputs({ outputs }, folder, { onProgress: ({ done, total }) => seen.push(done / total) });
    expect(paths).toEqual([join(folder, 'a.iso'), join(folder, 'b.iso')]);
    expect(readdirSync(folder).sort()).toEqual(['a.iso', 'b.iso']);
    expect(readFileSync(join(folder, 'b.iso'), 'utf8')).toBe('second');
    expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(seen.at(-1)).toBe(1);
  });

  test.each(['keep', 'replace'])('appear all or not at all (%s)', async (existing) => {
    writeFileSync(join(root, 'old'), 'old');
    const failing = { outputs: [...outputs, { name: 'c.iso', source: broken }] };
    await expect(writeOutputs(failing, root, { replace: existing === 'replace' })).rejects.toThrow();
    expect(readdirSync(root)).toEqual(['old']);
    await expect(writeOutputs(failing, join(root, 'new', 'deep'))).rejects.toThrow();
    expect(readdirSync(root)).toEqual(['old']);
  });

  test('replace files only if requested', async () => {
    writeFileSync(join(root, 'b.iso'), 'precious');
    await expect(writeOutputs({ outputs }, root)).rejects.toMatchObject({ code: 'OPENSHIFT_OUTPUT_EXISTS' });
    expect(readdirSync(root)).toEqual(['b.iso']);
    expect(readFileSync(join(root, 'b.iso'), 'utf8')).toBe('precious');
    await writeOutputs({ outputs }, root, { replace: true });
    expect(readFileSync(join(root, 'b.iso'), 'utf8')).toBe('second');
    expect(readdirSync(root).sort()).toEqual(['a.iso', 'b.iso']);
  });

  test('are refused with a name that leads outside, or through a file', async () => {
    const stray = { outputs: [{ name: '../a.iso', source: source('x') }] };
    await expect(writeOutputs(stray, root)).rejects.toThrow(TypeError);
    writeFileSync(join(root, 'file'), '');
    await expect(writeOutputs({ outputs }, join(root, 'file'))).rejects.toMatchObject({ code: 'OPENSHIFT_NO_FOLDER' });
  });

  test('stop on abort', async () => {
    await expect(writeOutputs({ outputs }, root, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(readdirSync(root)).toEqual([]);
  });
});

/** Writes one file, and reports when it is about to read the second, which never comes. */
const PROGRAM = `
import { writeOutputs } from '@coreiso/openshift/node';
import { bytesSource } from '@coreiso/iso';
setInterval(() => undefined, 1000);
const endless = { size: 3, read: () => new Promise(() => console.log('reading')) };
const outputs = [{ name: 'a.iso', source: bytesSource(new Uint8Array(9)) }, { name: 'b.iso', source: endless }];
await writeOutputs({ outputs }, process.argv[1]);
`;

test('removes the remains of a killed run, and leaves those of running ones', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const argv = ['--input-type=module', '--eval', PROGRAM, '--', root];
  const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.once('exit', (_, signal) => done(signal)));
  await new Promise((begun) => child.stdout.once('data', begun));
  const [left = ''] = readdirSync(root);
  expect(left).toMatch(new RegExp(`^\\.coreiso-staging-${child.pid}-`));
  // Beside it, directories of a live process, of another host and of a user.
  const others = [
    left.replace(`${child.pid}`, `${process.ppid}`),
    '.coreiso-staging-4194999-another.host.4026531836-x',
    '.coreiso-staging-notes',
  ];
  for (const name of others) mkdirSync(join(root, name));
  await writeOutputs({ outputs: outputs.slice(0, 1) }, root);
  expect(readdirSync(root).sort()).toEqual([...others, left, 'a.iso'].sort());
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  await writeOutputs({ outputs: outputs.slice(1) }, root);
  expect(readdirSync(root).sort()).toEqual([...others, 'a.iso', 'b.iso'].sort());
});
