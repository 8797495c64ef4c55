import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ByteSource, bytesSource, type WorkOptions } from '@coreiso/iso';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { writeOutputs } from '../../src/node/write-outputs.ts';

let root = '';
beforeEach(() => {
  root = scratchFolder();
});

const source = (text: string): ByteSource => bytesSource(new TextEncoder().encode(text));
const OUTPUTS = [
  { name: 'a', source: source('12345') },
  { name: 'b', source: source('123') },
];

test.each<[string, () => Promise<unknown>]>([
  ['built.outputs', () => writeOutputs({} as never, root)],
  ['directory', () => writeOutputs({ outputs: [] }, 7 as never)],
  ['options', () => writeOutputs({ outputs: [] }, root, 7 as never)],
])('names the misuse of %s', async (name, call) => {
  await expect(call()).rejects.toThrow(new RegExp(`^${name.replace('.', '\\.')} must be `));
});

test.each(['', '.', '..', 'a/../b', 'a//b', 'a/', '/a'])('refuses file name %j', async (name) => {
  await expect(writeOutputs({ outputs: [{ name, source: source('x') }] }, root)).rejects.toThrow(
    `built.outputs must have file names, not ${JSON.stringify(name)}`,
  );
  expect(readdirSync(root)).toEqual([]);
});

describe('outputs with a directory in their names', () => {
  const outputs = [
    { name: 'a', source: source('1') },
    { name: 'below/b', source: source('2') },
  ];

  test('make that directory', async () => {
    const paths = await writeOutputs({ outputs }, root);
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['1', '2']);
    expect(readdirSync(root).sort()).toEqual(['a', 'below']);
    expect(readdirSync(join(root, 'below'))).toEqual(['b']);
  });

  test.each(['keep', 'replace'])('appear with the others or not at all (%s)', async (existing) => {
    writeFileSync(join(root, 'below'), 'a file');
    await expect(writeOutputs({ outputs }, root, { replace: existing === 'replace' })).rejects.toThrow();
    expect(readdirSync(root)).toEqual(['below']);
    rmSync(join(root, 'below'));
    const more = [...outputs, { name: 'a/c', source: source('3') }];
    await expect(writeOutputs({ outputs: more }, root, { replace: existing === 'replace' })).rejects.toThrow();
    expect(readdirSync(root)).toEqual([]);
  });

  test('keep their full names', async () => {
    mkdirSync(join(root, 'below'));
    writeFileSync(join(root, 'below', 'b'), 'old');
    const file = { code: 'OPENSHIFT_OUTPUT_EXISTS', file: 'below/b' };
    await expect(writeOutputs({ outputs }, root)).rejects.toMatchObject(file);
    await writeOutputs({ outputs }, root, { replace: true });
    expect(readFileSync(join(root, 'below', 'b'), 'utf8')).toBe('2');
  });
});

test('reports the progress of all files together', async () => {
  const seen: Parameters<NonNullable<WorkOptions['onProgress']>>[0][] = [];
  await writeOutputs({ outputs: OUTPUTS }, root, { onProgress: (progress) => seen.push(progress) });
  expect(new Set(seen.map(({ total }) => total))).toEqual(new Set([8]));
  expect(seen.at(-1)).toEqual({ done: 8, total: 8 });
  expect(seen.map(({ done }) => done)).toContain(5);
});

test('syncs files on request, with the same contents', async () => {
  const paths = await writeOutputs({ outputs: OUTPUTS }, join(root, 'x'), { durable: true });
  expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['12345', '123']);
});

test('removes replaced files, and no others', async () => {
  writeFileSync(join(root, 'a'), 'old', { mode: 0o644 });
  writeFileSync(join(root, 'other'), 'kept');
  await writeOutputs({ outputs: OUTPUTS }, root, { replace: true });
  expect(readdirSync(root).sort()).toEqual(['a', 'b', 'other']);
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('12345');
  expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o600);
});

test('removes files that were already in place if a later one fails', async () => {
  writeFileSync(join(root, 'a'), 'old');
  // A file that appears while the outputs are written.
  const late: ByteSource = {
    size: 3,
    read: async (offset, length) => {
      mkdirSync(join(root, 'c'), { recursive: true });
      return source('xyz').read(offset, length);
    },
  };
  const outputs = [OUTPUTS[0]!, { name: 'b', source: late }, { name: 'c', source: source('x') }];
  await expect(writeOutputs({ outputs }, root)).rejects.toMatchObject({ code: 'OPENSHIFT_OUTPUT_EXISTS' });
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('old');
  rmSync(join(root, 'a'));
  rmSync(join(root, 'c'), { recursive: true, force: true });
  await expect(writeOutputs({ outputs }, root)).rejects.toMatchObject({
    code: 'OPENSHIFT_OUTPUT_EXISTS',
    message: `${join(root, 'c')} exists`,
  });
  expect(readdirSync(root)).toEqual(['c']);
});

test('names the first existing file, and does not write through a broken link', async () => {
  writeFileSync(join(root, 'b'), 'old');
  await expect(writeOutputs({ outputs: OUTPUTS }, root)).rejects.toThrow(`${join(root, 'b')} exists`);
  expect(existsSync(join(root, 'a'))).toBe(false);
  rmSync(join(root, 'b'));
  symlinkSync(join(root, 'nowhere'), join(root, 'b'));
  await expect(writeOutputs({ outputs: OUTPUTS }, root)).rejects.toMatchObject({ code: 'OPENSHIFT_OUTPUT_EXISTS' });
});

test('names a directory that cannot be made', async () => {
  writeFileSync(join(root, 'file'), '');
  await expect(writeOutputs({ outputs: OUTPUTS }, join(root, 'file', 'x'))).rejects.toMatchObject({
    code: 'OPENSHIFT_NO_FOLDER',
    message: `cannot make the folder ${join(root, 'file', 'x')}`,
  });
});

test('writes nothing after an abort behind the last byte', async () => {
  const aborting = new AbortController();
  const onProgress = ({ done, total }: Parameters<NonNullable<WorkOptions['onProgress']>>[0]): void => {
    if (done === total) aborting.abort();
  };
  await expect(writeOutputs({ outputs: OUTPUTS }, root, { signal: aborting.signal, onProgress })).rejects.toThrow();
  expect(readdirSync(root)).toEqual([]);
});

test('passes the abort signal to the source that is read', async () => {
  const signals = new Set<AbortSignal | undefined>();
  const watched: ByteSource = {
    size: 3,
    read: (offset, length, signal) => {
      signals.add(signal);
      return source('xyz').read(offset, length);
    },
  };
  const { signal } = new AbortController();
  await writeOutputs({ outputs: [{ name: 'a', source: watched }] }, root, { signal });
  expect([...signals]).toEqual([signal]);
});

test('reads nothing if a name is taken: a base may be a large remote file', async () => {
  writeFileSync(join(root, 'b'), 'old');
  let reads = 0;
  const far: ByteSource = {
    size: 5,
    read: async (offset, length) => {
      reads++;
      return source('12345').read(offset, length);
    },
  };
  const outputs = [{ name: 'a', source: far }, OUTPUTS[1]!];
  await expect(writeOutputs({ outputs }, root)).rejects.toMatchObject({ code: 'OPENSHIFT_OUTPUT_EXISTS' });
  expect(reads).toBe(0);
});
