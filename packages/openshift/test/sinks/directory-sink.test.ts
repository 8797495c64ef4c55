import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeCopy } from '@coreiso/iso/node';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import type { ImageSet } from '../../src/images/image-set.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import { directorySink } from '../../src/node/directory-sink.ts';
import { removeStaging } from '../../src/node/staging.ts';
import { baseFile, collect, fleetText, imagesOf, openBase, planOf } from './support.ts';

const SIZE = 24 << 20;

test('writes every image exactly as writeCopy, readable only by its owner, and finds it present the second time', async () => {
  const base = await openBase(await baseFile(SIZE));
  const directory = scratchFolder();
  const progress: number[] = [];
  const images = await imagesOf(base, planOf(3));
  const stored = await collect(directorySink(directory), images, { onProgress: ({ done }) => progress.push(done) });
  expect(stored.map(({ name, outcome }) => [name, outcome])).toEqual(
    [0, 1, 2].map((number) => [`worker-${number}.x86_64.iso`, 'written']),
  );
  expect(progress).toEqual([1, 2, 3]);
  const expected = join(scratchFolder(), 'expected.iso');
  for await (const { outputs } of images) {
    await writeCopy(outputs[0]!.source, expected, { replace: true });
    const path = join(directory, outputs[0]!.name);
    expect(readFileSync(path).equals(readFileSync(expected))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  const again = await collect(directorySink(directory), await imagesOf(base, planOf(3)));
  expect(again.map(({ outcome, sent }) => [outcome, sent])).toEqual(Array(3).fill(['present', 0]));
});

test('replaces files of a fleet by those of another plan, and nothing else', async () => {
  const base = await openBase(await baseFile(0));
  const directory = scratchFolder();
  await collect(directorySink(directory), await imagesOf(base, planOf(1)));
  const [changed] = await collect(directorySink(directory), await imagesOf(base, planOf(1, '2031-01-01T00:00:00Z')));
  expect(changed?.outcome).toBe('written');
  writeFileSync(join(directory, 'worker-1.x86_64.iso'), 'a letter');
  const writing = collect(directorySink(directory), await imagesOf(base, planOf(2)));
  await expect(writing).rejects.toMatchObject({ code: 'OPENSHIFT_OUTPUT_EXISTS', file: 'worker-1.x86_64.iso' });
  expect(readFileSync(join(directory, 'worker-1.x86_64.iso'), 'utf8')).toBe('a letter');
  await collect(directorySink(directory, { replace: 'any' }), await imagesOf(base, planOf(2)));
  expect(statSync(join(directory, 'worker-1.x86_64.iso')).size).toBe(base.size);
});

test.each([
  ['worker-0', '../worker-0.iso'],
  ['worker-0', '.coreiso-fleet'],
  ['worker-0', 'a\nb.iso'],
  ['../up', 'worker-0.iso'],
])('refuses host %j with file %j, and writes nothing', async (host, name) => {
  const base = await openBase(await baseFile(0));
  const images: ImageSet = {
    ...(await imagesOf(base, planOf(1))),
    async *[Symbol.asyncIterator]() {
      yield { host, outputs: [{ name, source: base }], notes: [] };
    },
  };
  const directory = scratchFolder();
  const writing = collect(directorySink(directory, { layout: 'folders' }), images);
  await expect(writing).rejects.toThrow(/^names must be file names, not ".*"$/);
  expect(readdirSync(directory)).toEqual(['.coreiso-fleet']);
});

test('writes a file again that another program changed', async () => {
  const base = await openBase(await baseFile(0));
  const directory = scratchFolder();
  await collect(directorySink(directory), await imagesOf(base, planOf(1)));
  writeFileSync(join(directory, 'worker-0.x86_64.iso'), 'x');
  const [stored] = await collect(directorySink(directory), await imagesOf(base, planOf(1)));
  expect(stored?.outcome).toBe('written');
});

test('removes the remains of a killed run, and leaves only complete images after a stop', async () => {
  const base = await openBase(await baseFile(SIZE));
  const directory = scratchFolder();
  await collect(directorySink(directory), await imagesOf(base, planOf(1)));
  // No process has this number.
  const left = join(directory, '.coreiso-fleet', 'staging-4194999-x');
  // Of a process on another host, which may still run.
  const elsewhere = join(directory, '.coreiso-fleet', 'staging-4194999-another.host.4026531836-x');
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(left, '');
  const controller = new AbortController();
  const sink = directorySink(directory, { parallel: 2 });
  const writing = collect(sink, await imagesOf(base, planOf(20)), {
    signal: controller.signal,
    onProgress: ({ done }) => done === 3 && controller.abort(),
  });
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
  expect([existsSync(left), existsSync(elsewhere)]).toEqual([false, true]);
  rmSync(elsewhere, { recursive: true });
  const images = readdirSync(directory).filter((name) => name.endsWith('.iso'));
  expect(images.length).toBeGreaterThanOrEqual(3);
  expect(images.every((name) => statSync(join(directory, name)).size === base.size)).toBe(true);
  expect(readdirSync(join(directory, '.coreiso-fleet')).filter((name) => name.startsWith('staging'))).toEqual([]);
});

test.each([
  ['cannot be asked, which is of another user', 'EPERM', true],
  ['is gone', 'ESRCH', false],
])('keeps the unfinished directory of a process that %s only if it may run', async (_, code, isKept) => {
  const state = scratchFolder();
  mkdirSync(join(state, 'staging-4194999-x'));
  mkdirSync(join(state, `staging-${process.pid}-x`));
  mkdirSync(join(state, 'links'));
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  try {
    await removeStaging(state);
  } finally {
    kill.mockRestore();
  }
  const kept = isKept ? ['staging-4194999-x'] : [];
  expect(readdirSync(state).sort()).toEqual(['links', ...kept, `staging-${process.pid}-x`].sort());
});

const PROGRAM = `
import { openImages, planNodes } from '@coreiso/openshift';
import { directorySink } from '@coreiso/openshift/node';
import { fileSource } from '@coreiso/iso/node';
import { parseNodesConfigOrThrow } from '@coreiso/nodes-config';
const [base, text, directory] = process.argv.slice(1);
const plan = planNodes(parseNodesConfigOrThrow(text, { mode: 'compatible' }));
for await (const { name } of directorySink(directory).write(await openImages(await fileSource(base), plan, { perHost: true }))) console.log(name);
`;

test('leaves only complete images when a run is killed anywhere, and the next one completes the rest', async () => {
  const path = await baseFile(SIZE);
  const [directory, text] = [join(scratchFolder(), 'images'), fleetText(24)];
  const argv = ['--input-type=module', '--eval', PROGRAM, '--', path, text, directory];
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const images = (): string[] => readdirSync(directory).filter((name) => name.endsWith('.iso'));
  for (let kills = 0, there = 0; kills < 4; kills++, there = images().length) {
    const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((done) => child.once('exit', (_, signal) => done(signal)));
    let left = there + 1 + Math.floor(Math.random() * 4);
    for await (const _ of createInterface(child.stdout)) if (--left === 0) child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    for (const name of images()) expect([name, statSync(join(directory, name)).size]).toEqual([name, SIZE]);
  }
  const before = images().length;
  const base = await openBase(path);
  const imagesAgain = await imagesOf(base, planNodes(parseNodesConfigOrThrow(text, { mode: 'compatible' })));
  const stored = await collect(directorySink(directory), imagesAgain);
  expect(stored.filter(({ outcome }) => outcome === 'present').length).toBeGreaterThanOrEqual(before - 1);
  expect(stored).toHaveLength(24);
  for await (const { outputs } of imagesAgain) {
    const there = readFileSync(join(directory, outputs[0]!.name));
    expect(there.equals(await outputs[0]!.source.read(0, SIZE))).toBe(true);
  }
  expect(readdirSync(join(directory, '.coreiso-fleet')).filter((name) => name.startsWith('staging'))).toEqual([]);
});

test('links PXE sets in folders to one root file system', async () => {
  const base = await openBase(await baseFile(0));
  const directory = scratchFolder();
  const sink = directorySink(directory, { layout: 'folders' });
  for (const round of [1, 2]) {
    await collect(sink, await imagesOf(base, planOf(2), { form: 'pxe' }));
    const folder = readdirSync(join(directory, 'worker-1')).toSorted();
    expect([round, folder]).toEqual([
      round,
      ['node.x86_64-rootfs.img', 'node.x86_64-vmlinuz', 'worker-1.x86_64-initrd.img', 'worker-1.x86_64.ipxe'],
    ]);
    expect(statSync(join(directory, 'worker-0', 'node.x86_64-rootfs.img')).nlink).toBe(3);
  }
});

test('links the root file system into the folder of a minimal image', async () => {
  const directory = scratchFolder();
  const images = await imagesOf(await openBase(await baseFile(0)), planOf(1), { form: 'minimal-iso' });
  await collect(directorySink(directory, { layout: 'folders' }), images);
  expect(readdirSync(join(directory, 'worker-0')).sort()).toEqual(['node.x86_64-rootfs.img', 'worker-0.x86_64.iso']);
  expect(statSync(join(directory, 'worker-0/node.x86_64-rootfs.img')).nlink).toBe(2);
});

test('replaces a link of an earlier base, and no file of another user', async () => {
  const directory = scratchFolder();
  const write = async (size: number): Promise<unknown> =>
    collect(
      directorySink(directory, { layout: 'folders' }),
      await imagesOf(await openBase(await baseFile(size)), planOf(1), { form: 'pxe' }),
    );
  const theirs = join(directory, 'worker-0', 'node.x86_64-rootfs.img');
  mkdirSync(join(directory, 'worker-0'));
  writeFileSync(theirs, 'of somebody');
  await expect(write(0)).rejects.toMatchObject({ code: 'OPENSHIFT_OUTPUT_EXISTS', file: 'node.x86_64-rootfs.img' });
  expect(readFileSync(theirs, 'utf8')).toBe('of somebody');
  rmSync(theirs);
  for (const size of [0, SIZE]) {
    await write(size);
    expect(statSync(theirs).ino).toBe(statSync(join(directory, 'node.x86_64-rootfs.img')).ino);
  }
});
