import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output, run } from '../../../../test/support/tools.ts';
import { directorySink } from '../../src/node/directory-sink.ts';
import { baseFile, collect, imagesOf, openBase, planOf } from './support.ts';

const SIZE = 24 << 20;
const HOSTS = 10;

/** Containers and users other than root have no loop devices and skip this; where they exist, CI has to use them. */
const obstacle =
  process.getuid?.() !== 0 ? 'not root' : existsSync('/dev/loop-control') ? undefined : 'no loop devices';
const isRequired = process.env['COREISO_REQUIRE_TOOLS'] === '1' && obstacle === undefined;
if (obstacle !== undefined) console.warn(`SKIPPED: nothing judges whether images share blocks: ${obstacle}`);

describeWith(['mkfs.btrfs', 'mount', 'umount'], 'a directory on btrfs', () => {
  const folder = scratchFolder();
  const mount = join(folder, 'mount');
  let isMounted = false;

  beforeAll(() => {
    const disk = join(folder, 'disk');
    writeFileSync(disk, '');
    truncateSync(disk, 512 << 20);
    output('mkfs.btrfs', ['-q', disk]);
    mkdirSync(mount);
    const { status, stderr } = run('mount', ['-o', 'loop', disk, mount]);
    isMounted = status === 0;
    if (!isMounted && isRequired) throw new Error(`a btrfs in a file cannot be mounted: ${stderr}`);
  });
  afterAll(() => {
    if (isMounted) output('umount', [mount]);
  });

  test('shares the blocks of the base between images', async (context) => {
    if (!isMounted) context.skip(obstacle ?? 'the kernel mounts no btrfs');
    const path = await baseFile(SIZE, join(mount, 'base.iso'));
    const used = async (): Promise<number> => {
      output('sync', ['-f', mount]);
      const { blocks, bfree, bsize } = await statfs(mount);
      return (blocks - bfree) * bsize;
    };
    const before = await used();
    const base = await openBase(path);
    const stored = await collect(directorySink(join(mount, 'images')), await imagesOf(base, planOf(HOSTS)));
    // The archive of each, without its area.
    for (const { sent } of stored) expect(sent).toBeLessThan(20 * 1024);
    expect(stored).toHaveLength(HOSTS);
    expect((await used()) - before).toBeLessThan(HOSTS * (1 << 20));
    for await (const { outputs } of await imagesOf(base, planOf(HOSTS))) {
      const there = readFileSync(join(mount, 'images', outputs[0]!.name));
      expect(there.equals(await outputs[0]!.source.read(0, SIZE))).toBe(true);
    }
    await base.close();
  });
});
