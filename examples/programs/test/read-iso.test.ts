import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeIso } from '@coreiso/iso/iso9660';
import { writeCopy } from '@coreiso/iso/node';
import { expect, onTestFinished, test, vi } from 'vitest';

test('read-iso.ts lists an image and opens its kernel', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'coreiso-'));
  const argv = process.argv;
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => {
    process.argv = argv;
    log.mockRestore();
    rmSync(directory, { recursive: true });
  });
  const image = join(directory, 'live.iso');
  const content = new Uint8Array(3000);
  const { source } = await writeIso([{ kind: 'file', path: '/images/pxeboot/vmlinuz', content }], { volumeId: 'live' });
  await writeCopy(source, image);
  process.argv = ['node', 'read-iso.ts', image];
  await import('../src/read-iso.ts');
  expect(log.mock.calls.slice(-2)).toEqual([['images/pxeboot/vmlinuz', 3000], ['the kernel has 3000 bytes']]);
  expect(log.mock.calls.map(([path]) => path).slice(0, 2)).toEqual(['images', 'images/pxeboot']);
});
