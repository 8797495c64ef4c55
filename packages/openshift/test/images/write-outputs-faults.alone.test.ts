import { readdirSync } from 'node:fs';
import { bytesSource } from '@coreiso/iso';
import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { writeOutputs } from '../../src/node/write-outputs.ts';

function failing(code: string): never {
  throw Object.assign(new Error(code), { code });
}

/** A file system without links, whose renames into the directory fail: after their work, or without it. */
let isDone = true;
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    link: async () => failing('EPERM'),
    rename: async (from: string, to: string) => {
      if (!to.endsWith('node.iso')) return await real.rename(from, to);
      if (isDone) await real.rename(from, to);
      failing('ENOSPC');
    },
  };
});

test.each([true, false])('leaves no image whose rename fails (work done: %j)', async (done) => {
  isDone = done;
  const folder = scratchFolder();
  const outputs = [{ name: 'node.iso', source: bytesSource(new Uint8Array(100)) }];
  await expect(writeOutputs({ outputs }, folder)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(readdirSync(folder)).toEqual([]);
});
