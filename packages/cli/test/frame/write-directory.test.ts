import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stagingName } from '@coreiso/peers/node/staging';
import { expect, test } from 'vitest';
import { writeDirectory } from '../../src/frame/write-directory.ts';
import { scratchFolder } from '../support.ts';

test('removes leftovers of a killed run, and keeps those of other programs', () => {
  const root = scratchFolder();
  const own = stagingName('.coreiso-staging-');
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const of = (pid: number): string => `${own.replace(`${process.pid}`, `${pid}`)}x7Fq2z`;
  const kept = [of(process.ppid), `${own}x7Fq2z`, '.coreiso-staging-4194999-another.host.4026531836-x', '.coreiso-x'];
  for (const name of [of(gone), ...kept]) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, '0'), 'a secret');
  }
  writeDirectory(root, { 'auth/kubeconfig': 'x' });
  expect(readdirSync(root).sort()).toEqual([...kept, 'auth'].sort());
});
