import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeWith, output } from '../../../test/support/tools.ts';

describeWith(['isoinfo', 'bsdtar'], 'cidata.ts', () => {
  test('writes a disk that cloud-init finds and reads', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'coreiso-'));
    const home = process.cwd();
    onTestFinished(() => {
      process.chdir(home);
      rmSync(directory, { recursive: true });
    });
    process.chdir(directory);
    await import('../src/cidata.ts');
    expect(output('isoinfo', ['-d', '-i', 'cidata.iso']).toString()).toContain('Volume id: cidata\n');
    const files = output('bsdtar', ['-tf', 'cidata.iso']).toString().split('\n');
    expect(files).toEqual(expect.arrayContaining(['meta-data', 'user-data', 'vendor-data']));
    expect(output('bsdtar', ['-xOf', 'cidata.iso', 'user-data']).toString()).toMatch(/^#cloud-config\n/);
  });
});
